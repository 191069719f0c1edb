// A report as tables, for the terminal and for documents alike.
#pragma once

#include <string>
#include <vector>

#include "cli/bench/report.hpp"
#include "cli/table.hpp"

namespace trntensor::cli::bench {

struct Table {
  std::vector<Column> columns;
  std::vector<Row> rows;
};

Table peak_table(const Floors& floors);
Table bandwidth_table(const Floors& floors);
Table peer_table(const Report& report);
Table summary_table(const Report& report);

/// All cases with what they cost, whether measured or not.
Table list_table(const Report& report);

/// The cases of one group; the group itself is in no column.
Table case_table(const Report& report, const Summary& group);

/// "tccg, float64, 1 thread".
std::string title_of(const Summary& group);

}  // namespace trntensor::cli::bench
