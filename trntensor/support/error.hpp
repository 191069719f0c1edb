// The one exception type of the library: what went wrong, where, and how to mend it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace trntensor {

/// Whose fault an error is, and so what a caller can do about it.
enum class ErrorKind {
  kInvalidArgument,  ///< the caller's input is wrong (Python ValueError, exit code 2)
  kUnsupported,      ///< valid, but not offered (NotImplementedError, exit code 2)
  kOutOfMemory,      ///< the memory needed is not there or not granted (MemoryError, exit code 2)
  kIo,               ///< a file cannot be read or written (OSError, exit code 2)
  kCancelled,        ///< the caller's stop token was triggered (KeyboardInterrupt, exit code 130)
  kInternal,         ///< our own bug (RuntimeError, exit code 1)
};

/// "InvalidArgument", "Unsupported", ...
std::string_view to_string(ErrorKind kind) noexcept;

/// Thrown by every public function. `what()` is the whole message on one or more lines: what is wrong with the
/// values, where (operand, label, caret line), and after "fix: " what to change.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& what, const std::string& where = {}, const std::string& fix = {});

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

/// Shorthands for the common kinds.
[[noreturn]] void throw_invalid(const std::string& what, const std::string& where = {}, const std::string& fix = {});
[[noreturn]] void throw_unsupported(const std::string& what, const std::string& where = {},
                                    const std::string& fix = {});

namespace detail {
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);
}  // namespace detail

}  // namespace trntensor

/// Checks an invariant of ours. Active in debug, sanitizer and fuzz builds (TRNTENSOR_ENABLE_ASSERTS), else free.
#ifdef TRNTENSOR_ENABLE_ASSERTS
#define TRNTENSOR_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::trntensor::detail::assertion_failed(#condition, __FILE__, __LINE__))
#else
#define TRNTENSOR_ASSERT(condition) static_cast<void>(sizeof(!(condition)))
#endif
