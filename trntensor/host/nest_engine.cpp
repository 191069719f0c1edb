#include "trntensor/host/nest_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/nest_worker.hpp"
#include "trntensor/host/parallel.hpp"

namespace trntensor::host {
namespace {

constexpr double kWorkPerTask = 1 << 15;  // terms; some microseconds, against which the start of a task is little
constexpr double kWorkWorthThreads = 1 << 17;

}  // namespace

void NestEngine::run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context) const {
  check_stop(context.stop);
  if (setup_.is_empty) return;
  NestCall call(setup_, a, b, out, scale, context.stop);
  const NestPlan& plan = setup_.plan;
  const std::int64_t pieces = plan.tiles() * plan.parts;
  std::optional<Workspace> partials;
  if (plan.parts > 1) {
    partials.emplace(static_cast<std::size_t>(pieces * setup_.block_bytes()));
    call.partials = partials->data();
  }
  const double work_per_piece = std::max(plan.work(), 1.0) / static_cast<double>(pieces);
  const auto per_task = static_cast<std::int64_t>(std::max(1.0, kWorkPerTask / work_per_piece));
  const auto run_task = [&](std::int64_t task) {
    NestWorker worker(setup_, call);
    const std::int64_t end = std::min(pieces, (task + 1) * per_task);
    for (std::int64_t piece = task * per_task; piece < end; ++piece)
      worker.run_part(piece / plan.parts, piece % plan.parts);
    if (call.streams) vector_fence();
  };
  const std::int64_t tasks = ceil_div(pieces, per_task);
  const bool parallel = context.num_threads > 1 && tasks > 1 && plan.work() >= kWorkWorthThreads;
  with_threads(parallel ? context.num_threads : 1, [&] { parallel_for(parallel, tasks, run_task); });
  if (plan.parts == 1) return;
  NestWorker worker(setup_, call);
  for (std::int64_t tile = 0; tile < plan.tiles(); ++tile) worker.gather_parts(tile);
  if (call.streams) vector_fence();
}

std::string NestEngine::describe() const {
  if (setup_.is_empty) return "nothing";
  const NestPlan& plan = setup_.plan;
  std::string text = fmt::format("{} {}", plan.form == NestForm::kAcross ? "across" : "along", plan.run);
  if (plan.tile_rows() > 1) text += fmt::format(", tiles {}x{}x{}", plan.batch_tile, plan.m_tile, plan.n_tile);
  if (plan.k_tile > 1) text += fmt::format(", k {}", plan.k_tile);
  if (plan.parts > 1) text += fmt::format(", {} parts", plan.parts);
  return text;
}

}  // namespace trntensor::host
