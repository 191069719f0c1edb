// trntensor bench: how fast contractions are here, beside what the machine and other libraries can do.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "cli/bench/kept_cases.hpp"
#include "cli/bench/options.hpp"
#include "cli/bench/plot.hpp"
#include "cli/bench/report.hpp"
#include "cli/bench/report_rows.hpp"
#include "cli/bench/run_case.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "trntensor/host/parallel.hpp"
#include "trntensor/tensor/atomic_file.hpp"

namespace trntensor::cli {
namespace {

using namespace bench;

/// A text file that is refused before the work if it cannot be written, and appears after it.
class TextFile {
 public:
  explicit TextFile(const std::string& path) {
    if (!path.empty()) file_.emplace(path);
  }
  template <typename MakeText>
  void write(const MakeText& make_text) {
    if (!file_) return;
    const std::string text = make_text();
    file_->append(std::as_bytes(std::span(text)));
    file_->commit();
  }

 private:
  std::optional<io::AtomicFile> file_;
};

/// What the suites need: both for their cases, one for the suites that are a floor.
Floors measure_floors(const Options& options, std::span<const Case> cases, const std::stop_token& stop) {
  constexpr double kLongest = 0.2;
  const auto has = [&](const char* name) {
    return std::any_of(options.suites.begin(), options.suites.end(), [&](const Suite& s) { return s.name == name; });
  };
  std::vector<DType> dtypes = options.cases.dtypes;
  if (dtypes.empty()) dtypes = {DType::kFloat64, DType::kFloat32, DType::kBFloat16};
  Floors floors;
  if (!cases.empty() || has("peak")) floors.peaks = measure_peaks(dtypes, options.cases.threads, stop);
  for (const int threads : options.cases.threads) {
    if (cases.empty() && !has("stream")) break;
    const auto levels = measure_stream(threads, std::min(options.seconds, kLongest), stop);
    floors.levels.insert(floors.levels.end(), levels.begin(), levels.end());
  }
  return floors;
}

Report measure(const Arguments& arguments, const Options& options, const Session& session) {
  const std::vector<Case> cases = selected_cases(options, arguments.filter);
  KeptCases kept(arguments.keep);
  Report report;
  report.suite = arguments.suite;
  report.command = command_line(arguments);
  if (std::any_of(cases.begin(), cases.end(), [](const Case& what) { return what.has_peers; }))
    report.peers = load_peers(options.peers, arguments.keep_environment);
  Progress progress(fmt::format("bench {}", arguments.suite));
  report.floors = measure_floors(options, cases, session.stop);
  MeasureOptions measuring;
  measuring.seconds = options.seconds;
  measuring.stop = session.stop;
  for (const Case& what : cases) {
    host::check_stop(session.stop);
    progress.update(static_cast<std::int64_t>(report.cases.size()), static_cast<std::int64_t>(cases.size()));
    if (const CaseResult* known = kept.find(what)) {
      report.cases.push_back(*known);
      continue;
    }
    report.cases.push_back(run_case(what, report.peers, report.floors, measuring));
    kept.keep(report.cases.back(), report);
  }
  return report;
}

/// The cases, none measured.
void print_cases(const Arguments& arguments, const Options& options) {
  Report report;
  report.suite = arguments.suite;
  for (Case& what : selected_cases(options, arguments.filter)) {
    CaseResult& result = report.cases.emplace_back();
    result.what = std::move(what);
    result.error = "not measured";
  }
  if (arguments.json) {
    print_json(to_json(report));
  } else {
    const Table table = list_table(report);
    print(format_table(table.columns, table.rows));
  }
}

/// The path of the picture as the document names it.
std::string plot_beside_markdown(const Arguments& arguments) {
  if (arguments.plot.empty() || arguments.markdown.empty()) return {};
  const auto folder = std::filesystem::absolute(arguments.markdown).parent_path();
  return std::filesystem::absolute(arguments.plot).lexically_proximate(folder).generic_string();
}

void run(const Arguments& arguments, Session& session) {
  const Options options = parse_options(arguments);
  if (arguments.list) {
    print_cases(arguments, options);
    return;
  }
  TextFile plot(arguments.plot);
  TextFile markdown(arguments.markdown);
  const Report report = measure(arguments, options, session);
  plot.write([&] { return to_svg(report); });
  markdown.write([&] { return to_markdown(report, plot_beside_markdown(arguments)); });
  if (arguments.json) {
    print_json(to_json(report));
  } else {
    print(to_text(report));
  }
  for (const CaseResult& result : report.cases) {
    if (result.error.empty()) continue;
    warn(fmt::format("{} {}: {}", result.what.suite, result.what.name, result.error));
    session.exit_code = 1;
  }
}

std::string describe_suites() {
  std::string text = "Suites:\n";
  for (const Suite& suite : suites()) {
    text += fmt::format("  {:<9} {}{}\n", suite.name, suite.what,
                        suite.size.empty() ? "" : fmt::format(" [--sizes {}]", suite.size));
  }
  return text + "  all       all of them\n";
}

}  // namespace

void add_bench(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("bench", "How fast this machine and other libraries are, and how fast we are");
  const auto arguments = std::make_shared<Arguments>();
  verb->add_option("suite", arguments->suite, "What to measure, see below")->type_name("SUITE")->required();
  verb->add_option("--threads", arguments->threads, "Counts to measure with: 1, all, 1,all, 2,4 [1]")
      ->type_name("LIST");
  verb->add_option("--dtype", arguments->dtypes, "Of f64, f32, bf16 [the suite's own]")->type_name("LIST");
  verb->add_option("--sizes", arguments->sizes,
                   "Extents of the cases, such as 512,1024 or 8x40x96, see below [the suite's own]")
      ->type_name("LIST");
  verb->add_option("--filter", arguments->filter, "Only cases with this in their name or subscripts")
      ->type_name("TEXT");
  verb->add_flag("--list", arguments->list, "Show the cases without measuring them");
  verb->add_option("--seconds", arguments->seconds, "For each contestant of a case, at least [0.5]")->type_name("S");
  verb->add_option("--peers", arguments->peers,
                   fmt::format("Of {}; all, none [{}, else all]", fmt::join(peer_names(), ", "), kPeersVariable))
      ->type_name("LIST");
  verb->add_flag("--keep-environment", arguments->keep_environment,
                 "Leave OPENBLAS_CORETYPE and the like as they are instead of choosing the best kernels");
  verb->add_option("--plot", arguments->plot, "Write a picture: rooflines, and bars for each case")
      ->type_name("FILE.svg");
  verb->add_option("--markdown", arguments->markdown, "Write a document with all tables")->type_name("FILE.md");
  verb->add_option("--keep", arguments->keep,
                   "Write the figures of each case when it is done; those that are there are not measured again")
      ->type_name("FILE.json");
  verb->add_flag("--json", arguments->json, "Print one JSON object (docs/cli.md)");
  verb->footer(describe_suites() +
               "\nThe exit status is 1 when results of a case differ.\n\n"
               "Example: trntensor bench gemm --sizes 512,1024 --threads 1,all --plot gemm.svg");
  verb->callback([arguments, &session] { run(*arguments, session); });
}

}  // namespace trntensor::cli
