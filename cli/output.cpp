#include "cli/output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "trntensor/support/error.hpp"

namespace trntensor::cli {

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
  throw Error(ErrorKind::kIo, fmt::format("cannot write to stdout: {}", std::strerror(errno)));
}

void print_json(const nlohmann::ordered_json& object) {
  print(object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void warn(std::string_view text) { std::fputs(fmt::format("trntensor: warning: {}\n", text).c_str(), stderr); }

}  // namespace trntensor::cli
