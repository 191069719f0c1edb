// DF-MP2 by the loops of its definition, and random problems to compare with.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "tests/common/expect_error.hpp"
#include "tests/quantum/mp2_tolerance.hpp"
#include "trntensor/quantum/mp2.hpp"
#include "trntensor/support/random.hpp"

namespace trntensor::testing {

/// B[nocc,nvir,naux] with elements in [-0.5, 0.5), occupied energies in [-3, -1), virtual ones in [0.1, 2).
struct Mp2Problem {
  Tensor B;
  Tensor eps_occ;
  Tensor eps_vir;

  Mp2Result energy(const Mp2Options& options = {}) const { return mp2_energy(B, eps_occ, eps_vir, options); }
};

inline Tensor random_tensor(Shape shape, Random& random, double low, double high) {
  Tensor tensor = Tensor::empty(std::move(shape), DType::kFloat64);
  for (std::int64_t k = 0; k < tensor.size(); ++k) tensor.data_as<double>()[k] = random.uniform(low, high);
  return tensor;
}

inline Mp2Problem random_problem(std::int64_t nocc, std::int64_t nvir, std::int64_t naux, std::uint64_t seed = 1) {
  Random random(seed);
  Tensor B = random_tensor({nocc, nvir, naux}, random, -0.5, 0.5);
  Tensor eps_occ = random_tensor({nocc}, random, -3.0, -1.0);
  Tensor eps_vir = random_tensor({nvir}, random, 0.1, 2.0);
  return {std::move(B), std::move(eps_occ), std::move(eps_vir)};
}

struct Mp2Parts {
  double opposite_spin = 0;
  double same_spin = 0;
};

/// The definition, one pair (i, j): sums over a, b of T^2/D and of T (T - T^t)/D.
inline Mp2Parts oracle_pair(const Mp2Problem& problem, std::int64_t i, std::int64_t j) {
  const std::int64_t nvir = problem.B.extent(1);
  const auto element = [&](std::int64_t a, std::int64_t b) {
    double sum = 0;
    for (std::int64_t p = 0; p < problem.B.extent(2); ++p) {
      sum += problem.B.at<double>({i, a, p}) * problem.B.at<double>({j, b, p});
    }
    return sum;
  };
  Mp2Parts parts;
  for (std::int64_t a = 0; a < nvir; ++a) {
    for (std::int64_t b = 0; b < nvir; ++b) {
      const double t = element(a, b);
      const double denominator = problem.eps_occ.at<double>({i}) + problem.eps_occ.at<double>({j}) -
                                 problem.eps_vir.at<double>({a}) - problem.eps_vir.at<double>({b});
      parts.opposite_spin += t * t / denominator;
      parts.same_spin += t * (t - element(b, a)) / denominator;
    }
  }
  return parts;
}

/// Over all ordered pairs of the orbitals from `n_frozen` on.
inline Mp2Parts oracle_energy(const Mp2Problem& problem, std::int64_t n_frozen = 0) {
  Mp2Parts total;
  for (std::int64_t i = n_frozen; i < problem.B.extent(0); ++i) {
    for (std::int64_t j = n_frozen; j < problem.B.extent(0); ++j) {
      const Mp2Parts pair = oracle_pair(problem, i, j);
      total.opposite_spin += pair.opposite_spin;
      total.same_spin += pair.same_spin;
    }
  }
  return total;
}

}  // namespace trntensor::testing
