// SPDX-License-Identifier: Apache-2.0
//
// Rows as text that other programs read: CSV and LIBSVM. Numbers are the shortest decimals that read back to the same
// doubles.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/features.hpp"

namespace manyone {

/// A cell of a CSV file: quoted where a comma, a quote or a line end is in it.
std::string csv_cell(const std::string& text);

/// What stands for each class in LIBSVM files, whose labels are whole numbers: the class itself if all are, else 1, 2,
/// ... in class order.
std::vector<std::string> libsvm_labels(const std::vector<std::string>& classes);

/// "label 1:0.5 3:2", zeros left out, with a line end.
void append_libsvm_row(std::string& out, const std::string& label, const Features& rows, Index row);

/// "0.5,0,2,label" with a line end; `label` is a cell already, nothing: no label.
void append_csv_row(std::string& out, const Features& rows, Index row, const std::optional<std::string>& label);

}  // namespace manyone
