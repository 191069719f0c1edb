#include "cli/bench/gemm_road.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "trntensor/support/error.hpp"

namespace trntensor::cli::bench {
namespace {

/// The labels of `text` that are in all of `in` and in none of `out`, in the order of `text`.
std::string those_of(const std::string& text, const std::string& in, const std::string& out) {
  std::string labels;
  for (const char label : text) {
    if (in.find(label) != std::string::npos && out.find(label) == std::string::npos) labels += label;
  }
  return labels;
}

/// The six choices of one road.
struct Choice {
  bool rows_by_result, columns_by_result, terms_by_second;
  bool transposed_a, transposed_b, transposed_c;
};

Choice choice_of(int number) {
  const auto bit = [number](int i) { return (number >> i & 1) != 0; };
  return {bit(0), bit(1), bit(2), bit(3), bit(4), bit(5)};
}

GemmRoad road_of(const Contracted& contracted, const std::string& batch, const Choice& choice) {
  const auto& [a, b, c, extents, dtype] = contracted;
  const std::string rows = those_of(choice.rows_by_result ? c : a, choice.rows_by_result ? a : c, b);
  const std::string columns = those_of(choice.columns_by_result ? c : b, choice.columns_by_result ? b : c, a);
  const std::string terms = those_of(choice.terms_by_second ? b : a, choice.terms_by_second ? a : b, c);
  GemmRoad road;
  road.a = batch + (choice.transposed_a ? terms + rows : rows + terms);
  road.b = batch + (choice.transposed_b ? columns + terms : terms + columns);
  road.c = batch + (choice.transposed_c ? columns + rows : rows + columns);
  // (A B)^T = B^T A^T
  road.exchanged = choice.transposed_c;
  road.gemm.dtype = dtype;
  road.gemm.m = contracted.size(road.exchanged ? columns : rows);
  road.gemm.n = contracted.size(road.exchanged ? rows : columns);
  road.gemm.k = contracted.size(terms);
  road.gemm.transposed_a = road.exchanged ? !choice.transposed_b : choice.transposed_a;
  road.gemm.transposed_b = road.exchanged ? !choice.transposed_a : choice.transposed_b;
  road.gemm.batch = contracted.size(batch);
  const double item = 2.0 * static_cast<double>(size_of(dtype));
  if (road.a != a) road.moved_bytes += item * static_cast<double>(contracted.size(a));
  if (road.b != b) road.moved_bytes += item * static_cast<double>(contracted.size(b));
  if (road.c != c) road.moved_bytes += item * static_cast<double>(contracted.size(c));
  return road;
}

}  // namespace

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

std::vector<GemmRoad> gemm_roads(const Contracted& contracted) {
  constexpr int kChoices = 64;
  const std::string batch = those_of(those_of(contracted.c, contracted.a, ""), contracted.b, "");
  std::vector<GemmRoad> roads;
  std::set<std::string> known;
  for (int number = 0; number < kChoices; ++number) {
    GemmRoad road = road_of(contracted, batch, choice_of(number));
    if (known.insert(road.a + "," + road.b + "," + road.c).second) roads.push_back(std::move(road));
  }
  // Ties by name, so that the order is the same everywhere.
  const auto key = [](const GemmRoad& road) { return std::tie(road.moved_bytes, road.a, road.b, road.c); };
  std::sort(roads.begin(), roads.end(),
            [&](const GemmRoad& one, const GemmRoad& other) { return key(one) < key(other); });
  return roads;
}

}  // namespace trntensor::cli::bench
