// Keyword arguments, the same for all functions that take them.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>

#include "python/bindings/operands.hpp"
#include "trntensor/dispatch/options.hpp"

namespace trntensor::python {

/// Which keywords a function takes: a sum of these.
namespace takes {
inline constexpr std::uint32_t kScale = 1;    ///< alpha
inline constexpr std::uint32_t kOut = 2;      ///< out, beta
inline constexpr std::uint32_t kType = 4;     ///< dtype, precision, target_forward_error
inline constexpr std::uint32_t kPath = 8;     ///< optimize, memory_limit
inline constexpr std::uint32_t kRun = 16;     ///< seed, num_threads
inline constexpr std::uint32_t kPlace = 32;   ///< backend
inline constexpr std::uint32_t kShapes = 64;  ///< shapes
inline constexpr std::uint32_t kAll = kScale | kOut | kType | kPath | kRun | kPlace;
}  // namespace takes

/// What the keywords of one call say.
struct CallOptions {
  EinsumOptions einsum;
  pybind11::object out;        ///< as given; null without
  pybind11::object find_path;  ///< an optimizer that is a function; null without
  bool shapes = false;         ///< operands are shapes
};

/// Reads one keyword. Throws TypeError for one that `function` does not take (naming those it does) and for values of a
/// wrong type, ValueError for values that make no sense.
void set_option(CallOptions& options, pybind11::handle name, pybind11::handle value, std::uint32_t taken,
                const char* function);

/// Reads all keywords of a call.
CallOptions read_options(const pybind11::kwargs& keywords, std::uint32_t taken, const char* function);

/// Has an optimizer that is a function find the path of the call, as opt_einsum has it: (inputs, output, sizes,
/// memory_limit), the first two as sets of labels.
void find_given_path(CallOptions& options, std::string_view subscripts, std::span<const TensorView> operands);

/// How many threads a call may use.
int read_num_threads(pybind11::handle value, const char* name = "num_threads");

/// Bytes: a number, or a text such as "512M".
std::optional<std::int64_t> read_memory_limit(pybind11::handle value);

}  // namespace trntensor::python
