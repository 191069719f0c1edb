// How far the result of a plan can be from the exact one, before anything is computed.
#pragma once

#include "trntensor/plan/plan.hpp"

namespace trntensor::plan {

/// A number B such that |result - exact| <= B * S for every element, whatever the data: S is the same contraction of
/// the operands' absolute values (moduli of complex numbers) times |alpha|, plus |beta out|, and "exact" is the
/// contraction of the operands as they are given, alpha and beta. Moduli of complex errors. For numbers, products, sums
/// and results that leave the normal range of no type they are held in. 0 for integers and bool, 1e300 where nothing
/// can be said.
///
/// Counted: rounding the operands to the compute type; each step's sums as the routes of the host bound them
/// (docs/precision.md), with k of that step; alpha and beta; rounding intermediates and the result. Errors of steps
/// multiply as (1 + e1)(1 + e2) - 1 (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. 2002, section 3.1,
/// doi:10.1137/1.9780898718027). Held by tests/precision/error_bound_test.cpp.
double error_bound(const Plan::Contents& contents);

/// Half the distance from 1 to the next number: the relative error of rounding to nearest. 0 for bool and integers.
double unit_roundoff(DType dtype) noexcept;

}  // namespace trntensor::plan
