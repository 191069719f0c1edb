// Packing of a block of an operand into the panels of a kernel.
#pragma once

#include <cstddef>

#include "trntensor/host/conversion.hpp"
#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/kernels/kernel.hpp"
#include "trntensor/host/lane_boxes.hpp"

namespace trntensor::host {

/// A block of lanes (rows of A or columns of B) x steps (of the sum), and how to pack it.
struct PackJob {
  const Conversion* load = nullptr;
  PackPanels pack = nullptr;         ///< from the kernel's type
  PackPanels pack_stored = nullptr;  ///< from the source as it is; null: elements are converted first
  PackBoxes pack_boxes = nullptr;    ///< may be null
  std::int64_t width = 0;            ///< lanes of a panel: MR or NR
  std::int64_t element_size = 0;     ///< bytes, in the panel; of a pair in panels of pairs
  const std::byte* source = nullptr;
  BlockIndex lanes;
  BlockIndex steps;
  LaneBox box;             ///< divides the lanes
  std::int64_t terms = 1;  ///< of a step in the panel: `steps` here are terms; 2 only where nothing is converted

  [[nodiscard]] std::int64_t panel_count() const noexcept { return ceil_div(lanes.count, width); }
  [[nodiscard]] std::int64_t panel_bytes() const noexcept {
    return width * ceil_div(steps.count, terms) * element_size;
  }
};

/// Packs panels first .. last - 1 to their places from `packed` (panel 0) on, converting on the way. They hold whole
/// boxes.
void pack_panels(const PackJob& job, std::int64_t first, std::int64_t last, std::byte* packed);

}  // namespace trntensor::host
