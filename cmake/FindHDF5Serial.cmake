# Finds the serial C library of HDF5 as hdf5::hdf5. CMake's own FindHDF5 compiles C programs on the way, so it
# needs every project that uses the package to enable C; this one does not.

find_path(HDF5Serial_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5Serial_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
mark_as_advanced(HDF5Serial_INCLUDE_DIR HDF5Serial_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HDF5Serial DEFAULT_MSG HDF5Serial_LIBRARY HDF5Serial_INCLUDE_DIR)

if(HDF5Serial_FOUND AND NOT TARGET hdf5::hdf5)
  add_library(hdf5::hdf5 UNKNOWN IMPORTED)
  set_target_properties(hdf5::hdf5 PROPERTIES IMPORTED_LOCATION ${HDF5Serial_LIBRARY}
                                              INTERFACE_INCLUDE_DIRECTORIES ${HDF5Serial_INCLUDE_DIR})
endif()
