// trntensor plan: the order of a contraction and what it costs, from sizes alone.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/values.hpp"
#include "trntensor/dispatch/default_executor.hpp"
#include "trntensor/einsum/spec.hpp"
#include "trntensor/plan/plan.hpp"
#include "trntensor/support/environment.hpp"

namespace trntensor::cli {
namespace {

struct Arguments {
  std::string subscripts;
  std::vector<std::string> sizes;
  std::string optimize = "auto";
  std::string dtype = "float64";
  std::optional<std::string> precision;
  std::optional<std::string> target_error;
  std::optional<std::string> memory;
  bool json = false;
};

void run(const Arguments& arguments, const Session& session) {
  PlanOptions options;
  options.method = parse_path_method(arguments.optimize);
  options.precision = parse_precision(arguments.precision.value_or("fast"));
  options.target_forward_error = parse_target_error(arguments.target_error, arguments.precision);
  if (arguments.memory) options.memory_limit = parse_bytes(*arguments.memory, "--memory");
  options.stop = session.stop;
  const std::vector<Shape> shapes = shapes_from_sizes(arguments.subscripts, parse_sizes(arguments.sizes));
  const Spec spec = parse_spec(arguments.subscripts, shapes);
  const std::vector<DType> dtypes(shapes.size(), parse_dtype(arguments.dtype));
  const Progress progress("planning");
  const Plan plan = make_plan(spec, dtypes, options, default_executor());
  print(arguments.json ? plan.to_json() + "\n" : plan.to_table());
}

}  // namespace

void add_plan(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("plan", "Show the order of a contraction and what it costs");
  const auto arguments = std::make_shared<Arguments>();
  verb->add_option("subscripts", arguments->subscripts, "What to plan, such as \"mi,na,mnP->iaP\"")->required();
  verb->add_option("--sizes", arguments->sizes, "The size of every label: i=10,j=20")
      ->type_name("LABEL=SIZE,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("--optimize", arguments->optimize, "auto, greedy or optimal")
      ->type_name("METHOD")
      ->capture_default_str();
  verb->add_option("--dtype", arguments->dtype, "Type of the operands: f64, f32, bf16, c128, ...")
      ->type_name("TYPE")
      ->capture_default_str();
  verb->add_option("--precision", arguments->precision, "fast, kahan, dd or sr [fast]")->type_name("MODE");
  verb->add_option("--target-error", arguments->target_error,
                   "Take the cheapest precision that keeps errors below this times sum |a b|")
      ->type_name("NUMBER");
  verb->add_option("--memory", arguments->memory, "Refuse plans whose intermediates and result need more, such as 2G")
      ->type_name("SIZE");
  verb->add_flag("--json", arguments->json, "Print one JSON object (docs/cli.md)");
  verb->footer("Example: trntensor plan \"mi,na,mnP->iaP\" --sizes m=114,n=114,i=21,a=93,P=420");
  verb->callback([arguments, &session] { run(*arguments, session); });
}

}  // namespace trntensor::cli
