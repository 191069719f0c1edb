// A library that is loaded while the program runs.
#pragma once

#include <dlfcn.h>

#include <filesystem>
#include <initializer_list>
#include <string>
#include <system_error>

// The address sanitizer refuses RTLD_DEEPBIND.
#ifdef __SANITIZE_ADDRESS__
#define TRNTENSOR_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TRNTENSOR_ADDRESS_SANITIZER
#endif
#endif

namespace trntensor::cli::bench {

/// The path of a library beside this program, where a build with the benchmarks puts those it makes of peers.
inline std::string beside_program(const char* name) {
  std::error_code fault;
  return (std::filesystem::read_symlink("/proc/self/exe", fault).parent_path() / name).string();
}

/// Never unloaded: its threads may still run. Its own symbols go before those of the program and of other libraries
/// (OpenBLAS and BLIS both have cblas_dgemm).
class SharedLibrary {
 public:
  /// The first of the names that the system finds; none gives an empty one.
  explicit SharedLibrary(std::initializer_list<std::string> names) {
    for (const std::string& name : names) {
      if (handle_ == nullptr) handle_ = dlopen(name.c_str(), kMode);
    }
  }

  explicit operator bool() const noexcept { return handle_ != nullptr; }

  /// A function of the library, null when there is none of that name.
  template <typename Function>
  [[nodiscard]] Function* find(const char* name) const {
    return handle_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(handle_, name));
  }

 private:
#ifdef TRNTENSOR_ADDRESS_SANITIZER
  static constexpr int kMode = RTLD_NOW | RTLD_LOCAL;
#else
  static constexpr int kMode = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif
  void* handle_ = nullptr;
};

}  // namespace trntensor::cli::bench
