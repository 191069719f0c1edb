#include "trntensor/host/epilogue_run.hpp"

#include <algorithm>
#include <limits>
#include <mutex>

#include "trntensor/host/epilogue_kernels.hpp"
#include "trntensor/host/epilogue_space.hpp"
#include "trntensor/host/epilogue_turns.hpp"
#include "trntensor/host/epilogue_worker.hpp"
#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/parallel.hpp"

namespace trntensor::host {
namespace {

double start_of(const BlockSum& sum) { return sum.is_max ? -std::numeric_limits<double>::infinity() : 0.0; }

void join(const BlockSum& sum, const double* from, double* to) {
  for (std::int64_t k = 0; k < sum.elements; ++k) to[k] = sum.is_max ? larger(to[k], from[k]) : to[k] + from[k];
}

class Runner {
 public:
  Runner(const EpiloguePlan& plan, const EpilogueData& data, const RunContext& context, const BlockProgress& progress)
      : plan_(plan),
        data_(data),
        context_(context),
        progress_(progress),
        workers_(epilogue_workers(plan, context.num_threads)),
        tiles_(make_tiles(plan, workers_)),
        turns_(plan, tiles_) {
    for (const BlockSum& sum : plan.sums) {
      const std::size_t elements = to_size(sum.elements * sum.arrays + kRowSlack);
      sums_.push_back(allocate_aligned(elements * sizeof(double)));
      std::fill_n(array(sums_.size() - 1), elements, start_of(sum));
    }
  }

  void run() {
    check_stop(context_.stop);
    // One body per worker; a body takes tiles until there are none.
    with_threads(workers_, [&] { parallel_for(workers_ > 1, workers_, [&](std::int64_t) { work(); }); });
    finish();
  }

 private:
  [[nodiscard]] double* array(std::size_t sum) const { return reinterpret_cast<double*>(sums_[sum].get()); }

  void work() {
    std::vector<SumTurns::Turn> turns;
    std::int64_t next = turns_.take(turns);
    if (next < 0) return;
    try {
      BlockWorker worker(plan_, data_, tiles_.edge, workers_, context_.stop);
      for (; next >= 0; next = turns_.take(turns)) run_tile(worker, tiles_.tile(next), turns);
    } catch (...) {
      turns_.give_up();
      throw;
    }
  }

  void run_tile(BlockWorker& worker, const BlockTile& tile, const std::vector<SumTurns::Turn>& turns) {
    auto turn = turns.begin();
    visit_blocks(plan_, tile, [&](const Block& block, std::int64_t left, std::int64_t right) {
      check_stop(context_.stop);
      worker.run(block, tile, left, right);
      bool goes_on = true;
      visit_additions(plan_, block, [&](std::size_t sum, bool of_image) {
        const SumTurns::Turn own = turns.empty() ? SumTurns::Turn{} : *turn++;
        goes_on = goes_on && turns_.wait(own);
        if (!goes_on) return;
        worker.add_sum(block, plan_.sums[sum], of_image, array(sum));
        turns_.end(own);
      });
      if (goes_on) report();
      return goes_on;
    });
  }

  void report() {
    if (!progress_) return;
    const std::scoped_lock lock(progress_mutex_);
    progress_(++done_, tiles_.blocks);
  }

  /// Adds up the arrays of each sum in their order, and evaluates what is made of them.
  void finish() {
    const epilogue::Formula& formula = plan_.problem.formula;
    std::map<int, SpaceArray> known;
    for (std::size_t s = 0; s < plan_.sums.size(); ++s) {
      const BlockSum& sum = plan_.sums[s];
      for (std::int64_t k = 1; k < sum.arrays; ++k) join(sum, array(s) + k * sum.elements, array(s));
      known[sum.node] = {array(s), kept_strides(plan_.grid, sum), sum.elements};
    }
    std::vector<std::int64_t> begin(formula.element.size(), 0);
    std::vector<std::int64_t> extent;
    for (const Label label : formula.element) extent.push_back(plan_.grid.axes()[plan_.grid.axis_of(label)].extent);
    PassSpace space(plan_.problem, plan_.end_passes, formula.element, extent, TensorReads::kInPlace);
    space.run({begin, extent, nullptr, data_.tensors, data_.results, &known});
  }

  const EpiloguePlan& plan_;
  const EpilogueData& data_;
  const RunContext& context_;
  const BlockProgress& progress_;
  int workers_;
  BlockTiles tiles_;
  std::vector<AlignedBuffer> sums_;
  SumTurns turns_;
  std::mutex progress_mutex_;
  std::int64_t done_ = 0;
};

}  // namespace

void run_epilogue(const EpiloguePlan& plan, const EpilogueData& data, const RunContext& context,
                  const BlockProgress& progress) {
  Runner(plan, data, context, progress).run();
}

}  // namespace trntensor::host
