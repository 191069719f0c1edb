#include "trntensor/tensor/hdf5_handle.hpp"

#include <fmt/format.h>

#include "trntensor/tensor/messages.hpp"

namespace trntensor::io {
namespace {

std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

// The first entry in this direction is where the failure happened; later ones say who called it.
herr_t take_first(unsigned number, const H5E_error2_t* entry, void* reason) {
  if (number == 0 && entry->desc != nullptr) *static_cast<const char**>(reason) = entry->desc;
  return 0;
}

}  // namespace

Hdf5Session::Hdf5Session() : lock_(library_mutex()) {
  H5open();
  H5Eget_auto2(H5E_DEFAULT, &printer_, &printer_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Session::~Hdf5Session() { H5Eset_auto2(H5E_DEFAULT, printer_, printer_data_); }

void throw_hdf5_error(const std::string& file, const std::string& what) {
  const char* reason = "unknown reason";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &reason);
  throw_file_error(file, fmt::format("{}: {}", what, reason), "check the file with h5dump or write it again");
}

Hdf5Handle checked(Hdf5Handle handle, const std::string& file, const std::string& what) {
  if (!handle.valid()) throw_hdf5_error(file, what);
  return handle;
}

}  // namespace trntensor::io
