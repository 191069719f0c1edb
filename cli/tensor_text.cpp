#include "cli/tensor_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "trntensor/tensor/convert.hpp"

namespace trntensor::cli {
namespace {

constexpr std::size_t kLineWidth = 75;
constexpr std::int64_t kEdgeItems = 3;

/// Elements as text, all of one width, in C order.
using Texts = std::vector<std::string>;

/// Where a number is split to be padded on both sides: its decimal point, or its end.
std::size_t point_of(const std::string& text) { return std::min(text.find('.'), text.size()); }

bool is_finite(const std::string& text) { return text != "nan" && !text.ends_with("inf"); }

/// Numbers with their points below each other, the others at the right.
Texts align(const Texts& texts) {
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t width = 0;
  for (const std::string& text : texts) {
    width = std::max(width, text.size());
    if (!is_finite(text)) continue;
    before = std::max(before, point_of(text));
    after = std::max(after, text.size() - point_of(text));
  }
  before = std::max(before, width - std::min(width, after));
  Texts aligned;
  for (const std::string& text : texts) {
    const std::string left(is_finite(text) ? before - point_of(text) : before + after - text.size(), ' ');
    aligned.push_back(fmt::format("{:<{}}", left + text, before + after));
  }
  return aligned;
}

/// NumPy's rule: exponents when the sizes differ too much to be read in one column.
bool needs_exponent(const std::vector<double>& values) {
  double least = INFINITY;
  double greatest = 0;
  for (const double value : values) {
    if (!std::isfinite(value) || value == 0) continue;
    least = std::min(least, std::abs(value));
    greatest = std::max(greatest, std::abs(value));
  }
  return greatest > 0 && (greatest >= 1e8 || least < 1e-4 || greatest / least > 1e3);
}

std::string without_trailing_zeros(std::string text) {
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

/// Digits after the point that the mantissas need, 8 at most.
int mantissa_digits(const std::vector<double>& values) {
  std::size_t digits = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    const std::string text = fmt::format("{:.8e}", std::abs(value));
    digits = std::max(digits, without_trailing_zeros(text.substr(0, text.find('e'))).size() - 2);
  }
  return static_cast<int>(digits);
}

/// Values with at most 8 digits after the point, without zeros that all of them end with.
Texts real_texts(const std::vector<double>& values) {
  const bool exponent = needs_exponent(values);
  const int digits = exponent ? mantissa_digits(values) : 8;
  Texts texts;
  for (const double value : values) {
    if (!std::isfinite(value)) {
      texts.emplace_back(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    } else if (exponent) {
      texts.push_back(fmt::format("{:#.{}e}", value, digits));
    } else {
      texts.push_back(without_trailing_zeros(fmt::format("{:.8f}", value)));
    }
  }
  return texts;
}

/// Narrow floats as the shortest decimal that reads back, so that 0.1F is 0.1.
double shortest(double value, DType dtype) {
  const bool narrow = real_type(dtype) != DType::kFloat64;
  return narrow && std::isfinite(value) ? std::stod(fmt::format("{}", static_cast<float>(value))) : value;
}

Texts complex_texts(const Tensor& tensor) {
  std::vector<double> real;
  std::vector<double> imaginary;
  for (const auto value : tensor.to_vector<std::complex<double>>()) {
    real.push_back(shortest(value.real(), tensor.dtype()));
    imaginary.push_back(shortest(value.imag(), tensor.dtype()));
  }
  const Texts real_part = align(real_texts(real));
  const Texts imaginary_part = real_texts(imaginary);
  Texts texts;
  for (std::size_t k = 0; k < real_part.size(); ++k) {
    const std::string sign = imaginary_part[k].starts_with('-') ? "" : "+";
    texts.push_back(real_part[k] + sign + imaginary_part[k] + "j");
  }
  std::size_t width = 0;
  for (const std::string& text : texts) width = std::max(width, text.size());
  for (std::string& text : texts) text.resize(width, ' ');
  return texts;
}

Texts element_texts(const Tensor& tensor) {
  if (is_complex(tensor.dtype())) return complex_texts(tensor);
  Texts texts;
  if (tensor.dtype() == DType::kBool) {
    for (const bool value : tensor.to_vector<bool>()) texts.emplace_back(value ? " True" : "False");
  } else if (is_floating(tensor.dtype())) {
    std::vector<double> values = tensor.to_vector<double>();
    for (double& value : values) value = shortest(value, tensor.dtype());
    texts = real_texts(values);
  } else if (is_signed(tensor.dtype())) {
    for (const std::int64_t value : tensor.to_vector<std::int64_t>()) texts.push_back(std::to_string(value));
  } else {
    for (const std::uint64_t value : tensor.to_vector<std::uint64_t>()) texts.push_back(std::to_string(value));
  }
  return align(texts);
}

/// The elements at both ends of every long axis, next to each other.
Tensor keep_edges(Tensor tensor) {
  for (int axis = 0; axis < tensor.rank(); ++axis) {
    const std::int64_t extent = tensor.extent(axis);
    if (extent <= 2 * kEdgeItems) continue;
    Shape shape = tensor.shape();
    shape[static_cast<std::size_t>(axis)] = 2 * kEdgeItems;
    Tensor edges = Tensor::empty(shape, tensor.dtype());
    for (std::int64_t k = 0; k < 2 * kEdgeItems; ++k) {
      const std::int64_t from = k < kEdgeItems ? k : extent - 2 * kEdgeItems + k;
      copy(tensor.select(axis, from), edges.select(axis, k).mutable_view());
    }
    tensor = edges;
  }
  return tensor;
}

std::string without_padding(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

class Printer {
 public:
  /// `shape` is the tensor's, `texts` those of its elements or, where an axis is cut, of its edges.
  Printer(const Shape& shape, Texts texts, bool cut) : shape_(shape), texts_(std::move(texts)), cut_(cut) {}

  std::string print(std::size_t axis) {
    if (axis + 1 == shape_.size()) return print_row(axis);
    std::string text = "[";
    const std::string line_break = std::string(shape_.size() - axis - 1, '\n') + std::string(axis + 1, ' ');
    for (std::int64_t k = 0; k < kept(axis); ++k) {
      if (k > 0) text += line_break;
      if (is_gap(axis, k)) text += "..." + line_break;
      text += print(axis + 1);
    }
    return text + "]";
  }

 private:
  [[nodiscard]] bool is_cut(std::size_t axis) const { return cut_ && shape_[axis] > 2 * kEdgeItems; }
  [[nodiscard]] std::int64_t kept(std::size_t axis) const { return is_cut(axis) ? 2 * kEdgeItems : shape_[axis]; }
  [[nodiscard]] bool is_gap(std::size_t axis, std::int64_t k) const { return is_cut(axis) && k == kEdgeItems; }

  std::string print_row(std::size_t axis) {
    const std::string indent(axis + 1, ' ');
    std::string text;
    std::string line = "[";
    const auto add = [&](const std::string& item, bool first) {
      if (!first && line.size() + 1 + item.size() > kLineWidth - 1) {
        text += line + "\n";
        line = indent + item;
      } else {
        line += (first ? "" : " ") + item;
      }
    };
    for (std::int64_t k = 0; k < kept(axis); ++k) {
      if (is_gap(axis, k)) add("...", false);
      add(texts_[next_++], k == 0);
    }
    return text + line + "]";
  }

  const Shape& shape_;
  Texts texts_;
  bool cut_;
  std::size_t next_ = 0;
};

}  // namespace

std::string to_text(const Tensor& tensor) {
  if (tensor.size() == 0) return fmt::format("[] of shape {}", format_shape(tensor.shape()));
  if (tensor.rank() == 0) return without_padding(element_texts(tensor).front());
  const bool cut = tensor.size() > kPrintAll;
  return Printer(tensor.shape(), element_texts(cut ? keep_edges(tensor) : tensor), cut).print(0);
}

}  // namespace trntensor::cli
