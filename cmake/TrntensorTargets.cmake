# The only ways to declare a target in this project: one library per folder of trntensor/, one test
# executable per topic, one benchmark per suite.

# trntensor_add_library(<name> SOURCES ... [PUBLIC targets...] [PRIVATE targets...])
# Declares trntensor_<name> with the alias trntensor::<name>. Headers are found by their path in the
# repository, which is also their path in #include.
function(trntensor_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(trntensor_${name} ${ARG_SOURCES})
  add_library(trntensor::${name} ALIAS trntensor_${name})
  target_include_directories(
    trntensor_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                             $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(trntensor_${name} PUBLIC cxx_std_20)
  target_link_libraries(trntensor_${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE} trntensor_warnings)
  set_target_properties(trntensor_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  set_property(GLOBAL APPEND PROPERTY TRNTENSOR_LIBRARIES trntensor_${name})
endfunction()

# trntensor_add_test(<name> SOURCES ... LINK targets... [LABELS labels...] [TIMEOUT seconds])
# Declares the GoogleTest executable test_<name> and registers each of its cases with CTest.
function(trntensor_add_test name)
  if(NOT TRNTENSOR_ENABLE_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  target_link_libraries(test_${name} PRIVATE ${ARG_LINK} GTest::gtest_main GTest::gmock trntensor_warnings)
  target_compile_definitions(test_${name} PRIVATE TRNTENSOR_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
                                                  TRNTENSOR_EXAMPLE_DATA="${PROJECT_SOURCE_DIR}/examples/data")
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  gtest_discover_tests(test_${name} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
endfunction()
