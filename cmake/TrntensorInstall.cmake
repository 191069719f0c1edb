# Installs libraries, headers, program and the package trntensor, whose components are the libraries:
#   find_package(trntensor 0.1 REQUIRED COMPONENTS dispatch)
# The umbrella trntensor::trntensor links them all; its header is trntensor/trntensor.hpp.
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY TRNTENSOR_LIBRARIES)
add_library(trntensor_umbrella INTERFACE)
add_library(trntensor::trntensor ALIAS trntensor_umbrella)
target_link_libraries(trntensor_umbrella INTERFACE ${libraries})
set_target_properties(trntensor_umbrella PROPERTIES EXPORT_NAME trntensor)

list(TRANSFORM libraries REPLACE "^trntensor_" "" OUTPUT_VARIABLE TRNTENSOR_COMPONENTS)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/trntensor)
install(
  TARGETS ${libraries} trntensor_umbrella
  EXPORT trntensorTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/trntensor
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING
  PATTERN "*.hpp")
install(EXPORT trntensorTargets NAMESPACE trntensor:: DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/trntensorConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/trntensorConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a new minor version may break its users.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/trntensorConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/trntensorConfig.cmake ${PROJECT_BINARY_DIR}/trntensorConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindHDF5Serial.cmake ${PROJECT_SOURCE_DIR}/cmake/FindUtf8proc.cmake
        DESTINATION ${package_dir})
