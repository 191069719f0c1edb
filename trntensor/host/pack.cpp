#include "trntensor/host/pack.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace trntensor::host {
namespace {

/// Elements converted at a time: they are packed while they are in the L1 cache.
constexpr std::int64_t kStaged = 1024;

/// Room for kStaged elements and the offsets that describe them.
struct Stage {
  alignas(64) std::array<std::byte, kStaged * 16> elements;
  std::array<std::int64_t, kStaged> lane_offsets;
  std::array<std::int64_t, kStaged> step_offsets;
};

void fill_multiples(std::span<std::int64_t> offsets, std::int64_t stride) {
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<std::int64_t>(i) * stride;
}

BlockIndex staged_index(const std::int64_t* offsets, std::int64_t count, std::int64_t stride) {
  return {offsets, count, 0, count, stride};
}

std::int64_t lanes_in_panel(const PackJob& job, std::int64_t panel) {
  return std::min(job.width, job.lanes.count - panel * job.width);
}

/// Converts entries begin .. begin + count - 1 of `index`, moved by `base` elements, to `target`, side by side.
void convert_entries(const PackJob& job, const BlockIndex& index, std::int64_t begin, std::int64_t count,
                     std::int64_t base, std::byte* target) {
  const std::int64_t size = job.load->source_size();
  for (std::int64_t i = 0; i < count;) {
    const std::int64_t run = std::min(index.run_length(begin + i), count - i);
    job.load->run(job.source + (index.offsets[begin + i] + base) * size, index.inner_stride * size,
                  target + i * job.element_size, job.element_size, run);
    i += run;
  }
}

/// One panel, converted along the steps of each lane.
void pack_converted_along_steps(const PackJob& job, std::int64_t panel, std::byte* packed, Stage& stage) {
  const std::int64_t lane_count = lanes_in_panel(job, panel);
  const std::int64_t chunk = std::min(job.steps.count, kStaged / job.width);
  fill_multiples({stage.lane_offsets.data(), static_cast<std::size_t>(lane_count)}, chunk);
  fill_multiples({stage.step_offsets.data(), static_cast<std::size_t>(chunk)}, 1);
  for (std::int64_t p = 0; p < job.steps.count; p += chunk) {
    const std::int64_t steps = std::min(chunk, job.steps.count - p);
    for (std::int64_t i = 0; i < lane_count; ++i) {
      convert_entries(job, job.steps, p, steps, job.lanes.offsets[panel * job.width + i],
                      stage.elements.data() + i * chunk * job.element_size);
    }
    const BlockIndex lane_index = staged_index(stage.lane_offsets.data(), lane_count, chunk);
    const BlockIndex step_index = staged_index(stage.step_offsets.data(), steps, 1);
    job.pack({packed + panel * job.panel_bytes() + p * job.width * job.element_size, stage.elements.data(), &lane_index,
              &step_index, 0, lane_count});
  }
}

/// Several panels, converted along all their lanes for each step.
void pack_converted_along_lanes(const PackJob& job, std::int64_t first, std::int64_t last, std::byte* packed,
                                Stage& stage) {
  const std::int64_t lane_begin = first * job.width;
  const std::int64_t lane_count = std::min(last * job.width, job.lanes.count) - lane_begin;
  const std::int64_t chunk = std::min(job.steps.count, kStaged / lane_count);
  fill_multiples({stage.lane_offsets.data(), static_cast<std::size_t>(lane_count)}, 1);
  fill_multiples({stage.step_offsets.data(), static_cast<std::size_t>(chunk)}, lane_count);
  const BlockIndex lane_index = staged_index(stage.lane_offsets.data(), lane_count, 1);
  for (std::int64_t p = 0; p < job.steps.count; p += chunk) {
    const std::int64_t steps = std::min(chunk, job.steps.count - p);
    for (std::int64_t s = 0; s < steps; ++s) {
      convert_entries(job, job.lanes, lane_begin, lane_count, job.steps.offsets[p + s],
                      stage.elements.data() + s * lane_count * job.element_size);
    }
    const BlockIndex step_index = staged_index(stage.step_offsets.data(), steps, lane_count);
    for (std::int64_t panel = first; panel < last; ++panel) {
      job.pack({packed + panel * job.panel_bytes() + p * job.width * job.element_size, stage.elements.data(),
                &lane_index, &step_index, (panel - first) * job.width, lanes_in_panel(job, panel)});
    }
  }
}

/// True when conversion runs longer or closer together along the lanes.
bool converts_along_lanes(const PackJob& job) {
  const bool unit_lanes = job.lanes.inner_stride == 1;
  if (unit_lanes != (job.steps.inner_stride == 1)) return unit_lanes;
  return std::min(job.lanes.count, job.lanes.inner_extent) > std::min(job.steps.count, job.steps.inner_extent);
}

}  // namespace

void pack_panels(const PackJob& job, std::int64_t first, std::int64_t last, std::byte* packed) {
  if (job.load->is_identity() && job.box.across > 1 && job.pack_boxes != nullptr) {
    job.pack_boxes({packed, job.source, &job.lanes, &job.steps, first * job.width,
                    std::min(last * job.width, job.lanes.count), job.box.across, job.box.along});
    return;
  }
  if (job.pack_stored != nullptr) {
    const std::int64_t begin = first * job.width;
    const std::int64_t lanes = std::min(last * job.width, job.lanes.count) - begin;
    job.pack_stored({packed + first * job.panel_bytes(), job.source, &job.lanes, &job.steps, begin, lanes});
    return;
  }
  Stage stage;
  if (!converts_along_lanes(job)) {
    for (std::int64_t panel = first; panel < last; ++panel) pack_converted_along_steps(job, panel, packed, stage);
    return;
  }
  const std::int64_t group = std::max<std::int64_t>(1, kStaged / 8 / job.width);
  for (std::int64_t panel = first; panel < last; panel += group) {
    pack_converted_along_lanes(job, panel, std::min(last, panel + group), packed, stage);
  }
}

}  // namespace trntensor::host
