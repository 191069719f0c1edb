#include "trntensor/support/error.hpp"

#include <fmt/format.h>

namespace trntensor {
namespace {

std::string compose(const std::string& what, const std::string& where, const std::string& fix) {
  std::string message = what;
  if (!where.empty()) message += "\n" + where;
  if (!fix.empty()) message += "\nfix: " + fix;
  // what() would end at a null byte of a name that is quoted.
  for (std::size_t at = 0; (at = message.find('\0', at)) != std::string::npos;) message.replace(at, 1, "\\0");
  return message;
}

}  // namespace

std::string_view to_string(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::kInvalidArgument:
      return "InvalidArgument";
    case ErrorKind::kUnsupported:
      return "Unsupported";
    case ErrorKind::kOutOfMemory:
      return "OutOfMemory";
    case ErrorKind::kIo:
      return "Io";
    case ErrorKind::kCancelled:
      return "Cancelled";
    case ErrorKind::kInternal:
      return "Internal";
  }
  return "Unknown";
}

Error::Error(ErrorKind kind, const std::string& what, const std::string& where, const std::string& fix)
    : std::runtime_error(compose(what, where, fix)), kind_(kind) {}

void throw_invalid(const std::string& what, const std::string& where, const std::string& fix) {
  throw Error(ErrorKind::kInvalidArgument, what, where, fix);
}

void throw_unsupported(const std::string& what, const std::string& where, const std::string& fix) {
  throw Error(ErrorKind::kUnsupported, what, where, fix);
}

namespace detail {

void assertion_failed(const char* condition, const char* file, int line) {
  throw Error(ErrorKind::kInternal, fmt::format("assertion failed: {}", condition), fmt::format("{}:{}", file, line),
              "this is a bug in trntensor; please report it with the call that led here");
}

}  // namespace detail
}  // namespace trntensor
