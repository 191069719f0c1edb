// Contract tensors of your own: one call, any notation, any memory.
#include <cstdio>
#include <vector>

#include "trntensor/dispatch/einsum.hpp"

using trntensor::einsum;
using trntensor::Shape;
using trntensor::Strides;
using trntensor::Tensor;
using trntensor::TensorView;

namespace {

void print(const char* what, const Tensor& tensor) {
  std::printf("%-34s shape %-10s", what, trntensor::format_shape(tensor.shape()).c_str());
  for (const double value : tensor.to_vector<double>()) std::printf(" %g", value);
  std::printf("\n");
}

}  // namespace

int main() {
  const Tensor a = Tensor::from_values<double>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor b = Tensor::from_values<double>({3, 2}, {1, 0, 0, 1, 2, 2});

  const Tensor product = einsum("ij,jk->ik", {a, b});
  print("matrix product   ij,jk->ik", product);
  print("transposed       ij,jk->ki", einsum("ij,jk->ki", {a, b}));
  print("trace            ij,ji->", einsum("ij,ji->", {a, b}));
  print("row sums         ij->i", einsum("ij->i", {a}));
  print("outer product    i,j->ij", einsum("i,j->ij", {a.select(0, 0), b.select(1, 1)}));

  // Memory that belongs to you: every second column of a row-major array, read where it lies.
  const std::vector<double> mine = {1, -1, 2, -1, 3, -1, 4, -1, 5, -1, 6, -1};
  const TensorView every_second(mine.data(), trntensor::DType::kFloat64, Shape{2, 3}, Strides{6, 2});
  const Tensor same = einsum("ij,jk->ik", {every_second, b});
  print("the same, from memory of our own", same);

  // Add to what is there: sum = 10 * (a b) + 1 * sum.
  const Tensor sum = Tensor::full({2, 2}, 1.0, trntensor::DType::kFloat64);
  einsum("ij,jk->ik", {a, b}, {.alpha = 10.0, .beta = 1.0, .out = sum});
  print("10 a b + 1", sum);

  const bool right = product.to_vector<double>() == std::vector<double>{7, 8, 16, 17} &&
                     same.to_vector<double>() == product.to_vector<double>() &&
                     sum.to_vector<double>() == std::vector<double>{71, 81, 161, 171};
  return right ? 0 : 1;
}
