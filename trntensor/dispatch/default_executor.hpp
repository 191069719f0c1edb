// Which executor runs a contraction when the caller names none.
#pragma once

#include "trntensor/plan/executor.hpp"

namespace trntensor {

/// The host engine.
const Executor& default_executor();

/// What an option asks for.
inline const Executor& executor_or_default(const Executor* asked) {
  return asked != nullptr ? *asked : default_executor();
}

}  // namespace trntensor
