#include "trntensor/host/epilogue_run.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

#include "trntensor/host/epilogue_kernels.hpp"
#include "trntensor/host/epilogue_space.hpp"
#include "trntensor/host/epilogue_worker.hpp"
#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/parallel.hpp"

namespace trntensor::host {
namespace {

double start_of(const BlockSum& sum) { return sum.is_max ? -std::numeric_limits<double>::infinity() : 0.0; }

void join(const BlockSum& sum, const double* from, double* to) {
  for (std::int64_t k = 0; k < sum.elements; ++k) {
    if (!sum.is_max) {
      to[k] += from[k];
    } else if (from[k] > to[k] || std::isnan(from[k])) {
      to[k] = from[k];
    }
  }
}

class Runner {
 public:
  Runner(const EpiloguePlan& plan, const EpilogueData& data, const RunContext& context, const BlockProgress& progress)
      : plan_(plan),
        data_(data),
        context_(context),
        progress_(progress),
        workers_(epilogue_workers(plan, context.num_threads)),
        tiles_(make_tiles(plan, workers_)) {
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
    std::int64_t next = next_++;
    if (next >= tiles_.count()) return;
    BlockWorker worker(plan_, data_, tiles_.edge, workers_, context_.stop);
    try {
      for (; next < tiles_.count(); next = next_++) {
        run_tile(worker, tiles_.tile(next));
      }
    } catch (...) {
      next_ = tiles_.count();
      throw;
    }
  }

  void run_tile(BlockWorker& worker, const BlockTile& tile) {
    for (std::int64_t right = tile.right_begin; right < tile.right_end; ++right) {
      for (std::int64_t left = tile.left_begin; left < tile.left_end; ++left) {
        const Block block = plan_.grid.block(tile.batch, left, right);
        if (!is_computed(plan_, block)) continue;
        check_stop(context_.stop);
        worker.run(block, tile, left, right);
        for (std::size_t s = 0; s < plan_.sums.size(); ++s) worker.keep_sum(block, plan_.sums[s], array(s));
        report();
      }
    }
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
    PassSpace space(plan_.problem, plan_.end_passes, formula.element, extent);
    space.run({begin, extent, nullptr, data_.tensors, data_.results, &known});
  }

  const EpiloguePlan& plan_;
  const EpilogueData& data_;
  const RunContext& context_;
  const BlockProgress& progress_;
  int workers_;
  BlockTiles tiles_;
  std::vector<AlignedBuffer> sums_;
  std::atomic<std::int64_t> next_ = 0;
  std::mutex progress_mutex_;
  std::int64_t done_ = 0;
};

}  // namespace

void run_epilogue(const EpiloguePlan& plan, const EpilogueData& data, const RunContext& context,
                  const BlockProgress& progress) {
  Runner(plan, data, context, progress).run();
}

}  // namespace trntensor::host
