#include "cli/bench/contracted.hpp"

#include "trntensor/support/error.hpp"

namespace trntensor::cli::bench {

std::string those_of(const std::string& text, const std::string& in, const std::string& out) {
  std::string labels;
  for (const char label : text) {
    if (in.find(label) != std::string::npos && out.find(label) == std::string::npos) labels += label;
  }
  return labels;
}

std::int64_t Contracted::size(const std::string& labels) const {
  std::int64_t product = 1;
  for (const char label : labels) product *= extents.at(label);
  return product;
}

double Contracted::flops() const {
  double product = 2;
  for (const auto& [label, extent] : extents) product *= static_cast<double>(extent);
  return product;
}

double Contracted::bytes() const {
  return static_cast<double>(size(a) + size(b) + size(c)) * static_cast<double>(size_of(dtype));
}

std::int64_t Contracted::terms() const { return size(those_of(a, b, c)); }

Contracted parse_contracted(const std::string& subscripts, const std::map<char, std::int64_t>& extents, DType dtype) {
  const std::size_t comma = subscripts.find(',');
  const std::size_t arrow = subscripts.find("->");
  TRNTENSOR_ASSERT(comma != std::string::npos && arrow != std::string::npos && comma < arrow);
  return {subscripts.substr(0, comma), subscripts.substr(comma + 1, arrow - comma - 1), subscripts.substr(arrow + 2),
          extents, dtype};
}

}  // namespace trntensor::cli::bench
