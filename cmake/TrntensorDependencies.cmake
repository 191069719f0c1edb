# Everything of other people's that the build uses; all of it is in Debian 12.

# Linked into the libraries; trntensorConfig.cmake.in finds the same for the users of static libraries.
find_package(fmt REQUIRED)
find_package(HDF5Serial REQUIRED)
find_package(hwy REQUIRED)
# Highway 1.0 does not compile for this set alone, as -march=native on a CPU that has it asks; our kernels use AVX3.
set_property(TARGET hwy::hwy APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS HWY_DISABLED_TARGETS=HWY_AVX3_DL)
find_package(TBB REQUIRED)
find_package(Utf8proc REQUIRED)
find_package(ZLIB REQUIRED)

# Only included by our source files.
find_package(CLI11 REQUIRED)
find_package(dlpack REQUIRED)
find_package(nlohmann_json REQUIRED)
set(TRNTENSOR_HEADER_ONLY CLI11::CLI11 dlpack::dlpack nlohmann_json::nlohmann_json)

if(TRNTENSOR_ENABLE_TESTS)
  find_package(GTest REQUIRED)
  find_package(Python REQUIRED COMPONENTS Interpreter)
endif()
if(TRNTENSOR_ENABLE_BENCH)
  find_package(benchmark REQUIRED)
endif()
