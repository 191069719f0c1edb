# The only ways to declare a target in this project: one library per folder of trntensor/, one test
# executable per topic, one fuzzer per input format, one benchmark per suite.

add_library(trntensor_warnings INTERFACE)
target_compile_options(trntensor_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                                    $<$<BOOL:${TRNTENSOR_WERROR}>:-Werror>)

# trntensor_add_library(<name> SOURCES ... [PUBLIC targets...] [PRIVATE targets...])
# Declares trntensor_<name> with the alias trntensor::<name>. Headers are found by their path in the
# repository, which is also their path in #include.
function(trntensor_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;PUBLIC;PRIVATE")
  add_library(trntensor_${name} ${ARG_SOURCES})
  add_library(trntensor::${name} ALIAS trntensor_${name})
  target_include_directories(
    trntensor_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(trntensor_${name} PUBLIC cxx_std_20)
  # Public: inline functions in our headers must mean the same in the library and in its users.
  target_compile_definitions(trntensor_${name} PUBLIC $<$<BOOL:${TRNTENSOR_ENABLE_ASSERTS}>:TRNTENSOR_ENABLE_ASSERTS>)
  foreach(used IN LISTS ARG_PRIVATE)
    # What leaves no trace in the compiled library is no concern of those who use it installed.
    if(used IN_LIST TRNTENSOR_HEADER_ONLY)
      set(used $<BUILD_INTERFACE:${used}>)
    endif()
    target_link_libraries(trntensor_${name} PRIVATE ${used})
  endforeach()
  target_link_libraries(trntensor_${name} PUBLIC ${ARG_PUBLIC} PRIVATE $<BUILD_INTERFACE:trntensor_warnings>)
  set_target_properties(
    trntensor_${name}
    PROPERTIES EXPORT_NAME ${name}
               POSITION_INDEPENDENT_CODE ON
               VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  set_property(GLOBAL APPEND PROPERTY TRNTENSOR_LIBRARIES trntensor_${name})
endfunction()

# trntensor_add_test(<name> SOURCES ... LINK targets... [LABELS labels...] [TIMEOUT seconds])
# Declares the GoogleTest executable test_<name>, registers each of its cases with CTest, and makes it
# part of the target tests_<label> of each of its labels. The default label is unit.
function(trntensor_add_test name)
  if(NOT TRNTENSOR_ENABLE_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TIMEOUT" "SOURCES;LINK;LABELS")
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
  foreach(label IN LISTS ARG_LABELS)
    trntensor_add_to_group(tests_${label} test_${name})
  endforeach()
  gtest_discover_tests(test_${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  # gtest_discover_tests takes no list as the value of a property, so CTest reads the labels from a file of ours.
  set(labels_file ${CMAKE_CURRENT_BINARY_DIR}/test_${name}_labels.cmake)
  file(CONFIGURE OUTPUT ${labels_file} @ONLY
       CONTENT "foreach(test IN LISTS test_@name@_TESTS)
  set_tests_properties(\"\${test}\" PROPERTIES LABELS \"@ARG_LABELS@\")
endforeach()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels_file})
endfunction()

# trntensor_add_to_group(<group> <target>) makes <target> part of the target <group>, so that a build of one
# group need not build the others.
function(trntensor_add_to_group group target)
  if(NOT TARGET ${group})
    add_custom_target(${group})
  endif()
  add_dependencies(${group} ${target})
endfunction()

# trntensor_add_fuzzer(<name> SOURCES ... LINK targets... [RUNS inputs])
# The sources define LLVMFuzzerTestOneInput; fuzz/corpus/<name>/ holds the seeds. Declares
# - fuzz_<name>, the libFuzzer program, when TRNTENSOR_ENABLE_FUZZ is on;
# - the test fuzz_<name>_seeded with the label fuzz: the seeds and RUNS (default 20000) mutations of them,
#   the same on every run and for every compiler.
function(trntensor_add_fuzzer name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "RUNS" "SOURCES;LINK")
  if(NOT ARG_RUNS)
    set(ARG_RUNS 20000)
  endif()
  if(TRNTENSOR_ENABLE_FUZZ)
    add_executable(fuzz_${name} ${ARG_SOURCES})
    target_link_libraries(fuzz_${name} PRIVATE ${ARG_LINK} trntensor_warnings)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
    trntensor_add_to_group(fuzzers fuzz_${name})
  endif()
  if(TRNTENSOR_ENABLE_TESTS)
    add_executable(fuzz_${name}_seeded ${ARG_SOURCES} ${PROJECT_SOURCE_DIR}/fuzz/seeded_main.cpp)
    target_link_libraries(fuzz_${name}_seeded PRIVATE ${ARG_LINK} trntensor::support trntensor_warnings)
    trntensor_add_to_group(tests_fuzz fuzz_${name}_seeded)
    add_test(NAME fuzz_${name}_seeded COMMAND fuzz_${name}_seeded ${PROJECT_SOURCE_DIR}/fuzz/corpus/${name} ${ARG_RUNS})
    set_tests_properties(fuzz_${name}_seeded PROPERTIES LABELS fuzz TIMEOUT 300)
  endif()
endfunction()

# trntensor_add_bench(<name> SOURCES ... LINK targets...)
# Declares the Google Benchmark program bin/bench_<name>, and the test bench_<name>_smoke with the label perf
# that runs every benchmark once, for no more than to see that it runs.
function(trntensor_add_bench name)
  if(NOT TRNTENSOR_ENABLE_BENCH)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;LINK")
  add_executable(bench_${name} ${ARG_SOURCES})
  target_link_libraries(bench_${name} PRIVATE ${ARG_LINK} benchmark::benchmark trntensor_warnings)
  set_target_properties(bench_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  trntensor_add_to_group(benches bench_${name})
  if(TRNTENSOR_ENABLE_TESTS)
    add_test(NAME bench_${name}_smoke COMMAND bench_${name} --benchmark_min_time=0.001)
    set_tests_properties(bench_${name}_smoke PROPERTIES LABELS perf TIMEOUT 300)
  endif()
endfunction()
