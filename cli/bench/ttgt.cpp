#include "cli/bench/ttgt.hpp"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <memory>

#include "cli/bench/measure.hpp"
#include "trntensor/host/unary_step.hpp"

namespace trntensor::cli::bench {
namespace {

/// A dense tensor of the labels as an operand; label numbers are the characters.
OperandLayout layout_of(const Contracted& contracted, const std::string& labels) {
  OperandLayout layout;
  layout.dtype = contracted.dtype;
  layout.load_as = contracted.dtype;
  for (const char label : labels) layout.axes.push_back({label, contracted.extents.at(label), 0});
  pack_axes(layout);
  return layout;
}

/// Copies `from` to `to`, which has the same labels in another order; null when it is the same order.
std::shared_ptr<const PreparedStep> transpose(const Contracted& contracted, const std::string& from,
                                              const std::string& to) {
  if (from == to) return nullptr;
  StepProblem problem;
  problem.a = layout_of(contracted, from);
  problem.out = layout_of(contracted, to);
  problem.accumulator = accumulator_type(contracted.dtype);
  return host::prepare_unary(problem);
}

/// One road made ready.
class Ttgt {
 public:
  Ttgt(const Contracted& contracted, const GemmRoad& road, Gemm gemm, int threads)
      : road_(road), gemm_(std::move(gemm)) {
    context_.num_threads = threads;
    moves_ = {transpose(contracted, contracted.a, road.a), transpose(contracted, contracted.b, road.b),
              transpose(contracted, road.c, contracted.c)};
  }

  [[nodiscard]] bool is_plain() const { return !moves_[0] && !moves_[1] && !moves_[2]; }

  [[nodiscard]] std::string describe() const {
    if (is_plain()) return gemm_.kernel;
    std::string moved;
    constexpr std::array<const char*, 3> kNames = {" a", " b", " c"};
    for (std::size_t place = 0; place < kNames.size(); ++place) {
      if (moves_[place]) moved += kNames[place];
    }
    return fmt::format("{}, transposes{}", gemm_.kernel, moved);
  }

  void reserve(const Contracted& contracted, Workspace& workspace) const {
    const std::array<const std::string*, 3> orders = {&road_.a, &road_.b, &road_.c};
    for (std::size_t place = 0; place < orders.size(); ++place) {
      if (moves_[place])
        workspace.reserve(place,
                          contracted.size(*orders[place]) * static_cast<std::int64_t>(size_of(contracted.dtype)));
    }
  }

  void run(const ContractionData& data, const Workspace& workspace, std::int64_t calls) const {
    if (is_plain()) {
      multiply(data.a, data.b, data.c, calls);
      return;
    }
    for (std::int64_t call = 0; call < calls; ++call) {
      const void* a = data.a;
      const void* b = data.b;
      if (moves_[0]) a = move(0, data.a, workspace.at(0));
      if (moves_[1]) b = move(1, data.b, workspace.at(1));
      multiply(a, b, moves_[2] ? workspace.at(2) : data.c, 1);
      if (moves_[2]) move(2, workspace.at(2), data.c);
    }
  }

 private:
  void multiply(const void* a, const void* b, void* c, std::int64_t calls) const {
    if (road_.exchanged) std::swap(a, b);
    gemm_.run({a, b, c, calls});
  }

  const void* move(std::size_t place, const void* from, void* to) const {
    moves_[place]->run(from, nullptr, to, Scale{}, context_);
    return to;
  }

  GemmRoad road_;
  Gemm gemm_;
  RunContext context_;
  std::array<std::shared_ptr<const PreparedStep>, 3> moves_;
};

}  // namespace

void Workspace::reserve(std::size_t place, std::int64_t bytes) {
  if (bytes <= sizes_[place]) return;
  buffers_[place].reset();
  buffers_[place] = allocate_aligned(static_cast<std::size_t>(bytes));
  // The system gives the pages now, not in the first call that is timed.
  std::memset(buffers_[place].get(), 0, static_cast<std::size_t>(bytes));
  sizes_[place] = bytes;
}

std::optional<Contestant> best_ttgt(const Contracted& contracted, const ContractionData& data, const Peer& peer,
                                    int threads, Workspace& workspace) {
  // Where the product takes most of the time the roads hardly differ: the one that moves least is taken untried.
  constexpr double kManyFlops = 5e10;
  const int most = contracted.flops() > kManyFlops ? 1 : 6;
  std::shared_ptr<const Ttgt> best;
  double best_seconds = std::numeric_limits<double>::infinity();
  int tried = 0;
  for (const GemmRoad& road : gemm_roads(contracted)) {
    if (tried == most) break;
    Gemm gemm = peer.prepare(road.gemm, threads);
    if (!gemm) continue;
    ++tried;
    auto ttgt = std::make_shared<const Ttgt>(contracted, road, std::move(gemm), threads);
    ttgt->reserve(contracted, workspace);
    const double seconds = most == 1 ? 0 : best_of_three([&] { ttgt->run(data, workspace, 1); });
    if (seconds >= best_seconds) continue;
    best_seconds = seconds;
    best = std::move(ttgt);
  }
  if (!best) return std::nullopt;
  const std::string name = best->is_plain() ? peer.name() : fmt::format("ttgt+{}", peer.name());
  return Contestant{name, best->describe(),
                    [best, data, &workspace](std::int64_t calls) { best->run(data, workspace, calls); }};
}

}  // namespace trntensor::cli::bench
