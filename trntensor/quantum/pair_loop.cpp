#include "trntensor/quantum/pair_loop.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "trntensor/support/aligned_memory.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/support/loop_order.hpp"

namespace trntensor::quantum {
namespace {

using TileShape = std::pair<std::int64_t, std::int64_t>;
using Steps = std::map<TileShape, std::unique_ptr<const PreparedStep>>;

/// iaP,jbP->iajb for `shape` = (extent of i, extent of j), into a packed block.
StepProblem tile_problem(const PairLoop& loop, TileShape shape) {
  enum : Label { kI, kA, kJ, kB, kP };
  const auto [rows, columns] = shape;
  const std::int64_t nvir = loop.B.shape()[1];
  const std::int64_t naux = loop.B.shape()[2];
  const Strides& strides = loop.B.strides();
  const OperandLayout left{
      loop.B.dtype(), loop.dtype, {{kI, rows, strides[0]}, {kA, nvir, strides[1]}, {kP, naux, strides[2]}}};
  const OperandLayout right{
      loop.B.dtype(), loop.dtype, {{kJ, columns, strides[0]}, {kB, nvir, strides[1]}, {kP, naux, strides[2]}}};
  const std::int64_t row = columns * nvir;
  const OperandLayout out{
      loop.dtype, loop.dtype, {{kI, rows, nvir * row}, {kA, nvir, row}, {kJ, columns, nvir}, {kB, nvir, 1}}};
  return {left, right, out, loop.dtype, false};
}

Steps prepare_steps(const PairLoop& loop, const PairTiling& tiling) {
  Steps steps;
  for (const PairTile& tile : tiling.tiles) {
    auto& step = steps[{tile.rows(), tile.columns()}];
    if (step == nullptr) step = loop.executor->prepare(tile_problem(loop, {tile.rows(), tile.columns()}));
  }
  return steps;
}

class Runner {
 public:
  Runner(const PairLoop& loop, const PairTiling& tiling)
      : loop_(loop), tiling_(tiling), steps_(prepare_steps(loop, tiling)) {
    const std::size_t nocc = loop.eps_occ.size();
    energies_.resize(nocc * nocc);
    total_ = static_cast<std::int64_t>(nocc * (nocc + 1) / 2);
    for (int worker = 0; worker < tiling.workers; ++worker) {
      blocks_.push_back(allocate_aligned(static_cast<std::size_t>(tiling.tile_bytes)));
    }
  }

  std::vector<PairEnergy> run() {
    // One body per block of memory; a body takes tiles until there are none, so no two ever share a block.
    oneapi::tbb::task_arena arena(tiling_.workers);
    arena.execute([&] {
      const auto one = [&self = *this](std::size_t worker) {
        const loop_order::Body in_order;
        self.work(self.blocks_[worker].get());
      };
      const loop_order::Loop loop;
      oneapi::tbb::parallel_for(std::size_t{0}, blocks_.size(), one, oneapi::tbb::simple_partitioner());
    });
    return std::move(energies_);
  }

 private:
  void work(std::byte* block) {
    try {
      for (std::size_t next = next_++; next < tiling_.tiles.size(); next = next_++)
        run_tile(tiling_.tiles[next], block);
    } catch (...) {
      next_ = tiling_.tiles.size();
      throw;
    }
  }

  void run_tile(const PairTile& tile, std::byte* block) {
    if (loop_.stop.stop_requested()) throw Error(ErrorKind::kCancelled, "the MP2 energy was cancelled");
    const TensorView left = loop_.B.slice(0, tile.i_begin, tile.i_end);
    const TensorView right = loop_.B.slice(0, tile.j_begin, tile.j_end);
    steps_.at({tile.rows(), tile.columns()})->run(left.data(), right.data(), block, Scale{}, RunContext{1, loop_.stop});
    if (loop_.dtype == DType::kFloat32) {
      reduce(tile, reinterpret_cast<const float*>(block));
    } else {
      reduce(tile, reinterpret_cast<const double*>(block));
    }
    report(tile.pairs());
  }

  template <typename T>
  void reduce(const PairTile& tile, const T* block) {
    const auto nvir = static_cast<std::int64_t>(loop_.eps_vir.size());
    const std::int64_t row_stride = tile.columns() * nvir;
    for (std::int64_t i = tile.i_begin; i < tile.i_end; ++i) {
      for (std::int64_t j = tile.j_begin; j < tile.j_end; ++j) {
        const double e_ij = loop_.eps_occ[static_cast<std::size_t>(i)] + loop_.eps_occ[static_cast<std::size_t>(j)];
        const T* const data = block + (i - tile.i_begin) * nvir * row_stride + (j - tile.j_begin) * nvir;
        const auto index = static_cast<std::size_t>(i) * loop_.eps_occ.size() + static_cast<std::size_t>(j);
        energies_[index] = pair_energy(PairBlock<T>{data, row_stride, nvir, e_ij, loop_.eps_vir.data()});
      }
    }
  }

  void report(std::int64_t pairs) {
    if (!loop_.progress) return;
    const std::scoped_lock lock(progress_mutex_);
    done_ += pairs;
    loop_.progress(done_, total_);
  }

  const PairLoop& loop_;
  const PairTiling& tiling_;
  Steps steps_;
  std::vector<AlignedBuffer> blocks_;
  std::vector<PairEnergy> energies_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex progress_mutex_;
  std::int64_t done_ = 0;
  std::int64_t total_ = 0;
};

}  // namespace

std::vector<PairEnergy> run_pair_loop(const PairLoop& loop, const PairTiling& tiling) {
  return Runner(loop, tiling).run();
}

}  // namespace trntensor::quantum
