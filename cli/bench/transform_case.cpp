#include "cli/bench/transform_case.hpp"

#include <fmt/format.h>

#include <cstring>

#include "cli/bench/agreement.hpp"
#include "cli/bench/transform_loop.hpp"
#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/reference/reference.hpp"
#include "trntensor/tensor/convert.hpp"

namespace trntensor::cli::bench {
namespace {

constexpr const char* kSubscripts = "mi,na,mnP->iaP";

TransformData data_of(const TransformExtents& extents, DType dtype) {
  const auto [ao, occ, vir, aux] = extents;
  return {Tensor::empty({ao, occ}, dtype), Tensor::empty({ao, vir}, dtype), Tensor::empty({ao, ao, aux}, dtype),
          Tensor::zeros({occ, vir, aux}, dtype)};
}

class TransformSubject final : public Subject {
 public:
  TransformSubject(const Case& what, const TransformExtents& extents, const Surroundings& around)
      : data_(data_of(extents, what.dtype)), operands_{data_.C_occ, data_.C_vir, data_.eri} {
    fill_operands(Filling::kWholeNumbers);
    const auto contraction = std::make_shared<const Contraction>(
        kSubscripts, operands_, EinsumOptions{.num_threads = what.threads, .stop = around.stop});
    contestants_.push_back({"trntensor", contraction->describe(), [this, contraction](std::int64_t calls) {
                              for (std::int64_t call = 0; call < calls; ++call)
                                contraction->run_into(operands_, data_.B.mutable_view());
                            }});
    for (const PeerEntry& entry : around.peers) {
      if (entry.peer == nullptr) continue;
      const auto loop = std::make_shared<const TransformLoop>(data_, *entry.peer, what.threads);
      if (!*loop) continue;
      contestants_.push_back({entry.name, loop->describe(), [loop](std::int64_t calls) {
                                for (std::int64_t call = 0; call < calls; ++call) loop->run();
                              }});
    }
  }

  [[nodiscard]] std::span<const Contestant> contestants() const override { return contestants_; }

  std::optional<std::string> disagreement(std::vector<std::string>& compared) override {
    return disagreement_of_fillings([this](Filling filling) { return disagreement_of(filling); }, contestants_,
                                    loop_flops() <= kFewFlops, compared);
  }

 private:
  void fill_operands(Filling filling) {
    std::uint64_t seed = 1;
    for (const Tensor* tensor : {&data_.C_occ, &data_.C_vir, &data_.eri})
      fill(tensor->data(), tensor->dtype(), tensor->size(), filling, seed++);
  }

  /// Of one loop nest over all labels.
  [[nodiscard]] double loop_flops() const { return 2 * estimate_flops(kSubscripts, operands_); }

  /// Runs it on a result that is no number anywhere.
  Tensor result_of(const Contestant& contestant) {
    constexpr int kOnes = 0xff;
    std::memset(data_.B.data(), kOnes, static_cast<std::size_t>(data_.B.size()) * size_of(data_.B.dtype()));
    contestant.run(1);
    Tensor result = Tensor::empty(data_.B.shape(), data_.B.dtype());
    copy(data_.B, result.mutable_view());
    return result;
  }

  [[nodiscard]] std::optional<std::string> difference(const Tensor& ours, const Tensor& theirs, const std::string& name,
                                                      Filling filling) const {
    // Two sums of ao terms, one after the other, whatever the order; all terms together are ao^2.
    const auto ao = static_cast<double>(data_.ao());
    const double bound = difference_bound(ours.dtype(), 2 * ao + 4, ao * ao);
    const auto text = first_difference(ours.data(), theirs.data(), ours.dtype(), ours.size(), filling, bound);
    if (!text) return std::nullopt;
    return fmt::format("the results of trntensor and {} differ: {}", name, *text);
  }

  std::optional<std::string> disagreement_of(Filling filling) {
    fill_operands(filling);
    const Tensor ours = result_of(contestants_.front());
    for (const Contestant& contestant : std::span(contestants_).subspan(1)) {
      if (auto text = difference(ours, result_of(contestant), contestant.name, filling)) return text;
    }
    if (loop_flops() > kFewFlops) return std::nullopt;
    const Spec spec =
        parse_spec(kSubscripts, std::vector<Shape>{data_.C_occ.shape(), data_.C_vir.shape(), data_.eri.shape()});
    return difference(ours, reference::einsum(spec, operands_), "the reference loops", filling);
  }

  TransformData data_;
  std::vector<TensorView> operands_;
  std::vector<Contestant> contestants_;
};

}  // namespace

Case transform_case(std::string suite, const TransformExtents& extents, DType dtype, int threads) {
  const auto [ao, occ, vir, aux] = extents;
  Case result;
  result.suite = std::move(suite);
  result.name = fmt::format("{}x{}x{}x{}", ao, occ, vir, aux);
  result.subscripts = kSubscripts;
  result.dtype = dtype;
  result.threads = threads;
  result.flops = transform_flops(ao, occ, vir, aux);
  result.bytes =
      static_cast<double>(ao * (occ + vir) + (ao * ao + occ * vir) * aux) * static_cast<double>(size_of(dtype));
  result.make = [extents](const Case& what, const Surroundings& around) -> std::unique_ptr<Subject> {
    return std::make_unique<TransformSubject>(what, extents, around);
  };
  return result;
}

}  // namespace trntensor::cli::bench
