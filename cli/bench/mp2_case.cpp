#include "cli/bench/mp2_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/bench/agreement.hpp"
#include "cli/bench/mp2_loop.hpp"
#include "trntensor/quantum/mp2.hpp"

namespace trntensor::cli::bench {
namespace {

constexpr double kGap = 0.4;  ///< Hartree, between the highest occupied and the lowest virtual orbital

/// From `low` on, in equal steps to `high`.
Tensor ladder(std::int64_t count, double low, double high) {
  Tensor energies = Tensor::empty({count}, DType::kFloat64);
  for (std::int64_t i = 0; i < count; ++i)
    energies.data_as<double>()[i] = low + (high - low) * static_cast<double>(i) / static_cast<double>(count);
  return energies;
}

Mp2Input input_of(std::int64_t occ, std::int64_t vir, std::int64_t aux, DType dtype) {
  Mp2Input input{Tensor::empty({occ, vir, aux}, dtype), ladder(occ, -2.0, -kGap / 2), ladder(vir, kGap / 2, 3.0)};
  fill(input.B.data(), dtype, input.B.size(), Filling::kReals, 1);
  return input;
}

double flops_of(std::int64_t occ, std::int64_t vir, std::int64_t aux) {
  const double pairs = static_cast<double>(occ) * static_cast<double>(occ + 1) / 2;
  return 2 * pairs * static_cast<double>(vir) * static_cast<double>(vir) * static_cast<double>(aux);
}

/// Over all i, j, a and b, sums in long double.
template <typename T>
PairTerms plain_loops(const Mp2Input& input) {
  const auto* const B = input.B.data_as<T>();
  const auto element = [&](std::int64_t i, std::int64_t a, std::int64_t j, std::int64_t b) {
    long double sum = 0;
    for (std::int64_t p = 0; p < input.aux(); ++p) {
      sum += static_cast<long double>(B[(i * input.vir() + a) * input.aux() + p]) *
             static_cast<long double>(B[(j * input.vir() + b) * input.aux() + p]);
    }
    return sum;
  };
  const auto* const occupied = input.eps_occ.data_as<double>();
  const auto* const virtuals = input.eps_vir.data_as<double>();
  long double opposite = 0;
  long double same = 0;
  for (std::int64_t i = 0; i < input.occ(); ++i) {
    for (std::int64_t j = 0; j < input.occ(); ++j) {
      for (std::int64_t a = 0; a < input.vir(); ++a) {
        for (std::int64_t b = 0; b < input.vir(); ++b) {
          const long double here = element(i, a, j, b);
          const double denominator = occupied[i] + occupied[j] - virtuals[a] - virtuals[b];
          opposite += here * here / denominator;
          same += here * (here - element(i, b, j, a)) / denominator;
        }
      }
    }
  }
  return {static_cast<double>(opposite), static_cast<double>(same)};
}

class Mp2Subject final : public Subject {
 public:
  Mp2Subject(const Case& what, Mp2Input input, const Surroundings& around)
      : flops_(what.flops), input_(std::move(input)) {
    Mp2Options options;
    options.num_threads = what.threads;
    options.stop = around.stop;
    contestants_.push_back({"trntensor", "mp2_energy", [this, options](std::int64_t calls) {
                              for (std::int64_t call = 0; call < calls; ++call) {
                                const Mp2Result result = mp2_energy(input_.B, input_.eps_occ, input_.eps_vir, options);
                                result_ = {result.opposite_spin, result.same_spin};
                              }
                            }});
    for (const PeerEntry& entry : around.peers) {
      if (entry.peer != nullptr) add(*entry.peer, what.threads, around.stop);
    }
  }

  [[nodiscard]] std::span<const Contestant> contestants() const override { return contestants_; }

  std::optional<std::string> disagreement(std::vector<std::string>& compared) override {
    contestants_.front().run(1);
    const PairTerms ours = result_;
    for (const Contestant& contestant : std::span(contestants_).subspan(1)) {
      result_ = {std::nan(""), std::nan("")};
      contestant.run(1);
      if (auto text = difference(ours, result_, contestant.name)) return text;
      compared.push_back(contestant.name);
    }
    if (flops_ > kFewFlops) return std::nullopt;
    const bool narrow = input_.B.dtype() == DType::kFloat32;
    compared.emplace_back("reference");
    return difference(ours, narrow ? plain_loops<float>(input_) : plain_loops<double>(input_), "the reference loops");
  }

 private:
  void add(const Peer& peer, int threads, const std::stop_token& stop) {
    const auto loop = best_mp2_loop(input_, peer, threads, stop);
    if (loop == nullptr) return;
    contestants_.push_back({peer.name(), loop->describe(), [this, loop](std::int64_t calls) {
                              for (std::int64_t call = 0; call < calls; ++call) result_ = loop->run();
                            }});
  }

  [[nodiscard]] std::optional<std::string> difference(const PairTerms& ours, const PairTerms& theirs,
                                                      const std::string& name) const {
    const auto differ = [&](const char* which, double one, double other) -> std::optional<std::string> {
      const auto pairs = static_cast<double>(input_.occ() * input_.vir());
      const double larger = std::max(std::abs(one), std::abs(other));
      const double bound = mp2_difference_bound(larger, pairs * pairs, 2 * kGap, input_.aux(), input_.B.dtype());
      if (std::abs(one - other) <= bound) return std::nullopt;
      return fmt::format(
          "the results of trntensor and {} differ: the {} energy is {:.17g} and {:.17g}, and may differ by {:.1e}",
          name, which, one, other, bound);
    };
    const auto text = differ("opposite-spin", ours.opposite_spin, theirs.opposite_spin);
    return text ? text : differ("same-spin", ours.same_spin, theirs.same_spin);
  }

  double flops_;
  Mp2Input input_;
  PairTerms result_;
  std::vector<Contestant> contestants_;
};

}  // namespace

double mp2_difference_bound(double energy, double terms, double gap, std::int64_t aux, DType dtype) {
  const double twice_delta = difference_bound(dtype, aux);
  return 8 * twice_delta * std::sqrt(std::abs(energy) * terms / gap) + 2 * twice_delta * twice_delta * terms / gap;
}

Case mp2_case(std::string suite, std::int64_t occ, std::int64_t vir, std::int64_t aux, DType dtype, int threads) {
  Case result;
  result.suite = std::move(suite);
  result.name = fmt::format("{}x{}x{}", occ, vir, aux);
  result.subscripts = "iaP,jbP->iajb";
  result.dtype = dtype;
  result.threads = threads;
  result.flops = flops_of(occ, vir, aux);
  result.bytes = static_cast<double>(occ * vir * aux) * static_cast<double>(size_of(dtype));
  result.make = [=](const Case& what, const Surroundings& around) -> std::unique_ptr<Subject> {
    return std::make_unique<Mp2Subject>(what, input_of(occ, vir, aux, dtype), around);
  };
  return result;
}

}  // namespace trntensor::cli::bench
