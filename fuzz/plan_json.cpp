// Any bytes read as a plan: refused as InvalidArgument, or a plan that writes and reads back to itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "trntensor/plan/plan.hpp"
#include "trntensor/support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using trntensor::Plan;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const Plan plan = Plan::from_json(text);
    if (plan.to_table().empty() || !(Plan::from_json(plan.to_json()) == plan)) std::abort();
  } catch (const trntensor::Error& error) {
    if (error.kind() != trntensor::ErrorKind::kInvalidArgument) std::abort();
  }
  return 0;
}
