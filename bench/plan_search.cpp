// How long the search for an order takes: ordinary networks of 14 operands, and greedy on two large stored ones.
//
// Each network is searched anew, without the plan cache. Counters: log10 of the multiply-adds of the order found.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/plan/graphs.hpp"
#include "tests/plan/instance.hpp"
#include "trntensor/dispatch/default_executor.hpp"
#include "trntensor/plan/plan.hpp"

namespace trntensor::bench {
namespace {

constexpr std::int64_t kOperands = 14;
constexpr std::int64_t kLargestExtent = 32;
constexpr std::uint64_t kSeeds = 8;  // networks of each shape, searched in turn

/// Makes the graph of a shape; some draw it.
using MakeGraph = testing::Graph (*)(Random& random);

std::vector<Spec> networks(MakeGraph make_graph) {
  std::vector<Spec> specs;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const testing::Graph graph = make_graph(random);
    specs.push_back(testing::network_of(graph, kLargestExtent, random));
  }
  return specs;
}

void search(benchmark::State& state, const std::vector<Spec>& specs, PathMethod method) {
  std::size_t next = 0;
  std::vector<double> macs(specs.size());
  for (auto _ : state) {
    const Spec& spec = specs[next];
    const std::vector<DType> dtypes(spec.inputs.size(), DType::kFloat64);
    const Plan plan = make_plan(spec, dtypes, {.method = method}, default_executor());
    if (method == PathMethod::kOptimal && plan.contents().method != "optimal") {
      state.SkipWithError("the search fell back");
      return;
    }
    macs[next] = plan.contents().macs;
    next = (next + 1) % specs.size();
  }
  double digits = 0;
  double searched = 0;
  for (const double count : macs) {
    if (count == 0) continue;  // a short run may not have come to it
    digits += std::log10(count);
    ++searched;
  }
  state.counters["log10_macs"] = digits / searched;
}

void add_shape(const std::string& name, MakeGraph make_graph) {
  for (const PathMethod method : {PathMethod::kOptimal, PathMethod::kGreedy}) {
    const auto run = [specs = networks(make_graph), method](benchmark::State& state) { search(state, specs, method); };
    benchmark::RegisterBenchmark((std::string(to_string(method)) + "/" + name).c_str(), run)
        ->Unit(benchmark::kMicrosecond);
  }
}

void add_stored(const std::string& name) {
  const auto run = [specs = std::vector<Spec>{testing::read_instance(name).spec}](benchmark::State& state) {
    search(state, specs, PathMethod::kGreedy);
  };
  benchmark::RegisterBenchmark(("greedy/" + name).c_str(), run)->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace trntensor::bench

int main(int argc, char** argv) {
  using namespace trntensor;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  bench::add_shape("chain", [](Random&) { return testing::chain(bench::kOperands); });
  bench::add_shape("ring", [](Random&) { return testing::ring(bench::kOperands); });
  bench::add_shape("tree", [](Random& random) { return testing::random_tree(bench::kOperands, random); });
  bench::add_shape("grid", [](Random&) { return testing::grid(bench::kOperands, 5); });
  bench::add_shape("cubic", [](Random& random) { return testing::random_cubic(bench::kOperands, random); });
  bench::add_stored("is_rg3_200");
  bench::add_stored("sycamore_53_20_raw");
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
