// Element types between HDF5 and us, by the conventions of h5py.
#pragma once

#include <optional>

#include "trntensor/tensor/dtype.hpp"
#include "trntensor/tensor/hdf5_handle.hpp"

namespace trntensor::io {

/// Our type of a file's element type, or nothing when we have none.
std::optional<DType> dtype_of_hdf5(hid_t file_type);

/// What the file's type is called, for messages: "string", "compound", ...
const char* hdf5_class_name(hid_t file_type);

/// The type of elements in memory, also used in files we write. `complex_parts` names the parts of complex numbers.
/// Not valid for float8, which HDF5 cannot tell apart.
struct ComplexParts {
  std::string real = "r";
  std::string imaginary = "i";
};
Hdf5Handle hdf5_memory_type(DType dtype, const ComplexParts& complex_parts = {});

/// Names of the two parts of a complex file type.
ComplexParts complex_parts_of(hid_t file_type);

}  // namespace trntensor::io
