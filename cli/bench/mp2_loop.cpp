#include "cli/bench/mp2_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "cli/bench/measure.hpp"
#include "trntensor/host/parallel.hpp"

namespace trntensor::cli::bench {

Mp2Loop::Mp2Loop(const Mp2Input& input, const Peer& peer, int threads, std::int64_t width, std::stop_token stop)
    : input_(input), threads_(threads), width_(width), stop_(std::move(stop)) {
  const std::int64_t vir = input.vir();
  for (std::int64_t count = 1; count <= width && complete_; ++count) {
    products_[count] = peer.prepare({input.B.dtype(), vir, count * vir, input.aux(), false, true, 1}, threads);
    complete_ = static_cast<bool>(products_[count]);
  }
  // The system gives the pages now, not in the first call that is timed.
  if (complete_) block_ = Tensor::zeros({vir, width, vir}, input.B.dtype());
}

std::string Mp2Loop::describe() const {
  return fmt::format("{}, {} pair{} a product", products_.at(width_).kernel, width_, width_ == 1 ? "" : "s");
}

template <typename T>
PairTerms Mp2Loop::sum_pairs(std::int64_t i, std::int64_t j, std::int64_t count) const {
  const std::int64_t vir = input_.vir();
  const std::int64_t tiles = (vir + kPairTile - 1) / kPairTile;
  const auto* const eps_occ = input_.eps_occ.data_as<double>();
  std::vector<PairTerms> parts(static_cast<std::size_t>(count * tiles));
  const auto one = [&](std::int64_t part) {
    const std::int64_t pair = part / tiles;
    const T* const data = block_.data_as<T>() + pair * vir;
    parts[static_cast<std::size_t>(part)] =
        pair_terms(PairT<T>{data, count * vir, vir, eps_occ[i] + eps_occ[j + pair], input_.eps_vir.data_as<double>()},
                   part % tiles);
  };
  host::with_threads(threads_, [&] { host::parallel_for(threads_ > 1, count * tiles, one); });
  PairTerms sum;
  for (std::int64_t part = 0; part < count * tiles; ++part) {
    const double weight = j + part / tiles == i ? 1 : 2;
    sum.opposite_spin += weight * parts[static_cast<std::size_t>(part)].opposite_spin;
    sum.same_spin += weight * parts[static_cast<std::size_t>(part)].same_spin;
  }
  return sum;
}

PairTerms Mp2Loop::run_pairs(std::int64_t i, std::int64_t j, std::int64_t count) const {
  const std::int64_t bytes = input_.vir() * input_.aux() * static_cast<std::int64_t>(size_of(input_.B.dtype()));
  const auto* const first = static_cast<const std::byte*>(input_.B.data());
  products_.at(count).run({first + i * bytes, first + j * bytes, block_.data(), 1});
  return input_.B.dtype() == DType::kFloat32 ? sum_pairs<float>(i, j, count) : sum_pairs<double>(i, j, count);
}

PairTerms Mp2Loop::run() const {
  PairTerms sum;
  const std::int64_t occ = input_.occ();
  for (std::int64_t i = 0; i < occ; ++i) {
    host::check_stop(stop_);
    for (std::int64_t j = i; j < occ; j += width_) {
      const PairTerms terms = run_pairs(i, j, std::min(width_, occ - j));
      sum.opposite_spin += terms.opposite_spin;
      sum.same_spin += terms.same_spin;
    }
  }
  return sum;
}

double Mp2Loop::seconds_of_a_pair() const {
  return best_of_three([&] { static_cast<void>(run_pairs(0, 0, width_)); }) / static_cast<double>(width_);
}

std::shared_ptr<const Mp2Loop> best_mp2_loop(const Mp2Input& input, const Peer& peer, int threads,
                                             const std::stop_token& stop) {
  std::shared_ptr<const Mp2Loop> best;
  double best_seconds = std::numeric_limits<double>::infinity();
  for (const std::int64_t width : {1, 4, 16}) {
    if (width > 1 && width > input.occ()) break;
    host::check_stop(stop);
    auto loop = std::make_shared<const Mp2Loop>(input, peer, threads, width, stop);
    if (!*loop) return nullptr;
    const double seconds = loop->seconds_of_a_pair();
    if (seconds >= best_seconds) continue;
    best_seconds = seconds;
    best = std::move(loop);
  }
  return best;
}

}  // namespace trntensor::cli::bench
