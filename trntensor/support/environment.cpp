#include "trntensor/support/environment.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

std::atomic<int> chosen_threads{0};

void check_threads(int count, std::string_view what) {
  if (count >= 0 && count <= kMostThreads) return;
  throw_invalid(fmt::format("{} is {}, outside 0..{}", what, count, kMostThreads), {},
                "give the number of worker threads, or 0 for the default");
}

}  // namespace

std::optional<std::string> environment_text(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  return std::string(text);
}

std::int64_t parse_integer(std::string_view text, std::string_view what, std::int64_t low, std::int64_t high) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size() || value < low || value > high) {
    throw_invalid(fmt::format("{} is \"{}\", not a whole number from {} to {}", what, text, low, high), {},
                  fmt::format("give a number from {} to {}", low, high));
  }
  return value;
}

std::optional<std::int64_t> environment_integer(const char* name, std::int64_t low, std::int64_t high) {
  const auto text = environment_text(name);
  if (!text) return std::nullopt;
  return parse_integer(*text, fmt::format("environment variable {}", name), low, high);
}

std::int64_t parse_bytes(std::string_view text, std::string_view what) {
  const auto fail = [&]() {
    throw_invalid(fmt::format("{} is \"{}\", not a size in bytes", what, text), {},
                  "write a positive number with an optional unit K, M, G or T, such as 512M or 2G");
  };
  double value = 0;
  const char* last = text.data() + text.size();
  const auto [end, status] = std::from_chars(text.data(), last, value);
  if (status != std::errc{} || !std::isfinite(value) || value <= 0) fail();
  std::string unit;
  for (const char* p = end; p != last; ++p) {
    if (*p != ' ') unit += static_cast<char>(std::toupper(static_cast<unsigned char>(*p)));
  }
  constexpr std::string_view kUnits = "KMGT";
  if (!unit.empty() && unit != "B") {
    const auto power = kUnits.find(unit.front());
    const std::string_view rest = std::string_view(unit).substr(1);
    if (power == std::string_view::npos || (!rest.empty() && rest != "B" && rest != "IB")) fail();
    value *= std::pow(1024.0, static_cast<double>(power + 1));
  }
  if (value < 1 || value > 9.0e18) fail();
  return static_cast<std::int64_t>(value);
}

std::string format_bytes(double bytes) {
  constexpr std::array<const char*, 7> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

int num_threads() {
  if (const int chosen = chosen_threads.load(std::memory_order_relaxed); chosen > 0) return chosen;
  static const int from_environment = [] {
    const auto value = environment_integer("TRNTENSOR_NUM_THREADS", 1, kMostThreads);
    return value ? static_cast<int>(*value) : cpu_info().logical_cpus;
  }();
  return from_environment;
}

int num_threads(int asked) {
  check_threads(asked, "num_threads");
  return asked > 0 ? asked : num_threads();
}

void set_num_threads(int count) {
  check_threads(count, "set_num_threads's argument");
  chosen_threads.store(count, std::memory_order_relaxed);
}

}  // namespace trntensor
