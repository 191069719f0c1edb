// The same contraction many times on new data: plan once, run in a loop, write into memory that is there.
//
// Power iteration for the dominant eigenvalue of a symmetric matrix built from a three-index tensor,
// A = sum_P L[i,P] L[j,P], without ever forming A: y_i = sum_jP L[i,P] L[j,P] x_j.
#include <cmath>
#include <cstdio>

#include "trntensor/dispatch/contraction.hpp"
#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/support/random.hpp"

using namespace trntensor;

int main() {
  constexpr std::int64_t kRows = 60;
  constexpr std::int64_t kFactors = 20;
  Random random(7);
  const Tensor L = Tensor::empty({kRows, kFactors}, DType::kFloat64);
  for (std::int64_t k = 0; k < L.size(); ++k) L.data_as<double>()[k] = random.uniform(-1, 1);

  const Tensor x = Tensor::full({kRows}, 1.0, DType::kFloat64);
  const Tensor y = Tensor::zeros({kRows}, DType::kFloat64);
  const Contraction apply("iP,jP,j->i", {L, L, x});  // planned and prepared here, once
  const Contraction dot("i,i->", {x, y});
  std::printf("%s\n", apply.plan().to_table().c_str());

  double eigenvalue = 0;
  for (int iteration = 0; iteration < 2000; ++iteration) {
    apply.run_into({L, L, x}, y.mutable_view());
    eigenvalue = dot({x, y}).item<double>() / dot({x, x}).item<double>();
    const double norm = std::sqrt(dot({y, y}).item<double>());
    einsum("i->i", {y}, {.alpha = 1.0 / norm, .out = x});
  }
  apply.run_into({L, L, x}, y.mutable_view());
  double residual = 0;  // |A x - eigenvalue x|
  for (std::int64_t i = 0; i < kRows; ++i) {
    residual = std::hypot(residual, y.at<double>({i}) - eigenvalue * x.at<double>({i}));
  }
  std::printf("largest eigenvalue %.12f, residual %.1e\n", eigenvalue, residual);
  return residual < 1e-9 * eigenvalue ? 0 : 1;
}
