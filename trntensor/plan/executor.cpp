#include "trntensor/plan/executor.hpp"

#include <fmt/format.h>

#include "trntensor/plan/epilogue_step.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {

std::unique_ptr<const PreparedEpilogue> Executor::prepare_epilogue(const EpilogueProblem&) const {
  throw_unsupported(fmt::format("the executor \"{}\" runs no epilogues", name()), "epilogue",
                    "use the host executor, or contract first and evaluate the formula on the result");
}

}  // namespace trntensor
