#include "trntensor/plan/operand_layout.hpp"

#include <algorithm>

#include "trntensor/support/checked.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {

std::int64_t pack_axes(OperandLayout& layout) {
  constexpr std::int64_t kLargestElement = 32;
  std::int64_t stride = 1;
  bool is_empty = false;
  for (std::size_t d = layout.axes.size(); d-- > 0;) {
    Axis& axis = layout.axes[d];
    axis.stride = stride;
    is_empty |= axis.extent == 0;
    const auto grown = checked_multiply(stride, std::max<std::int64_t>(axis.extent, 1));
    if (!grown || !checked_multiply(*grown, kLargestElement)) {
      throw Error(ErrorKind::kOutOfMemory, "an intermediate of the contraction leaves 63 bits of bytes", {},
                  "give another path, or slice the operands");
    }
    stride = *grown;
  }
  return is_empty ? 0 : stride;
}

}  // namespace trntensor
