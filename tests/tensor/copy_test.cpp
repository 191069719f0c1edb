// Whole-tensor copies of any layout to any other, against one element at a time.
#include <gtest/gtest.h>

#include "tests/common/expect_error.hpp"
#include "trntensor/support/random.hpp"
#include "trntensor/tensor/convert.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor {
namespace {

using testing::expect_error;

// A view of the shape over fresh memory with permuted, reversed, stepped, unaligned or (for sources) repeated elements.
Tensor random_layout(Random& random, const Shape& shape, DType dtype, bool may_repeat) {
  const auto rank = static_cast<int>(shape.size());
  std::vector<int> axes;
  for (int axis = 0; axis < rank; ++axis) axes.insert(axes.begin() + random.integer(0, axis), axis);
  std::vector<std::int64_t> steps;
  Shape allocated;
  for (const int axis : axes) {
    steps.push_back(random.integer(0, 3) == 0 ? 2 : 1);
    const bool repeats = may_repeat && random.integer(0, 7) == 0;
    allocated.push_back(repeats ? 1 : std::max<std::int64_t>(1, shape[static_cast<std::size_t>(axis)] * steps.back()));
  }
  const std::int64_t item = static_cast<std::int64_t>(size_of(dtype));
  Tensor bytes = Tensor::zeros({checked_size(allocated) * item + 16}, DType::kUInt8);
  auto* first = static_cast<std::byte*>(bytes.data()) + random.integer(0, 15);
  Tensor tensor = Tensor::borrow(MutableTensorView(first, dtype, allocated), std::make_shared<Tensor>(bytes));
  Shape stepped;
  for (int d = 0; d < rank; ++d) {
    const std::int64_t extent = shape[static_cast<std::size_t>(axes[static_cast<std::size_t>(d)])];
    if (tensor.extent(d) > 1 || extent == 0)
      tensor = tensor.slice(d, 0, extent * steps[static_cast<std::size_t>(d)], steps[static_cast<std::size_t>(d)]);
    if (random.integer(0, 2) == 0) tensor = tensor.reverse(d);
    stepped.push_back(extent);
  }
  std::vector<int> back(axes.size());
  for (int d = 0; d < rank; ++d) back[static_cast<std::size_t>(axes[static_cast<std::size_t>(d)])] = d;
  return tensor.broadcast_to(stepped).permute(back);
}

// Calls function(indices) for each element in row-major order.
template <typename Function>
void for_each_index(const Shape& shape, Function&& function) {
  Shape index(shape.size(), 0);
  for (std::int64_t left = checked_size(shape); left > 0; --left) {
    function(index);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
}

std::byte* address(const Tensor& tensor, const Shape& index) {
  std::int64_t position = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis) position += index[axis] * tensor.strides()[axis];
  return static_cast<std::byte*>(tensor.data()) + position * static_cast<std::int64_t>(size_of(tensor.dtype()));
}

TEST(Copy, EqualsOneElementAtATimeOnRandomLayouts) {
  constexpr std::uint64_t kSeed = 11;
  Random random(kSeed);
  constexpr DType kTypes[] = {DType::kInt8, DType::kFloat16, DType::kFloat32, DType::kFloat64, DType::kComplex128};
  for (int trial = 0; trial < 3000; ++trial) {
    Shape shape;
    for (std::int64_t axes = random.integer(0, 5); axes > 0; --axes) {
      shape.push_back(random.integer(0, 19) == 0 ? 0 : random.integer(1, shape.size() < 2 ? 40 : 4));
    }
    const Tensor source = random_layout(random, shape, kTypes[random.integer(0, 4)], true);
    const Tensor target = random_layout(random, shape, kTypes[random.integer(0, 4)], false);
    visit_dtype(source.dtype(), [&]<typename T>(std::type_identity<T>) {
      for_each_index(shape, [&](const Shape& index) {
        store_element(address(source, index), convert_element<T>(random.integer(-100, 100)));
      });
    });
    copy(source, target.mutable_view());
    for_each_index(shape, [&](const Shape& index) {
      std::complex<double> expected;
      std::complex<double> actual;
      std::byte converted[16];
      convert_run(address(source, index), source.dtype(), 1, converted, target.dtype(), 1, 1);
      convert_run(converted, target.dtype(), 1, &expected, DType::kComplex128, 1, 1);
      convert_run(address(target, index), target.dtype(), 1, &actual, DType::kComplex128, 1, 1);
      ASSERT_EQ(actual, expected) << "seed " << kSeed << ", trial " << trial << ": shape " << format_shape(shape)
                                  << ", strides " << format_shape(source.strides()) << " to "
                                  << format_shape(target.strides()) << " at " << format_shape(index);
    });
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(Copy, WithinOneBufferIsAsIfCopiedAside) {
  const Tensor a = Tensor::from_values<int>({6}, {1, 2, 3, 4, 5, 6});
  copy(a.slice(0, 0, 5), a.slice(0, 1, 6).mutable_view());
  EXPECT_EQ(a.to_vector<int>(), (std::vector{1, 1, 2, 3, 4, 5}));
  copy(a.reverse(0), a.mutable_view());
  EXPECT_EQ(a.to_vector<int>(), (std::vector{5, 4, 3, 2, 1, 1}));
  const Tensor m = Tensor::from_values<int>({2, 2}, {1, 2, 3, 4});
  copy(m.permute({1, 0}), m.mutable_view());
  EXPECT_EQ(m.to_vector<int>(), (std::vector{1, 3, 2, 4}));
}

TEST(Copy, RefusesDifferentShapes) {
  const Tensor a = Tensor::zeros({2, 3}, DType::kFloat32);
  expect_error(ErrorKind::kInvalidArgument, {"(2, 3)", "(3, 2)"},
               [&] { copy(a, Tensor::zeros({3, 2}, DType::kFloat32).mutable_view()); });
}

TEST(Copy, RefusesMemoryOnADevice) {
  float memory[2] = {};
  const Tensor host = Tensor::zeros({2}, DType::kFloat32);
  const MutableTensorView device(memory, DType::kFloat32, {2}, Device{DeviceType::kNeuron, 1});
  expect_error(ErrorKind::kInvalidArgument, {"neuron:1"}, [&] { copy(host, device); });
  expect_error(ErrorKind::kInvalidArgument, {"neuron:1"}, [&] { copy(device, host.mutable_view()); });
}

}  // namespace
}  // namespace trntensor
