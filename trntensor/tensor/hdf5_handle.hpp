// The HDF5 library's identifiers, lock and errors in C++ terms.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

namespace trntensor::io {

/// Closes an identifier of the HDF5 library.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close close) noexcept : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() { reset(); }

  [[nodiscard]] hid_t id() const noexcept { return id_; }
  [[nodiscard]] bool valid() const noexcept { return id_ >= 0; }
  /// Closes now; false when the library reports a failure.
  bool reset() noexcept { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// While it lives nobody else of ours is in the HDF5 library, which is not thread-safe, and the library does not print
/// errors. The program's own setting of that comes back afterwards.
class Hdf5Session {
 public:
  Hdf5Session();
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;
  ~Hdf5Session();

 private:
  std::unique_lock<std::mutex> lock_;
  H5E_auto2_t printer_ = nullptr;
  void* printer_data_ = nullptr;
};

/// Throws Io "<file>: <what>: <reason of the library>".
[[noreturn]] void throw_hdf5_error(const std::string& file, const std::string& what);

/// The handle, or `throw_hdf5_error` when it is not valid.
Hdf5Handle checked(Hdf5Handle handle, const std::string& file, const std::string& what);

}  // namespace trntensor::io
