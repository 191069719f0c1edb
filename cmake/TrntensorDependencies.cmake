# Everything of other people's that the build uses; all of it is in Debian 12.

find_package(fmt REQUIRED)
find_package(TBB REQUIRED)
find_package(ZLIB REQUIRED)
find_package(HDF5Serial REQUIRED)
find_package(Utf8proc REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(hwy REQUIRED)
find_package(dlpack REQUIRED)
find_package(CLI11 REQUIRED)

if(TRNTENSOR_ENABLE_TESTS)
  find_package(GTest REQUIRED)
  find_package(Python REQUIRED COMPONENTS Interpreter)
endif()
if(TRNTENSOR_ENABLE_BENCH)
  find_package(benchmark REQUIRED)
endif()
