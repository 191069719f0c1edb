#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "trntensor/einsum/utf8.hpp"
#include "trntensor/plan/label_text.hpp"
#include "trntensor/support/environment.hpp"

namespace trntensor {
namespace {

constexpr std::size_t kColumns = 8;
using Row = std::array<std::string, kColumns>;
constexpr std::array<bool, kColumns> kRightAligned{true, false, false, false, false, true, true, true};

// Columns on a terminal, where letters may take two or none.
std::size_t width_of(const std::string& text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const notation::Decoded character = notation::decode_at(text, at);
    width += static_cast<std::size_t>(notation::glyph(character).columns);
    at += character.bytes;
  }
  return width;
}

std::string format_count(double count) {
  return count < 1e6 ? fmt::format("{:.0f}", count) : fmt::format("{:.3g}", count);
}

Row row_of(std::size_t number, const PlanStep& step, const std::vector<std::string>& letters) {
  return {std::to_string(number),
          fmt::format("{}", fmt::join(step.operands, ",")),
          plan::step_text(step, letters),
          std::string(to_string(step.strategy)),
          step.backend,
          format_count(step.cost.macs),
          format_count(step.cost.elements),
          format_bytes(step.cost.bytes)};
}

std::string format_rows(const std::vector<Row>& rows) {
  std::array<std::size_t, kColumns> widths{};
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < kColumns; ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < kColumns; ++c) {
      const std::string gap(widths[c] - width_of(row[c]), ' ');
      line += (c == 0 ? "" : "  ") + (kRightAligned[c] ? gap + row[c] : row[c] + gap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string format_types(const Plan::Contents& contents) {
  const std::vector<DType>& dtypes = contents.input_dtypes;
  const bool same = std::adjacent_find(dtypes.begin(), dtypes.end(), std::not_equal_to<>()) == dtypes.end();
  return fmt::format("operands of {}, sums in {}, result {}, precision {}",
                     same ? to_string(dtypes.front()) : "mixed types", to_string(contents.accumulator_dtype),
                     to_string(contents.output_dtype), to_string(contents.precision));
}

std::string format_error(const Plan::Contents& contents) {
  const std::optional<double>& target = contents.target_forward_error;
  return fmt::format("error           at most {:.3g} sum |a b| (docs/precision.md){}\n", contents.error_bound,
                     target ? fmt::format(", asked for {:.3g}", *target) : "");
}

std::string format_totals(const Plan::Contents& contents) {
  std::string text = fmt::format("multiply-adds   {}", format_count(contents.macs));
  if (contents.macs > 0) {
    text += fmt::format(" ({} in one loop nest: {:.3g} times as many)", format_count(contents.naive_macs),
                        contents.naive_macs / contents.macs);
  }
  text += fmt::format("\nlargest tensor  {} elements\n", format_count(contents.largest_elements));
  text += fmt::format("peak memory     {} for intermediates and result\n", format_bytes(contents.peak_bytes));
  text += format_error(contents);
  return text;
}

// Each backend with its reason, once.
std::string format_reasons(const std::vector<PlanStep>& steps) {
  std::vector<std::string> lines;
  for (const PlanStep& step : steps) {
    const std::string line = fmt::format("{}: {}\n", step.backend, step.reason);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
  return fmt::format("{}", fmt::join(lines, ""));
}

}  // namespace

std::string Plan::to_table() const {
  const std::vector<std::string> letters = plan::label_letters(contents_.spec);
  std::vector<Row> rows{{"step", "tensors", "contraction", "strategy", "backend", "multiply-adds", "result elements",
                         "read and written"}};
  for (std::size_t s = 0; s < contents_.steps.size(); ++s) rows.push_back(row_of(s + 1, contents_.steps[s], letters));
  return fmt::format("{}\n{}\norder: {}, found in {:.3g} ms\n\n{}\n{}{}", subscripts(), format_types(contents_),
                     contents_.method, 1e3 * contents_.search_seconds, format_rows(rows), format_totals(contents_),
                     format_reasons(contents_.steps));
}

}  // namespace trntensor
