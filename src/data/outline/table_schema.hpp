// SPDX-License-Identifier: Apache-2.0
//
// What the columns of a table become: from the tallies of a RawTable and the TableSummary of its cells to Schema and
// classes. The rows themselves are not needed, so that tables in memory and tables on disk are described by one code.
#pragma once

#include <string>
#include <vector>

#include "data/outline/raw_table.hpp"
#include "data/outline/table_summary.hpp"
#include "data/schema.hpp"

namespace manyone {

/// Throws InputError for a table without rows, with a number column that holds a few words or a column that holds
/// nothing.
void check_columns(const RawTable& table, const TableSummary& summary);

/// Precondition: check_columns() had no objection, the identifiers are marked and the summary has counted every nominal
/// column.
Schema describe_columns(const RawTable& table, const TableSummary& summary, MissingPolicy missing);

/// The classes in class order. Throws InputError if there is one only.
std::vector<std::string> find_classes(const RawTable& table);

}  // namespace manyone
