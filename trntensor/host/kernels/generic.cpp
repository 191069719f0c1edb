#include "trntensor/host/kernels/generic.hpp"

#include <complex>
#include <cstring>
#include <type_traits>

#include "trntensor/host/kernels/scaled.hpp"
#include "trntensor/host/kernels/two_sum.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/tensor/convert_element.hpp"

namespace trntensor::host {
namespace {

constexpr int kMR = 4;
constexpr int kNR = 8;

std::int64_t column_offset(const KernelArgs& args, std::int64_t column) {
  constexpr std::int64_t kPiece = kNR / 2;
  return args.pieces[column / kPiece] + column % kPiece;
}

/// Products of real types and, as unsigned numbers, of integers modulo 2^32 and 2^64.
template <typename T>
void gemm_real(const KernelArgs& args) {
  const T* a = static_cast<const T*>(args.a);
  const T* b = static_cast<const T*>(args.b);
  T* c = static_cast<T*>(args.c);
  T acc[kMR][kNR] = {};
  for (std::int64_t p = 0; p < args.k; ++p, a += kMR, b += kNR) {
    for (int i = 0; i < kMR; ++i) {
      for (int j = 0; j < kNR; ++j) acc[i][j] += a[i] * b[j];
    }
  }
  const T alpha = *static_cast<const T*>(args.alpha);
  const T beta = *static_cast<const T*>(args.beta);
  for (std::int64_t i = 0; i < args.row_count; ++i) {
    T* row = c + args.rows[i];
    for (std::int64_t j = 0; j < args.column_count; ++j) {
      T* to = row + column_offset(args, j);
      T value = alpha * acc[i][j];
      if (beta != T{0}) value += beta * load_element<T>(to);
      store_element(to, value);
    }
  }
}

template <typename Real>
void gemm_complex(const KernelArgs& args) {
  using Complex = std::complex<Real>;
  const Real* a = static_cast<const Real*>(args.a);
  const Real* b = static_cast<const Real*>(args.b);
  Real* c = static_cast<Real*>(args.c);
  Real re[kMR][kNR] = {};
  Real im[kMR][kNR] = {};
  for (std::int64_t p = 0; p < args.k; ++p, a += 2 * kMR, b += 2 * kNR) {
    for (int i = 0; i < kMR; ++i) {
      for (int j = 0; j < kNR; ++j) {
        re[i][j] += a[2 * i] * b[j] - a[2 * i + 1] * b[kNR + j];
        im[i][j] += a[2 * i] * b[kNR + j] + a[2 * i + 1] * b[j];
      }
    }
  }
  const auto alpha = load_element<Complex>(args.alpha);
  const auto beta = load_element<Complex>(args.beta);
  for (std::int64_t i = 0; i < args.row_count; ++i) {
    for (std::int64_t j = 0; j < args.column_count; ++j) {
      Real* to = c + 2 * (args.rows[i] + column_offset(args, j));
      Complex value = scaled(alpha, Complex(re[i][j], im[i][j]));
      if (beta != Real{0}) value += scaled(beta, load_element<Complex>(to));
      store_element(to, value);
    }
  }
}

/// The sum at `numbers`, `distance` apart, += a * b.
template <class Sum>
void add_product(double a, double b, double* numbers, std::int64_t distance) {
  Sum sum = Sum::load(numbers, distance);
  sum.multiply_add(a, b);
  sum.store(numbers, distance);
}

/// `Sum` is CompensatedSum or TripleSum, the tile holds as many numbers of each.
template <class Sum>
void gemm_compensated(const KernelArgs& args) {
  const double* a = static_cast<const double*>(args.a);
  const double* b = static_cast<const double*>(args.b);
  double* sums = static_cast<double*>(args.c);
  constexpr std::int64_t kDistance = kMR * kNR;
  if (*static_cast<const double*>(args.beta) == 0.0) std::memset(sums, 0, kDistance * sizeof(Sum));
  for (std::int64_t p = 0; p < args.k; ++p, a += kMR, b += kNR) {
    for (int i = 0; i < kMR; ++i) {
      for (int j = 0; j < kNR; ++j) add_product<Sum>(a[i], b[j], sums + i * kNR + j, kDistance);
    }
  }
}

template <class Sum>
void gemm_complex_compensated(const KernelArgs& args) {
  const double* a = static_cast<const double*>(args.a);
  const double* b = static_cast<const double*>(args.b);
  double* sums = static_cast<double*>(args.c);
  constexpr std::int64_t kDistance = 2 * kMR * kNR;
  if (*static_cast<const double*>(args.beta) == 0.0) std::memset(sums, 0, kDistance * sizeof(Sum));
  for (std::int64_t p = 0; p < args.k; ++p, a += 2 * kMR, b += 2 * kNR) {
    for (int i = 0; i < kMR; ++i) {
      for (int j = 0; j < kNR; ++j) {
        double* re = sums + 2 * (i * kNR + j);
        double* im = re + 1;
        add_product<Sum>(a[2 * i], b[j], re, kDistance);
        add_product<Sum>(-a[2 * i + 1], b[kNR + j], re, kDistance);
        add_product<Sum>(a[2 * i], b[kNR + j], im, kDistance);
        add_product<Sum>(a[2 * i + 1], b[j], im, kDistance);
      }
    }
  }
}

/// One panel. `kParts` numbers an element; with `kSplit` a step holds the first parts of all lanes, then the second
/// parts.
template <typename T, int kWidth, int kParts, bool kSplit>
void pack_panel(const PackArgs& args, std::int64_t lane) {
  const T* source = static_cast<const T*>(args.source);
  T* panel = static_cast<T*>(args.panel) + kParts * lane * args.steps->count;
  const std::int64_t* lanes = args.lanes->offsets + args.first_lane + lane;
  for (std::int64_t p = 0; p < args.steps->count; ++p, panel += kParts * kWidth) {
    for (std::int64_t i = 0; i < kWidth; ++i) {
      for (int part = 0; part < kParts; ++part) {
        const bool is_there = lane + i < args.lane_count;
        T* to = panel + (kSplit ? part * kWidth + i : kParts * i + part);
        *to = is_there ? load_element<T>(source + kParts * (args.steps->offsets[p] + lanes[i]) + part) : T{0};
      }
    }
  }
}

template <typename T, int kWidth, int kParts, bool kSplit>
void pack(const PackArgs& args) {
  for (std::int64_t lane = 0; lane < args.lane_count; lane += kWidth) {
    pack_panel<T, kWidth, kParts, kSplit>(args, lane);
  }
}

template <typename T>
KernelFunctions real_kernel(MicroKernel run) {
  return {kMR, kNR, kNR, false, true, {run}, &pack<T, kMR, 1, false>, &pack<T, kNR, 1, false>};
}

template <typename Real>
KernelFunctions complex_kernel(MicroKernel run) {
  return {kMR, kNR, kNR, false, true, {run}, &pack<Real, kMR, 2, false>, &pack<Real, kNR, 2, true>};
}

template <class Sum>
KernelFunctions compensated_kernel(DType dtype) {
  return dtype == DType::kFloat64 ? real_kernel<double>(&gemm_compensated<Sum>)
                                  : complex_kernel<double>(&gemm_complex_compensated<Sum>);
}

}  // namespace

KernelFunctions generic_kernel(DType dtype, int compensated) {
  if (compensated == 1) return compensated_kernel<CompensatedSum>(dtype);
  if (compensated == 2) return compensated_kernel<TripleSum>(dtype);
  switch (dtype) {
    case DType::kFloat32:
      return real_kernel<float>(&gemm_real<float>);
    case DType::kFloat64:
      return real_kernel<double>(&gemm_real<double>);
    case DType::kInt32:
      return real_kernel<std::uint32_t>(&gemm_real<std::uint32_t>);
    case DType::kInt64:
      return real_kernel<std::uint64_t>(&gemm_real<std::uint64_t>);
    case DType::kComplex64:
      return complex_kernel<float>(&gemm_complex<float>);
    case DType::kComplex128:
      return complex_kernel<double>(&gemm_complex<double>);
    default:
      throw Error(ErrorKind::kInternal, "no generic kernel for " + std::string(to_string(dtype)));
  }
}

}  // namespace trntensor::host
