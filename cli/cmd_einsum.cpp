// trntensor einsum: contract tensors from files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/table.hpp"
#include "cli/tensor_file.hpp"
#include "cli/tensor_json.hpp"
#include "cli/tensor_text.hpp"
#include "cli/values.hpp"
#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/tensor/files.hpp"

namespace trntensor::cli {
namespace {

struct Arguments {
  std::string subscripts;
  std::vector<std::string> operands;
  std::optional<std::string> output;
  std::optional<std::string> accumulate_into;
  std::optional<std::string> dtype;
  std::optional<std::string> raw_as;
  std::optional<std::string> precision;
  std::optional<std::string> target_error;
  std::optional<std::uint64_t> seed;
  std::string optimize = "auto";
  std::string alpha = "1";
  std::optional<std::string> beta;
  std::optional<std::string> memory;
  int threads = 0;
  bool json = false;
};

/// Where the result is written, if anywhere.
const std::optional<std::string>& target(const Arguments& arguments) {
  return arguments.output ? arguments.output : arguments.accumulate_into;
}

Tensor load(const Arguments& arguments, const std::string& operand) {
  return load_operand(operand, arguments.raw_as ? std::optional(parse_dtype(*arguments.raw_as)) : std::nullopt);
}

EinsumOptions options_of(const Arguments& arguments, const Session& session) {
  EinsumOptions options;
  options.alpha = parse_scalar(arguments.alpha, "--alpha");
  if (arguments.dtype) options.dtype = parse_dtype(*arguments.dtype);
  options.precision = parse_precision(arguments.precision.value_or("fast"));
  options.target_forward_error = parse_target_error(arguments.target_error, arguments.precision);
  if (arguments.seed && options.precision != Precision::kStochastic) {
    throw_invalid(
        fmt::format("--seed is for stochastic rounding, and the precision is {}", to_string(options.precision)),
        "--seed", "add --precision sr, or leave --seed out");
  }
  options.seed = arguments.seed.value_or(0);
  options.optimize = parse_path_method(arguments.optimize);
  if (arguments.memory) options.memory_limit = parse_bytes(*arguments.memory, "--memory");
  options.num_threads = arguments.threads;
  options.stop = session.stop;
  if (!arguments.accumulate_into) {
    if (arguments.beta) {
      throw_invalid("--beta scales the tensor of --accumulate-into, and none is given", "--beta",
                    "add --accumulate-into FILE, or leave --beta out");
    }
    return options;
  }
  // A copy of our own: the file's tensor may have an element order that cannot be written to.
  options.out = load(arguments, *arguments.accumulate_into).clone();
  options.beta = arguments.beta ? parse_scalar(*arguments.beta, "--beta") : 1.0;
  return options;
}

void check_target(const Arguments& arguments) {
  if (arguments.output) check_output(*arguments.output);
  if (arguments.output || !arguments.accumulate_into) return;
  const TensorFile file = parse_tensor_file(*arguments.accumulate_into);
  if (file.path.extension() != ".npy") {
    throw_invalid(fmt::format("\"{}\" is one tensor of a file of several, which is not rewritten", file.path.string()),
                  "--accumulate-into", "write the result to a file of its own with -o");
  }
  check_output(file.path);
}

nlohmann::ordered_json report(const Arguments& arguments, const Plan& plan, const Tensor& result, double seconds) {
  nlohmann::ordered_json object;
  object["subscripts"] = plan.subscripts();
  object["path"] = plan.contraction_path();
  object["shape"] = to_json(result.shape());
  object["dtype"] = to_string(result.dtype());
  object["output"] = target(arguments) ? nlohmann::ordered_json(*target(arguments)) : nlohmann::ordered_json();
  const bool shown = !target(arguments) && result.size() <= kPrintAll;
  object["values"] = shown ? to_json(result) : nlohmann::ordered_json();
  object["precision"] = to_string(plan.precision());
  object["error_bound"] = plan.error_bound();
  object["flops"] = plan.estimated_flops();
  object["seconds"] = seconds;
  object["gflops"] = plan.estimated_flops() / seconds * 1e-9;
  return object;
}

void run(const Arguments& arguments, const Session& session) {
  check_target(arguments);
  const EinsumOptions options = options_of(arguments, session);
  std::vector<Tensor> operands;
  std::vector<TensorView> views;
  for (const std::string& operand : arguments.operands) operands.push_back(load(arguments, operand));
  for (const Tensor& operand : operands) views.push_back(operand.view());
  const Plan plan = plan_contraction(arguments.subscripts, views, options);

  const auto start = std::chrono::steady_clock::now();
  Tensor result;
  {
    const Progress progress(
        fmt::format("contracting {}, {:.3g} GFLOP", plan.subscripts(), plan.estimated_flops() * 1e-9));
    result = einsum(arguments.subscripts, views, options);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  if (target(arguments)) save_tensor(*target(arguments), result);
  if (arguments.json) {
    print_json(report(arguments, plan, result, seconds));
  } else if (target(arguments)) {
    print(fmt::format("wrote {}: {} {}\n", without_controls(*target(arguments)), to_string(result.dtype()),
                      format_shape(result.shape())));
  } else {
    print(to_text(result) + "\n");
    if (result.size() > kPrintAll) {
      print(fmt::format("shape {}, {}; -o FILE keeps all of it\n", format_shape(result.shape()),
                        to_string(result.dtype())));
    }
  }
}

// A minus is not refused when a number without sign is read, but taken modulo 2^64.
std::string not_below_zero(const std::string& text) {
  return text.starts_with('-') ? fmt::format("{} is below 0", text) : std::string();
}

void add_precision(CLI::App& verb, Arguments& arguments) {
  verb.add_option("--precision", arguments.precision, "How sums are held: fast, kahan, dd or sr [fast]")
      ->type_name("MODE");
  verb.add_option("--target-error", arguments.target_error,
                  "Take the cheapest precision that keeps errors below this times sum |a b|")
      ->type_name("NUMBER");
  verb.add_option("--seed", arguments.seed, "Of the stochastic rounding of --precision sr [0]")
      ->type_name("N")
      ->check(not_below_zero);
}

}  // namespace

void add_einsum(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("einsum", "Contract tensors from files");
  const auto arguments = std::make_shared<Arguments>();
  verb->add_option("subscripts", arguments->subscripts, "What to compute, such as \"ij,jk->ik\"")->required();
  verb->add_option("operands", arguments->operands,
                   "One per term: FILE.npy, FILE.npz:NAME, FILE.h5:DATASET or FOLDER:NAME")
      ->required();
  verb->add_option("-o,--output", arguments->output, "Write the result to FILE (.npy, .npz, .h5)")->type_name("FILE");
  verb->add_option("--accumulate-into", arguments->accumulate_into,
                   "Add to beta times the tensor in FILE, and write the sum there unless -o is given")
      ->type_name("FILE");
  verb->add_option("--alpha", arguments->alpha, "Multiply the contraction by this number")
      ->type_name("NUMBER")
      ->capture_default_str();
  verb->add_option("--beta", arguments->beta, "Multiply the tensor of --accumulate-into by this number [1]")
      ->type_name("NUMBER");
  verb->add_option("--dtype", arguments->dtype, "Compute in this type: f64, f32, bf16, c128, i32, ...")
      ->type_name("TYPE");
  verb->add_option("--raw-as", arguments->raw_as,
                   "Type of the elements of .npy files that call them raw bytes, as is done for bf16, e4m3, e5m2")
      ->type_name("TYPE");
  add_precision(*verb, *arguments);
  verb->add_option("--optimize", arguments->optimize, "Order of three or more operands: auto, greedy or optimal")
      ->type_name("METHOD")
      ->capture_default_str();
  verb->add_option("--memory", arguments->memory, "Limit on intermediates and result, such as 512M or 2G")
      ->type_name("SIZE");
  verb->add_option("--threads", arguments->threads, "Threads to use [TRNTENSOR_NUM_THREADS, else all CPUs]")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  verb->add_flag("--json", arguments->json, "Print one JSON object (docs/cli.md)");
  verb->footer(
      "Without -o the result is printed, as NumPy would.\n"
      "Subscripts that begin with a minus follow \"--\": trntensor einsum -- \"->\" scalar.npy\n\n"
      "Example: trntensor einsum \"ij,jk->ik\" a.npy b.npy -o c.npy");
  verb->callback([arguments, &session] { run(*arguments, session); });
}

}  // namespace trntensor::cli
