// Random tensors of any type over memory of any shape, the same for a seed on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <memory>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "trntensor/support/random.hpp"
#include "trntensor/tensor/convert_element.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor::testing {

/// How the elements lie in memory.
enum class StrideKind {
  kContiguous,
  kPermuted,    ///< C order of some permutation of the axes
  kStepped,     ///< gaps between the elements
  kReversed,    ///< some strides negative
  kZero,        ///< some strides 0 (operands only)
  kMisaligned,  ///< C order at an address that is no multiple of the element's size
  kAny,         ///< any of the above at once
};

/// What the elements are.
enum class ValueKind {
  kSmallIntegers,  ///< whole numbers in [-3, 3] ([0, 6] unsigned), in complex both parts: sums are exact
  kNormal,         ///< standard normal; integers of their whole range
  kSpecials,       ///< standard normal with NaN and infinities, one in a hundred or up to three in all; integers of
                   ///< their whole range
};

struct RandomTensorOptions {
  StrideKind strides = StrideKind::kAny;
  ValueKind values = ValueKind::kNormal;
  bool writable = false;  ///< no two indices share an element
};

/// "float32 (2, 3) strides (1, 2), address 4 mod 64".
inline std::string describe(const TensorView& tensor) {
  std::ostringstream text;
  text << to_string(tensor.dtype()) << ' ' << format_shape(tensor.shape()) << " strides "
       << format_shape(tensor.strides()) << ", address " << reinterpret_cast<std::uintptr_t>(tensor.data()) % 64
       << " mod 64";
  return text.str();
}

namespace detail {

inline double random_normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

inline double random_real(Random& random, ValueKind kind, bool is_signed) {
  if (kind == ValueKind::kSmallIntegers) return static_cast<double>(random.integer(0, 6) - (is_signed ? 3 : 0));
  return random_normal(random);
}

inline double random_special(Random& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto which = random.integer(0, 4);
  return which == 0 ? std::numeric_limits<double>::quiet_NaN() : which < 3 ? kInfinity : -kInfinity;
}

/// What a special element is: in complex numbers one part or both.
template <typename T>
T special_element(Random& random) {
  if constexpr (trntensor::detail::kIsComplex<T>) {
    const auto parts = random.integer(0, 2);
    const double re = parts == 0 ? random_normal(random) : random_special(random);
    const double im = parts == 1 ? random_normal(random) : random_special(random);
    return convert_element<T>(std::complex<double>(re, im));
  } else {
    return convert_element<T>(random_special(random));
  }
}

template <typename T>
T random_element(Random& random, ValueKind kind) {
  if constexpr (std::is_same_v<T, bool>) {
    return random.uniform() < 0.3;
  } else if constexpr (std::is_integral_v<T>) {
    if (kind == ValueKind::kSmallIntegers) return convert_element<T>(random_real(random, kind, std::is_signed_v<T>));
    return static_cast<T>(random());
  } else if constexpr (trntensor::detail::kIsComplex<T>) {
    const double real = random_real(random, kind, true);
    return convert_element<T>(std::complex<double>(real, random_real(random, kind, true)));
  } else {
    return convert_element<T>(random_real(random, kind, true));
  }
}

/// Strides with the features of the kind; `offset` is the element of index 0, `count` the elements of memory needed.
class LayoutGenerator {
 public:
  LayoutGenerator(Random& random, const RandomTensorOptions& options) : random_(random), options_(options) {}

  void run(const Shape& shape) {
    strides_.resize(shape.size());
    std::vector<std::size_t> order(shape.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (wants(StrideKind::kPermuted)) {
      for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(i) - 1))]);
      }
    }
    const bool stepped = wants(StrideKind::kStepped);
    const bool reversed = wants(StrideKind::kReversed);
    const bool zero = !options_.writable && wants(StrideKind::kZero);
    for (std::size_t i = order.size(); i-- > 0;) place(order[i], shape[order[i]], stepped, reversed, zero);
  }

  [[nodiscard]] const Strides& strides() const { return strides_; }
  [[nodiscard]] std::int64_t offset() const { return offset_; }
  [[nodiscard]] std::int64_t count() const { return count_; }

  bool wants(StrideKind kind) {
    if (options_.strides != StrideKind::kAny) return options_.strides == kind;
    return random_.uniform() < (kind == StrideKind::kPermuted ? 0.5 : 0.25);
  }

 private:
  void place(std::size_t axis, std::int64_t extent, bool stepped, bool reversed, bool zero) {
    if (zero && random_.uniform() < 0.4) {
      strides_[axis] = 0;
      return;
    }
    const std::int64_t steps = std::max<std::int64_t>(extent, 1) - 1;
    strides_[axis] = count_ * (stepped ? random_.integer(1, 3) : 1);
    count_ += steps * strides_[axis];
    if (stepped) count_ += random_.integer(0, 2);
    if (reversed && random_.uniform() < 0.6) {
      offset_ += steps * strides_[axis];
      strides_[axis] = -strides_[axis];
    }
  }

  Random& random_;
  const RandomTensorOptions& options_;
  Strides strides_;
  std::int64_t offset_ = 0;
  std::int64_t count_ = 1;
};

inline std::byte* address_of(const MutableTensorView& tensor, std::int64_t n) {
  std::int64_t offset = 0;
  for (std::size_t axis = tensor.shape().size(); axis-- > 0;) {
    offset += n % tensor.shape()[axis] * tensor.strides()[axis];
    n /= tensor.shape()[axis];
  }
  return tensor.bytes() + offset * static_cast<std::int64_t>(size_of(tensor.dtype()));
}

inline void fill(const MutableTensorView& tensor, Random& random, ValueKind kind) {
  const std::int64_t size = tensor.size();
  visit_dtype(tensor.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (std::int64_t n = 0; n < size; ++n) store_element<T>(address_of(tensor, n), random_element<T>(random, kind));
    if constexpr (!std::is_integral_v<T>) {
      if (kind != ValueKind::kSpecials || size == 0) return;
      // Few, so that sums meet infinities of one sign alone; or many.
      const std::int64_t count = random.uniform() < 0.5 ? random.integer(0, 3) : size / 100;
      for (std::int64_t i = 0; i < count; ++i) {
        store_element<T>(address_of(tensor, random.integer(0, size - 1)), special_element<T>(random));
      }
    }
  });
}

}  // namespace detail

/// A tensor over memory of its own. What lies between its elements is filled with the byte 0xFF, which is NaN in every
/// floating type, so that a kernel that reads there shows.
inline Tensor random_tensor(Random& random, const Shape& shape, DType dtype, const RandomTensorOptions& options = {}) {
  detail::LayoutGenerator layout(random, options);
  layout.run(shape);
  constexpr std::size_t kAlignment = 64;
  const std::size_t item = size_of(dtype);
  const auto shift = layout.wants(StrideKind::kMisaligned) ? static_cast<std::size_t>(random.integer(1, 63)) : 0;
  const std::size_t bytes = shift + static_cast<std::size_t>(layout.count()) * item;
  const std::shared_ptr<std::byte> memory(static_cast<std::byte*>(::operator new(bytes, std::align_val_t{kAlignment})),
                                          [](std::byte* p) { ::operator delete(p, std::align_val_t{kAlignment}); });
  std::memset(memory.get(), 0xFF, bytes);
  std::byte* first = memory.get() + shift + static_cast<std::size_t>(layout.offset()) * item;
  const MutableTensorView view(first, dtype, shape, layout.strides());
  detail::fill(view, random, options.values);
  return Tensor::borrow(view, memory);
}

}  // namespace trntensor::testing
