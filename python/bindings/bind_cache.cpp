// The plan cache.
#include "python/bindings/arguments.hpp"
#include "python/bindings/bindings.hpp"
#include "trntensor/plan/plan_cache.hpp"

namespace py = pybind11;

namespace trntensor::python {
namespace {

py::dict info() {
  const PlanCacheInfo counts = plan_cache_info();
  py::dict result;
  result["size"] = counts.size;
  result["capacity"] = counts.capacity;
  result["hits"] = counts.hits;
  result["misses"] = counts.misses;
  result["evictions"] = counts.evictions;
  return result;
}

}  // namespace

void bind_cache(py::module_& module) {
  module.def("clear_plan_cache", &clear_plan_cache,
             "clear_plan_cache() -> None\n\nForget all plans and counts.\n\n"
             ">>> clear_plan_cache()\n>>> plan_cache_info()[\"size\"]\n0");
  module.def("plan_cache_info", &info,
             "plan_cache_info() -> dict[str, int]\n\nPlans held (\"size\"), the most that are held (\"capacity\"), "
             "\"hits\", \"misses\" and \"evictions\".\n\n"
             ">>> sorted(plan_cache_info())\n['capacity', 'evictions', 'hits', 'misses', 'size']");
  module.def(
      "set_plan_cache_size", [](py::handle plans) { set_plan_cache_size(read_whole("plans", plans)); },
      py::arg("plans"),
      "set_plan_cache_size(plans: int) -> None\n\nForget all plans, and hold at most so many from then on. "
      "Raises ValueError outside 0 to 1000000.\n\n>>> set_plan_cache_size(1024)");
}

}  // namespace trntensor::python
