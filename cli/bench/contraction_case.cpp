#include "cli/bench/contraction_case.hpp"

#include <fmt/format.h>

#include <cstring>

#include "cli/bench/agreement.hpp"
#include "cli/bench/ttgt.hpp"
#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/reference/reference.hpp"

namespace trntensor::cli::bench {
namespace {

Shape shape_of(const Contracted& contracted, const std::string& labels) {
  Shape shape;
  for (const char label : labels) shape.push_back(contracted.extents.at(label));
  return shape;
}

class ContractionSubject final : public Subject {
 public:
  ContractionSubject(Contracted contracted, int threads, Door door, std::span<const PeerEntry> peers)
      : contracted_(std::move(contracted)),
        a_(memory_of(contracted_.a)),
        b_(memory_of(contracted_.b)),
        c_(memory_of(contracted_.c)),
        operands_{view(a_, contracted_.a), view(b_, contracted_.b)} {
    fill_operands(Filling::kWholeNumbers);
    std::memset(c_.get(), 0, result_bytes());
    contestants_.push_back(door == Door::kContraction ? prepared(threads) : from_text(threads));
    if (door == Door::kEinsum) return;
    for (const PeerEntry& entry : peers) {
      if (entry.peer == nullptr) continue;
      if (auto contestant = of_peer(*entry.peer, threads)) contestants_.push_back(*std::move(contestant));
    }
  }

  [[nodiscard]] std::span<const Contestant> contestants() const override { return contestants_; }

  std::optional<std::string> disagreement(std::vector<std::string>& compared) override {
    return disagreement_of_fillings([this](Filling filling) { return disagreement_of(filling); }, contestants_,
                                    contracted_.flops() <= kFewFlops, compared);
  }

 private:
  [[nodiscard]] AlignedBuffer memory_of(const std::string& labels) const {
    return allocate_aligned(static_cast<std::size_t>(contracted_.size(labels)) * size_of(contracted_.dtype));
  }
  [[nodiscard]] TensorView view(const AlignedBuffer& memory, const std::string& labels) const {
    return {memory.get(), contracted_.dtype, shape_of(contracted_, labels)};
  }
  [[nodiscard]] std::size_t result_bytes() const {
    return static_cast<std::size_t>(contracted_.size(contracted_.c)) * size_of(contracted_.dtype);
  }

  void fill_operands(Filling filling) {
    fill(a_.get(), contracted_.dtype, contracted_.size(contracted_.a), filling, 1);
    fill(b_.get(), contracted_.dtype, contracted_.size(contracted_.b), filling, 2);
  }

  /// A peer that contracts tensors does so where this is no plain matrix product.
  std::optional<Contestant> of_peer(const Peer& peer, int threads) {
    const ContractionData data{a_.get(), b_.get(), c_.get()};
    const bool plain = gemm_roads(contracted_).front().moved_bytes == 0;
    auto direct = plain ? std::nullopt : peer.prepare_contraction(contracted_, data, threads);
    return direct ? std::move(direct) : best_ttgt(contracted_, data, peer, threads, workspace_);
  }

  Contestant prepared(int threads) {
    const auto contraction =
        std::make_shared<const Contraction>(contracted_.subscripts(), operands_, EinsumOptions{.num_threads = threads});
    const MutableTensorView out(c_.get(), contracted_.dtype, shape_of(contracted_, contracted_.c));
    return {"trntensor", contraction->describe(), [this, contraction, out](std::int64_t calls) {
              for (std::int64_t call = 0; call < calls; ++call) contraction->run_into(operands_, out);
            }};
  }

  Contestant from_text(int threads) {
    const EinsumOptions options{.num_threads = threads};
    return {"trntensor", "einsum from text",
            [this, options, subscripts = contracted_.subscripts()](std::int64_t calls) {
              Tensor result;
              for (std::int64_t call = 0; call < calls; ++call) result = einsum(subscripts, operands_, options);
              std::memcpy(c_.get(), result.data(), result_bytes());
            }};
  }

  /// Runs it on a result that is no number anywhere.
  void run_afresh(const Contestant& contestant) {
    constexpr int kOnes = 0xff;
    std::memset(c_.get(), kOnes, result_bytes());
    contestant.run(1);
    if (contestant.deliver) contestant.deliver();
  }

  [[nodiscard]] std::optional<std::string> difference_to(const void* result, const std::string& name,
                                                         Filling filling) const {
    const auto text = first_difference(result, c_.get(), contracted_.dtype, contracted_.size(contracted_.c), filling,
                                       difference_bound(contracted_.dtype, contracted_.terms()));
    if (!text) return std::nullopt;
    return fmt::format("the results of trntensor and {} differ: {}", name, *text);
  }

  std::optional<std::string> disagreement_of(Filling filling) {
    fill_operands(filling);
    run_afresh(contestants_.front());
    const AlignedBuffer ours = memory_of(contracted_.c);
    std::memcpy(ours.get(), c_.get(), result_bytes());
    for (const Contestant& contestant : std::span(contestants_).subspan(1)) {
      run_afresh(contestant);
      if (auto text = difference_to(ours.get(), contestant.name, filling)) return text;
    }
    if (contracted_.flops() > kFewFlops) return std::nullopt;
    const Spec spec = parse_spec(contracted_.subscripts(), std::vector<Shape>{shape_of(contracted_, contracted_.a),
                                                                              shape_of(contracted_, contracted_.b)});
    const Tensor right = reference::einsum(spec, operands_);
    std::memcpy(c_.get(), right.data(), result_bytes());
    return difference_to(ours.get(), "the reference loops", filling);
  }

  Contracted contracted_;
  AlignedBuffer a_;
  AlignedBuffer b_;
  AlignedBuffer c_;
  std::vector<TensorView> operands_;
  Workspace workspace_;
  std::vector<Contestant> contestants_;
};

}  // namespace

Case contraction_case(std::string suite, std::string name, const Contracted& contracted, int threads, Door door) {
  Case result;
  result.suite = std::move(suite);
  result.name = std::move(name);
  result.subscripts = contracted.subscripts();
  result.dtype = contracted.dtype;
  result.threads = threads;
  result.flops = contracted.flops();
  result.bytes = contracted.bytes();
  result.make = [contracted, door](const Case& what, const Surroundings& around) -> std::unique_ptr<Subject> {
    return std::make_unique<ContractionSubject>(contracted, what.threads, door, around.peers);
  };
  return result;
}

}  // namespace trntensor::cli::bench
