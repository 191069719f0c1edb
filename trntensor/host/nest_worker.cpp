#include "trntensor/host/nest_worker.hpp"

#include <algorithm>
#include <cstring>

#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/nest_cascade.hpp"
#include "trntensor/host/parallel.hpp"

namespace trntensor::host {
NestWorker::NestWorker(const NestSetup& setup, const NestCall& call)
    : setup_(setup),
      plan_(setup.plan),
      kernels_(*setup.kernels),
      call_(call),
      a_(setup.load_a, call.a, call.a_in_place, &GroupAxis::a) {
  if (setup.load_b) b_.emplace(*setup.load_b, call.b, call.b_in_place, &GroupAxis::b);
  WorkspaceCutter counter;
  carve(counter);
  workspace_.emplace(counter.used());
  WorkspaceCutter cutter(workspace_->data());
  carve(cutter);
}

void NestWorker::carve(WorkspaceCutter& cutter) {
  a_.carve(cutter, plan_, plan_.batch_tile * plan_.m_tile);
  if (b_) b_->carve(cutter, plan_, plan_.batch_tile * plan_.n_tile);
  const auto rows = static_cast<std::size_t>(plan_.tile_rows());
  batch_offsets_ = cutter.take<std::int64_t>(static_cast<std::size_t>(plan_.batch_tile));
  inner_offsets_ = cutter.take<std::int64_t>(static_cast<std::size_t>(std::max(plan_.m_tile, plan_.n_tile)));
  out_offsets_ = cutter.take<std::int64_t>(rows);
  a_firsts_ = cutter.take<std::int64_t>(rows);
  b_firsts_ = cutter.take<std::int64_t>(rows);
  scratch_ = cutter.take<std::byte>(RunTransfer::kScratchBytes);
  out_values_ = cutter.take<std::byte>(static_cast<std::size_t>(plan_.tile_sums() * setup_.item()));
  const std::int64_t leaves = ceil_div(ceil_div(plan_.units, plan_.parts), plan_.units_per_leaf);
  blocks_ = cutter.take<std::byte>(static_cast<std::size_t>(setup_.block_bytes() * NestCascade::blocks_for(leaves)));
}

void NestWorker::fill_pairs(const Group& inner, Stretch stretch, OperandStride stride, std::int64_t* offsets) const {
  fill_offsets(plan_.batch, stride, batch_.begin, {batch_offsets_, static_cast<std::size_t>(batch_.count)});
  fill_offsets(inner, stride, stretch.begin, {inner_offsets_, static_cast<std::size_t>(stretch.count)});
  for (std::int64_t c = 0; c < batch_.count; ++c) {
    for (std::int64_t i = 0; i < stretch.count; ++i) *offsets++ = batch_offsets_[c] + inner_offsets_[i];
  }
}

void NestWorker::locate(std::int64_t tile) {
  const auto take = [&](std::int64_t size, std::int64_t block) {
    const std::int64_t blocks = ceil_div(size, block);
    const std::int64_t begin = tile % blocks * block;
    tile /= blocks;
    return Stretch{begin, std::min(block, size - begin)};
  };
  if (plan_.form == NestForm::kAcross) run_ = take(plan_.vector.extent, plan_.run);
  n_ = take(plan_.n_size, plan_.n_tile);
  m_ = take(plan_.m_size, plan_.m_tile);
  batch_ = take(plan_.batch_size, plan_.batch_tile);
  rows_ = batch_.count * m_.count * n_.count;
  fill_pairs(plan_.m, m_, &GroupAxis::a, a_.offsets());
  a_.set_count(batch_.count * m_.count);
  if (b_) {
    fill_pairs(plan_.n, n_, &GroupAxis::b, b_->offsets());
    b_->set_count(batch_.count * n_.count);
  }
  // a_firsts_ serves as scratch here: the offsets of (batch, n) in out, to which those of m are added.
  fill_pairs(plan_.n, n_, &GroupAxis::out, a_firsts_);
  fill_offsets(plan_.m, &GroupAxis::out, m_.begin, {inner_offsets_, static_cast<std::size_t>(m_.count)});
  for (std::int64_t i = 0, row = 0; i < batch_.count * n_.count; ++i) {
    for (std::int64_t p = 0; p < m_.count; ++p) out_offsets_[row++] = a_firsts_[i] + inner_offsets_[p];
  }
}

void NestWorker::run_part(std::int64_t tile, std::int64_t part) {
  locate(tile);
  std::byte* const sums = sum_units(plan_.units * part / plan_.parts, plan_.units * (part + 1) / plan_.parts);
  if (plan_.parts > 1) {
    std::memcpy(call_.partials + (tile * plan_.parts + part) * setup_.block_bytes(), sums,
                static_cast<std::size_t>(setup_.block_bytes()));
  } else if (!call_.out_in_place) {
    store(sums);
  }
}

void NestWorker::gather_parts(std::int64_t tile) {
  locate(tile);
  std::byte* const first = call_.partials + tile * plan_.parts * setup_.block_bytes();
  for (std::int64_t step = 1; step < plan_.parts; step *= 2) {
    for (std::int64_t p = 0; p + step < plan_.parts; p += 2 * step) {
      combine(first + p * setup_.block_bytes(), first + (p + step) * setup_.block_bytes());
    }
  }
  store(first);
}

std::byte* NestWorker::sum_units(std::int64_t begin, std::int64_t end) {
  const std::int64_t leaves = ceil_div(end - begin, plan_.units_per_leaf);
  if (leaves <= 1) {
    sum_leaf(begin, end, blocks_);
    return blocks_;
  }
  NestCascade cascade(blocks_, setup_.block_bytes(), leaves);
  const auto add = [this](std::byte* acc, const std::byte* other) { combine(acc, other); };
  for (std::int64_t unit = begin; unit < end; unit += plan_.units_per_leaf) {
    sum_leaf(unit, std::min(end, unit + plan_.units_per_leaf), cascade.next());
    cascade.push(add);
  }
  return cascade.total(add);
}

void NestWorker::sum_leaf(std::int64_t begin, std::int64_t end, std::byte* block) {
  if (begin == end) {
    kernels_.clear(block, plan_.form == NestForm::kAcross ? rows_ * run_.count : rows_);
    return;
  }
  for (std::int64_t unit = begin; unit < end; ++unit) {
    check_stop(call_.stop);
    if (plan_.form == NestForm::kAcross) {
      add_across(unit, unit == begin, block);
    } else {
      add_along(unit, unit == begin, block);
    }
  }
}

std::byte* NestWorker::sums_of_row(std::byte* block, std::int64_t row) const {
  if (call_.out_in_place) return call_.out + (out_offsets_[row] + run_.begin) * setup_.item();
  return block + row * setup_.bytes_of_sums(run_.count);
}

void NestWorker::add_across(std::int64_t unit, bool fresh, std::byte* block) {
  const std::int64_t k_begin = unit * plan_.k_tile;
  const std::int64_t k_count = std::min(plan_.k_tile, plan_.k_size - k_begin);
  const bool b_is_vector = b_ && plan_.vector.b != 0;
  const bool a_is_vector = plan_.vector.a != 0 || !b_is_vector;
  const std::int64_t n = run_.count;
  a_.load(plan_, k_begin, k_count, run_.begin, a_is_vector ? n : 1, scratch_);
  if (b_) b_->load(plan_, k_begin, k_count, run_.begin, b_is_vector ? n : 1, scratch_);
  std::int64_t row = 0;
  for (std::int64_t c = 0; c < batch_.count; ++c) {
    for (std::int64_t q = 0; q < n_.count; ++q) {
      for (std::int64_t p = 0; p < m_.count; ++p, ++row) {
        std::byte* const sums = sums_of_row(block, row);
        const Rows a_rows{a_.base() + a_.first(c * m_.count + p) * setup_.item(), a_.steps()};
        if (!b_) {
          kernels_.add_rows(sums, n, fresh, a_rows, k_count);
          continue;
        }
        const Rows b_rows{b_->base() + b_->first(c * n_.count + q) * setup_.item(), b_->steps()};
        if (a_is_vector && b_is_vector) {
          kernels_.multiply_rows(sums, n, fresh, a_rows, b_rows, k_count);
        } else if (a_is_vector) {
          kernels_.scale_rows(sums, n, fresh, a_rows, b_rows, k_count);
        } else {
          kernels_.scale_rows(sums, n, fresh, b_rows, a_rows, k_count);
        }
      }
    }
  }
}

void NestWorker::add_along(std::int64_t unit, bool fresh, std::byte* block) {
  const std::int64_t run = unit % plan_.runs() * plan_.run;
  const std::int64_t n = std::min(plan_.run, plan_.vector.extent - run);
  const std::int64_t k_begin = unit / plan_.runs() * plan_.k_tile;
  const std::int64_t k_count = std::min(plan_.k_tile, plan_.k_size - k_begin);
  a_.load(plan_, k_begin, k_count, run, n, scratch_);
  if (b_) b_->load(plan_, k_begin, k_count, run, n, scratch_);
  for (std::int64_t k = 0; k < k_count; ++k) {
    find_runs(k);
    if (b_) {
      kernels_.dot_along(block, rows_, fresh, {a_.base(), a_firsts_}, {b_->base(), b_firsts_}, n);
    } else {
      kernels_.sum_along(block, rows_, fresh, {a_.base(), a_firsts_}, n);
    }
    fresh = false;
  }
}

// The run of each row of the tile for one term k of those that are loaded.
void NestWorker::find_runs(std::int64_t k) {
  std::int64_t row = 0;
  for (std::int64_t c = 0; c < batch_.count; ++c) {
    for (std::int64_t q = 0; q < n_.count; ++q) {
      for (std::int64_t p = 0; p < m_.count; ++p, ++row) {
        a_firsts_[row] = a_.first(c * m_.count + p) + a_.steps()[k];
        if (b_) b_firsts_[row] = b_->first(c * n_.count + q) + b_->steps()[k];
      }
    }
  }
}

void NestWorker::combine(std::byte* acc, const std::byte* other) const {
  if (plan_.form == NestForm::kAlong) return kernels_.combine(acc, other, rows_);
  if (kernels_.sums == 1) return kernels_.combine(acc, other, rows_ * run_.count);
  const std::int64_t step = setup_.bytes_of_sums(run_.count);  // each row has its corrections behind it
  for (std::int64_t row = 0; row < rows_; ++row) kernels_.combine(acc + row * step, other + row * step, run_.count);
}

// Scales the sums where they are and writes them to out.
void NestWorker::store(std::byte* block) {
  const bool across = plan_.form == NestForm::kAcross;
  const std::int64_t n = across ? run_.count : rows_;
  const std::int64_t blocks = across ? rows_ : 1;
  const std::int64_t step = across ? setup_.bytes_of_sums(n) : setup_.item();
  const std::int64_t stride = across ? plan_.vector.out : 1;
  const std::int64_t run = across ? n : 1;
  const std::span<const std::int64_t> offsets{out_offsets_, static_cast<std::size_t>(rows_)};
  std::byte* const out = call_.out + (across ? run_.begin * stride * setup_.load_out.source_size() : 0);
  if (call_.scale.beta != 0.0) setup_.load_out.load({out, offsets, stride, run}, out_values_, scratch_);
  if (call_.scale.alpha != 1.0 || call_.scale.beta != 0.0 || kernels_.sums > 1) {
    for (std::int64_t i = 0; i < blocks; ++i) {
      std::byte* const sums = block + i * step;
      kernels_.finish(sums, n, call_.scale.alpha, call_.scale.beta, out_values_ + i * n * setup_.item(), sums);
    }
  }
  setup_.store_out.store(block, step, {out, offsets, stride, run}, call_.streams, scratch_);
}

}  // namespace trntensor::host
