// SPDX-License-Identifier: Apache-2.0
//
// Tables and percentages for people who read a terminal.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "selection/cells.hpp"
#include "statistics/metrics.hpp"

namespace manyone {

/// "12.34 %"
std::string percent(double part);

/// What an error has to be compared with: "always guessing the most frequent class: 66.67 %".
std::string majority_line(double majority_error);

/// Rows of cells, columns aligned; the first row is a head and underlined. Columns of numbers are flush right, others
/// left.
/// `colour`: a background for the cell of a row and column, 0..255 of a terminal's colours; below 0: none.
std::string text_table(const std::vector<std::vector<std::string>>& rows,
                       const std::function<int(std::size_t, std::size_t)>& colour = {});

/// Error, balanced error, per-class table and, up to 30 classes, the confusion matrix; beyond that the commonest
/// confusions.
std::string metrics_text(const Metrics& metrics, const std::vector<std::string>& classes);

/// A full grid as a table of errors in percent (sigma down, ridge across, both as powers of two where they are); other
/// surfaces as a list of the best ten cells. The best cell is marked with '*'. In colour the cells of a grid are darker
/// the fewer errors they have.
std::string surface_text(const std::vector<Cell>& surface, const Cell& chosen, bool has_sigma, bool in_colour = false);

}  // namespace manyone
