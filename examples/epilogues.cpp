// Formulas on the result of a contraction that is never held: three of them, each beside a way that holds it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/dispatch/epilogue.hpp"
#include "trntensor/support/random.hpp"

using namespace trntensor;
using epilogue::element;
using epilogue::sum;
using epilogue::tensor;

namespace {

constexpr std::int64_t kOccupied = 6;
constexpr std::int64_t kVirtual = 20;
constexpr std::int64_t kAuxiliary = 50;

Tensor uniform(const Shape& shape, Random& random, double low, double high) {
  const Tensor values = Tensor::empty(shape, DType::kFloat64);
  for (std::int64_t k = 0; k < values.size(); ++k) values.data_as<double>()[k] = random.uniform(low, high);
  return values;
}

bool agree(const char* what, double ours, double other, double tolerance) {
  const double error = std::abs(ours - other) / std::abs(other);
  std::printf("%-40s %18.12f, other way %18.12f, relative difference %.1e\n", what, ours, other, error);
  return error < tolerance;
}

/// Fitted integrals and orbital energies of nothing in particular.
struct Molecule {
  Tensor B;
  Tensor occupied;
  Tensor virtuals;

  [[nodiscard]] double evaluate(const Expression& formula) const {
    return einsum_with_epilogue("iaP,jbP->iajb", {B, B}, formula, {{"e", occupied}, {"f", virtuals}}).item<double>();
  }
};

/// e_i + e_j - e_a - e_b, always negative.
Expression denominator() { return tensor("e", "i") + tensor("e", "j") - tensor("f", "a") - tensor("f", "b"); }

/// MP2 and its opposite-spin part by loops over the whole (ia|jb).
void hold_everything(const Molecule& molecule, double& mp2, double& opposite_spin) {
  const Tensor x = einsum("iaP,jbP->iajb", {molecule.B, molecule.B});
  for (std::int64_t i = 0; i < kOccupied; ++i)
    for (std::int64_t a = 0; a < kVirtual; ++a)
      for (std::int64_t j = 0; j < kOccupied; ++j)
        for (std::int64_t b = 0; b < kVirtual; ++b) {
          const double d = molecule.occupied.at<double>({i}) + molecule.occupied.at<double>({j}) -
                           molecule.virtuals.at<double>({a}) - molecule.virtuals.at<double>({b});
          const double iajb = x.at<double>({i, a, j, b});
          mp2 += iajb * (2 * iajb - x.at<double>({i, b, j, a})) / d;
          opposite_spin += iajb * iajb / d;
        }
}

/// 1/y = integral of exp(-y t) over t > 0, by the trapezoidal rule in u with t = exp(u - exp(-u)): for y between 2 and
/// 12 forty points are far more than enough. Source of the idea: Almlof, Chem. Phys. Lett. 181 (1991) 319.
Expression laplace_inverse_denominator() {
  Expression inverse = 0.0;
  constexpr double kStep = 0.2;
  for (int k = -20; k < 20; ++k) {
    const double u = kStep * k;
    const double t = std::exp(u - std::exp(-u));
    if (t > 20) continue;  // exp(-2 * 20) is nothing
    inverse = inverse - kStep * t * (1 + std::exp(-u)) * epilogue::exp(t * denominator());
  }
  return inverse;
}

/// Rows of scaled scores as probabilities: softmax(s q k^T).
Expression softmax(double s) {
  const Expression x = s * element();
  const Expression shifted = epilogue::exp(x - epilogue::max("j", x));
  return shifted / sum("j", shifted);
}

bool show_softmax(Random& random) {
  const Tensor q = uniform({100, 16}, random, -1, 1);
  const Tensor k = uniform({300, 16}, random, -1, 1);
  const Tensor p = einsum_with_epilogue("id,jd->ij", {q, k}, softmax(0.25));
  const Tensor x = einsum("id,jd->ij", {q, k});
  double denominator_of_row = 0;
  for (std::int64_t j = 0; j < 300; ++j) denominator_of_row += std::exp(0.25 * x.at<double>({7, j}));
  return agree("softmax, element (7, 3)", p.at<double>({7, 3}),
               std::exp(0.25 * x.at<double>({7, 3})) / denominator_of_row, 1e-13);
}

}  // namespace

int main() {
  Random random(11);
  const Molecule molecule{uniform({kOccupied, kVirtual, kAuxiliary}, random, -0.5, 0.5),
                          uniform({kOccupied}, random, -3, -1), uniform({kVirtual}, random, 0.1, 3)};
  double mp2 = 0;
  double opposite_spin = 0;
  hold_everything(molecule, mp2, opposite_spin);

  const Expression x = element();
  const Expression energy = sum("iajb", x * (2 * x - element("ibja")) / denominator());
  const Expression sos = 1.3 * sum("iajb", x * x / denominator());
  const Expression laplace = 1.3 * sum("iajb", x * x * laplace_inverse_denominator());
  std::printf("MP2: %s\n", energy.to_string().c_str());
  bool right = agree("closed-shell MP2", molecule.evaluate(energy), mp2, 1e-12);
  right &= agree("SOS-MP2", molecule.evaluate(sos), 1.3 * opposite_spin, 1e-12);
  right &= agree("SOS-MP2 by Laplace transform", molecule.evaluate(laplace), 1.3 * opposite_spin, 1e-6);
  right &= show_softmax(random);
  return right ? 0 : 1;
}
