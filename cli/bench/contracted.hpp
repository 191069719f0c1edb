// A contraction of two tensors, as the benchmark describes it.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "trntensor/tensor/dtype.hpp"

namespace trntensor::cli::bench {

/// Two operands and a result, each as its labels from the slowest to the fastest axis; all are dense. Labels of all
/// three lead in each, in one order.
struct Contracted {
  std::string a;
  std::string b;
  std::string c;
  std::map<char, std::int64_t> extents;
  DType dtype = DType::kFloat64;

  [[nodiscard]] std::int64_t size(const std::string& labels) const;
  [[nodiscard]] std::string subscripts() const { return a + "," + b + "->" + c; }
  [[nodiscard]] double flops() const;        ///< 2 for each multiply-add
  [[nodiscard]] double bytes() const;        ///< of the three tensors
  [[nodiscard]] std::int64_t terms() const;  ///< summed into one element of the result
};

/// The labels of `text` that are in `in` and not in `out`, in the order of `text`.
std::string those_of(const std::string& text, const std::string& in, const std::string& out);

/// "adb,cd->cba" with the extents of its labels.
Contracted parse_contracted(const std::string& subscripts, const std::map<char, std::int64_t>& extents, DType dtype);

/// Where the three tensors lie. The first two hold values already.
struct ContractionData {
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
};

}  // namespace trntensor::cli::bench
