#include "cli/tensor_json.hpp"

#include <complex>
#include <nlohmann/json.hpp>
#include <vector>

namespace trntensor::cli {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json element(const T& value) {
  if constexpr (std::is_same_v<T, std::complex<double>>) {
    return Json::array({value.real(), value.imag()});
  } else {
    return value;
  }
}

/// The sub-list of `values` at `axis`, advancing `next`.
template <typename T>
Json nested(const std::vector<T>& values, const Shape& shape, std::size_t axis, std::size_t& next) {
  if (axis == shape.size()) return element<T>(values[next++]);
  Json list = Json::array();
  for (std::int64_t k = 0; k < shape[axis]; ++k) list.push_back(nested(values, shape, axis + 1, next));
  return list;
}

template <typename T>
Json nested(const Tensor& tensor) {
  std::size_t next = 0;
  return nested(tensor.to_vector<T>(), tensor.shape(), 0, next);
}

}  // namespace

Json to_json(const Tensor& tensor) {
  const DType dtype = tensor.dtype();
  if (dtype == DType::kBool) return nested<bool>(tensor);
  if (is_complex(dtype)) return nested<std::complex<double>>(tensor);
  if (is_floating(dtype)) return nested<double>(tensor);
  if (is_signed(dtype)) return nested<std::int64_t>(tensor);
  return nested<std::uint64_t>(tensor);
}

Json to_json(std::span<const std::int64_t> values) {
  Json list = Json::array();
  for (const std::int64_t value : values) list.push_back(value);
  return list;
}

}  // namespace trntensor::cli
