// SPDX-License-Identifier: Apache-2.0
//
// Small side files made of numbers only (labelbooks, row weights, fold lists): comma, semicolon, tab or blank
// separated, one row a line; a first line without a single number is a header. Data tables have a reader of their own.
#pragma once

#include <string>
#include <vector>

#include "base/matrix.hpp"
#include "base/memory.hpp"

namespace manyone {

/// Throws InputError with file, line and column for a missing file, a ragged row or something that is not a finite
/// number, MemoryError for one that does not end soon enough.
Matrix read_number_table(const std::string& path, const MemoryBudget& memory = {});

/// The non-empty lines of a file, without blanks at their ends. Throws InputError when it cannot be read, MemoryError
/// likewise.
std::vector<std::string> read_lines(const std::string& path, const MemoryBudget& memory = {});

}  // namespace manyone
