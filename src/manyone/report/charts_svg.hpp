// SPDX-License-Identifier: Apache-2.0
//
// Charts as SVG: lines over lengths, and rows of a table in two dimensions.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "manyone/report/svg_plot.hpp"

namespace manyone {

/// A line of the chart. Runs are the values at 1, 2, ...; several are drawn faintly, with their mean on top.
struct ChartLine {
  std::string name;
  std::vector<std::vector<double>> runs;

  std::vector<double> mean() const;
};

/// A whole document; the y axis starts at 0.
std::string lines_svg(const PlotText& text, const std::array<std::string, 2>& axes, std::span<const ChartLine> lines);

/// A whole document: rows of `points` (n x 2) as the names of their classes, which are to be short.
std::string scatter_svg(const PlotText& text, const std::array<std::string, 2>& axes, const Matrix& points,
                        std::span<const int> labels, const std::vector<std::string>& classes);

}  // namespace manyone
