#include "trntensor/host/kernels/vector_table.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "hwy/cache_control.h"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/kernels/vector_parts.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/support/fork_mutex.hpp"

namespace trntensor::host {
namespace {

VectorTable make_table(std::int64_t target) {
  VectorTable table;
  for (const auto part : {float_kernels_for(target), compensated_kernels_for(target), triple_kernels_for(target),
                          integer_kernels_for(target), transpose_kernels_for(target), convert_kernels_for(target)}) {
    if (part == nullptr) throw Error(ErrorKind::kInternal, "run kernels are missing in this build");
    part(table);
  }
  return table;
}

}  // namespace

const VectorKernels& VectorTable::for_accumulator(DType accumulator, int compensated) const {
  if (compensated != 0 && accumulator != DType::kFloat64 && accumulator != DType::kComplex128) {
    throw_unsupported(fmt::format("compensated sums in {}", to_string(accumulator)), {},
                      "compensation is offered for float64 and complex128");
  }
  switch (accumulator) {
    case DType::kBool:
      return boolean;
    case DType::kInt8:
    case DType::kUInt8:
      return integer8;
    case DType::kInt16:
    case DType::kUInt16:
      return integer16;
    case DType::kInt32:
    case DType::kUInt32:
      return integer32;
    case DType::kInt64:
    case DType::kUInt64:
      return integer64;
    case DType::kFloat32:
      return float32;
    case DType::kFloat64:
      return compensated == 0 ? float64 : compensated == 1 ? compensated64 : triple64;
    case DType::kComplex64:
      return complex64;
    case DType::kComplex128:
      return compensated == 0 ? complex128 : compensated == 1 ? compensated128 : triple128;
    default:
      break;
  }
  throw_unsupported(fmt::format("sums in {}", to_string(accumulator)), {}, "sums of such values are held in float32");
}

void vector_fence() { hwy::FlushStream(); }

const VectorTable& vector_table(std::string_view instruction_set) {
  static ForkMutex mutex;
  static std::map<std::int64_t, std::unique_ptr<const VectorTable>> tables;
  const std::int64_t target = chosen_target(instruction_set);
  const std::scoped_lock lock(mutex);
  std::unique_ptr<const VectorTable>& table = tables[target];
  if (table == nullptr) table = std::make_unique<const VectorTable>(make_table(target));
  return *table;
}

}  // namespace trntensor::host
