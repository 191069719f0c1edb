#include "trntensor/dispatch/epilogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trntensor/dispatch/checks.hpp"
#include "trntensor/dispatch/default_executor.hpp"
#include "trntensor/dispatch/last_product.hpp"
#include "trntensor/dispatch/options.hpp"
#include "trntensor/dispatch/planning.hpp"
#include "trntensor/plan/epilogue_step.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

EinsumOptions contraction_options(const EpilogueOptions& options) {
  auto call = shared_options<EinsumOptions>(options);
  call.memory_limit.reset();  // that of an epilogue is for the blocks of the last product
  call.precision = options.precision;
  return call;
}

void check_types(const Plan::Contents& plan, std::span<const NamedView> tensors) {
  if (!is_floating(plan.compute_dtype)) {
    throw_unsupported(fmt::format("a contraction in {} takes no epilogue", to_string(plan.compute_dtype)), "epilogue",
                      "contract real floating point numbers; `dtype` converts integers");
  }
  for (const NamedView& named : tensors) {
    if (is_complex(named.tensor.dtype())) {
      throw_unsupported(
          fmt::format("tensor \"{}\" is {}, epilogues are real", named.name, to_string(named.tensor.dtype())),
          "epilogue", "give its real part");
    }
    if (named.tensor.device().type != DeviceType::kHost) {
      throw_unsupported(fmt::format("tensor \"{}\" is on {}, and this build runs on the host only", named.name,
                                    to_string(named.tensor.device())),
                        "epilogue", "copy it to host memory");
    }
  }
}

void check_precision(Precision precision) {
  if (precision == Precision::kFast || precision == Precision::kKahan) return;
  throw_unsupported(fmt::format("epilogues take no contractions in precision {}", to_string(precision)), "epilogue",
                    "use precision fast or kahan");
}

/// The type that holds `first` and the tensors'.
DType joined_type(DType first, std::span<const NamedView> tensors) {
  std::vector<DType> types{first};
  for (const NamedView& named : tensors) types.push_back(named.tensor.dtype());
  return promote(types);
}

/// float32 or float64: holds the sums, the tensors and the constants of the formula.
DType arithmetic_type(DType accumulator, std::span<const NamedView> tensors, const epilogue::Formula& formula) {
  const bool leaves = std::any_of(formula.nodes.begin(), formula.nodes.end(), [](const epilogue::FormulaNode& node) {
    return node.kind == ExpressionKind::kConstant && dispatch::leaves_float32(node.value);
  });
  return leaves ? DType::kFloat64 : accumulator_type(joined_type(accumulator, tensors));
}

epilogue::Formula bind_all(std::span<const Expression> expressions, const Spec& spec,
                           std::span<const NamedView> tensors) {
  std::vector<epilogue::TensorName> names;
  for (const NamedView& named : tensors) names.push_back({named.name, named.tensor.shape()});
  return epilogue::bind(expressions, spec, names);
}

/// The labels of a result in the order that was asked for.
Labels result_labels(const Labels& left, const Spec& spec, const std::optional<std::string>& output) {
  if (!output) return left;
  const auto name_of = [&](Label label) { return spec.names[static_cast<std::size_t>(label)]; };
  Labels ordered;
  std::string wanted;
  for (const std::string& letter : epilogue::letters_of(*output)) {
    const auto known = std::find_if(left.begin(), left.end(), [&](Label label) { return name_of(label) == letter; });
    if (known != left.end() && std::find(ordered.begin(), ordered.end(), *known) == ordered.end()) {
      ordered.push_back(*known);
    }
    wanted += letter;
  }
  std::string there;
  std::string given;
  for (const Label label : left) there += name_of(label);
  for (const Label label : ordered) given += name_of(label);
  if (ordered.size() == left.size() && given == wanted) return ordered;
  throw_invalid(
      fmt::format("output \"{}\" is no order of the labels \"{}\" that the expression leaves", *output, there),
      "epilogue", "name each of them once; reduce the others in the expression");
}

/// Results over the labels of the roots, with their layouts.
std::vector<Tensor> make_results(const Spec& spec, const EpilogueOptions& options, DType dtype,
                                 EpilogueProblem& problem) {
  std::vector<Tensor> results;
  for (const int root : problem.formula.roots) {
    const Labels& left = problem.formula.nodes[static_cast<std::size_t>(root)].labels;
    OperandLayout layout{dtype, dtype, {}};
    Shape shape;
    for (const Label label : result_labels(left, spec, options.output)) {
      shape.push_back(spec.extents[static_cast<std::size_t>(label)]);
      layout.axes.push_back({label, shape.back(), 0});
    }
    pack_axes(layout);
    problem.results.push_back(layout);
    results.push_back(Tensor::empty(shape, dtype));
  }
  return results;
}

}  // namespace

EpilogueResults einsum_with_epilogues(std::string_view subscripts, std::span<const TensorView> operands,
                                      std::span<const Expression> expressions, std::span<const NamedView> tensors,
                                      const EpilogueOptions& options) {
  check_precision(options.precision);
  const EinsumOptions call = contraction_options(options);
  const auto plan = dispatch::find_plan(subscripts, operands, call);
  const Plan::Contents& contents = plan->contents();
  dispatch::check_devices(operands);
  check_types(contents, tensors);
  EpilogueProblem problem;
  problem.formula = bind_all(expressions, contents.spec, tensors);
  problem.arithmetic = arithmetic_type(contents.accumulator_dtype, tensors, problem.formula);
  problem.memory_limit = options.memory_limit;
  EpilogueData data;
  std::vector<const void*> tensor_data;
  for (const NamedView& named : tensors) {
    problem.tensors.push_back({named.tensor.dtype(), named.tensor.shape(), named.tensor.strides()});
    tensor_data.push_back(named.tensor.data());
  }
  EpilogueResults results;
  results.tensors = make_results(contents.spec, options, joined_type(contents.compute_dtype, tensors), problem);
  std::vector<void*> result_data;
  for (const Tensor& result : results.tensors) result_data.push_back(result.data());

  const dispatch::LastProduct product = dispatch::find_last_product(contents, operands, call);
  problem.product = product.problem;
  problem.exchange = product.exchange;
  data.a = product.a.data();
  data.b = product.problem.b ? product.b.data() : nullptr;
  data.tensors = tensor_data;
  data.results = result_data;
  const auto prepared = executor_or_default(options.executor).prepare_epilogue(problem);
  const RunContext context{num_threads(options.num_threads), options.stop};
  prepared->run(data, context, options.progress);
  results.block_bytes = prepared->block_bytes(context.num_threads);
  results.flops = 2 * prepared->macs();
  results.route = prepared->describe();
  return results;
}

Tensor einsum_with_epilogue(std::string_view subscripts, std::span<const TensorView> operands,
                            const Expression& expression, std::span<const NamedView> tensors,
                            const EpilogueOptions& options) {
  return einsum_with_epilogues(subscripts, operands, {&expression, 1}, tensors, options).tensors.front();
}

Tensor einsum_with_epilogue(std::string_view subscripts, std::initializer_list<TensorView> operands,
                            const Expression& expression, std::initializer_list<NamedView> tensors,
                            const EpilogueOptions& options) {
  return einsum_with_epilogue(subscripts, std::span(operands.begin(), operands.size()), expression,
                              std::span(tensors.begin(), tensors.size()), options);
}

}  // namespace trntensor
