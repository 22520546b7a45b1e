// SPDX-License-Identifier: Apache-2.0
//
// RawTable -> Dataset: writes features and labels by the Schema that table_schema finds.
#pragma once

#include "data/outline/raw_table.hpp"
#include "data/table_reader.hpp"

namespace manyone {

/// Throws InputError for a table without rows, with one class, with a number column that holds a few words or a column
/// that holds nothing; MemoryError when the features would not fit.
Dataset encode_table(RawTable table, const ReadOptions& options);

}  // namespace manyone
