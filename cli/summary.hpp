// SPDX-License-Identifier: Apache-2.0
//
// The lines that fit and tune say to people.
#pragma once

#include <string>

#include "cli/options.hpp"
#include "selection/tune.hpp"

namespace manyone::cli {

/// "iris.csv: 150 rows, 4 features, 3 classes"
std::string table_line(const RowSource& table);
/// "gaussian kernel, sigma 0.71, ridge 0.031"
std::string parameter_line(const std::string& machine, const Kernel& kernel, double ridge);
/// An error and what it is about.
std::string estimate_text(const CvSummary& cv);
/// Error, how it was found, and how to get an honest one.
std::string error_line(const Tuning& tuning);
void note_dropped(const Program& program, const RowSource& table);

}  // namespace manyone::cli
