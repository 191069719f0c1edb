#include "trntensor/dispatch/default_executor.hpp"

#include "trntensor/host/executor.hpp"

namespace trntensor {

const Executor& default_executor() {
  static const host::HostExecutor executor;
  return executor;
}

}  // namespace trntensor
