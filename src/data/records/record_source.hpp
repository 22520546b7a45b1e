// SPDX-License-Identifier: Apache-2.0
//
// Opening a table for training: the reader of its rows, and which of the options its format can follow.
#pragma once

#include <memory>

#include "data/bytes/byte_window.hpp"
#include "data/records/record.hpp"
#include "data/table_reader.hpp"

namespace manyone {

/// LIBSVM and IDX keep labels apart and have numbers only: there are no columns to choose. Throws ConfigError when the
/// options name one.
void refuse_column_options(TableFormat format, const ReadOptions& options);

/// Throws MemoryError when not even the names and tallies of so many columns fit.
void require_columns(const MemoryBudget& memory, std::size_t count, const std::string& file);

/// The rows of a CSV or ARFF file. Throws InputError.
std::unique_ptr<RecordReader> open_records(ByteWindow window, TableFormat format, const ReadOptions& options);

}  // namespace manyone
