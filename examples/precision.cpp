// Asking for an error instead of a precision, and rounding that does not lose small steps.
#include <cmath>
#include <iostream>

#include "trntensor/dispatch/einsum.hpp"

int main() {
  using namespace trntensor;

  // The cheapest precision that is certain to keep the error below 1e-6 sum |a b|.
  const Tensor a = Tensor::full({64, 512}, 0.1, DType::kFloat32);
  const Tensor b = Tensor::full({512, 64}, 0.3, DType::kFloat32);
  const PrecisionChoice choice = select_precision_for_error("ij,jk->ik", {a, b}, 1e-6);
  std::cout << "1e-6 needs precision " << to_string(choice.precision) << ", which is certain to be below "
            << choice.error_bound << '\n';
  const Tensor product = einsum("ij,jk->ik", {a, b}, {.target_forward_error = 1e-6});
  const double exact = 512.0 * double{0.1F} * double{0.3F};
  const double error = std::abs(product.to_vector<double>().front() - exact) / exact;
  if (!(error <= choice.error_bound)) return 1;

  // 4096 small steps added to a float16: to nearest each is lost, stochastically their sum is right on average.
  const Tensor step = Tensor::full({1000}, 0x1p-12, DType::kFloat16);
  const Tensor nearest = Tensor::full({1000}, 1.0, DType::kFloat16);
  const Tensor stochastic = nearest.clone();
  for (std::uint64_t n = 0; n < 4096; ++n) {
    einsum("i->i", {step}, {.beta = 1.0, .out = nearest});
    einsum("i->i", {step}, {.beta = 1.0, .out = stochastic, .precision = Precision::kStochastic, .seed = n});
  }
  const auto mean = [](const Tensor& tensor) {
    return einsum("i->", {tensor}, {.alpha = 1e-3}).to_vector<double>()[0];
  };
  std::cout << "1 and 4096 steps of 1/4096: " << mean(nearest) << " to nearest, " << mean(stochastic)
            << " stochastically\n";
  return mean(nearest) == 1.0 && std::abs(mean(stochastic) - 2.0) < 0.01 ? 0 : 1;
}
