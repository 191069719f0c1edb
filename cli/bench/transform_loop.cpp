#include "cli/bench/transform_loop.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trntensor::cli::bench {

double transform_flops(std::int64_t ao, std::int64_t occ, std::int64_t vir, std::int64_t aux, bool occupied_first) {
  const auto first = static_cast<double>(occupied_first ? occ : vir);
  const double half = static_cast<double>(ao) * static_cast<double>(ao) * first * static_cast<double>(aux);
  const double whole =
      static_cast<double>(ao) * static_cast<double>(occ) * static_cast<double>(vir) * static_cast<double>(aux);
  return 2 * (half + whole);
}

double transform_flops(std::int64_t ao, std::int64_t occ, std::int64_t vir, std::int64_t aux) {
  return std::min(transform_flops(ao, occ, vir, aux, true), transform_flops(ao, occ, vir, aux, false));
}

TransformLoop::TransformLoop(const TransformData& data, const Peer& peer, int threads)
    : data_(data), occupied_first_(data.occ() <= data.vir()) {
  const DType dtype = data.eri.dtype();
  const std::int64_t left = occupied_first_ ? data.ao() : data.vir();
  // [occ, ao] times [ao, (ao or vir) aux]; [vir, ao] times [ao, aux].
  one_ = peer.prepare({dtype, data.occ(), left * data.aux(), data.ao(), true, false, 1}, threads);
  if (one_) each_ = peer.prepare({dtype, data.vir(), data.aux(), data.ao(), true, false, 1}, threads);
  if (!*this) return;
  // The system gives the pages now, not in the first call that is timed.
  half_ = occupied_first_ ? Tensor::zeros({data.occ(), data.ao(), data.aux()}, dtype)
                          : Tensor::zeros({data.ao(), data.vir(), data.aux()}, dtype);
}

std::string TransformLoop::describe() const {
  return fmt::format("{}, {} orbitals first", one_.kernel, occupied_first_ ? "occupied" : "virtual");
}

void TransformLoop::run_occupied_first() const {
  const auto item = static_cast<std::int64_t>(size_of(data_.eri.dtype()));
  one_.run({data_.C_occ.data(), data_.eri.data(), half_.data(), 1});
  const auto* const half = static_cast<const std::byte*>(half_.data());
  auto* const result = static_cast<std::byte*>(data_.B.data());
  for (std::int64_t i = 0; i < data_.occ(); ++i) {
    each_.run({data_.C_vir.data(), half + i * data_.ao() * data_.aux() * item,
               result + i * data_.vir() * data_.aux() * item, 1});
  }
}

void TransformLoop::run_virtual_first() const {
  const auto item = static_cast<std::int64_t>(size_of(data_.eri.dtype()));
  const auto* const eri = static_cast<const std::byte*>(data_.eri.data());
  auto* const half = static_cast<std::byte*>(half_.data());
  for (std::int64_t m = 0; m < data_.ao(); ++m) {
    each_.run({data_.C_vir.data(), eri + m * data_.ao() * data_.aux() * item,
               half + m * data_.vir() * data_.aux() * item, 1});
  }
  one_.run({data_.C_occ.data(), half_.data(), data_.B.data(), 1});
}

void TransformLoop::run() const {
  if (occupied_first_) {
    run_occupied_first();
  } else {
    run_virtual_first();
  }
}

}  // namespace trntensor::cli::bench
