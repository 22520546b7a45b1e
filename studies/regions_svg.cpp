// SPDX-License-Identifier: Apache-2.0
#include "studies/regions_svg.hpp"

#include <vector>

#include <fmt/format.h>

#include "manyone/report/svg_plot.hpp"

namespace manyone {

namespace {

constexpr Index kCells = 120;  // cells of the regions along each axis
constexpr double kPlot = 480;  // side of the plot, in pixels: four a cell

double cell_centre(const PlotAxis& axis, Index cell) {
  return axis.low + (axis.high - axis.low) * (static_cast<double>(cell) + 0.5) / kCells;
}

/// Class of every cell, from the bottom row up.
std::vector<int> cell_classes(const Backend& backend, const Model& model, const PlotAxis& x, const PlotAxis& y) {
  Matrix centres(kCells * kCells, 2);
  for (Index r = 0; r < kCells; ++r) {
    for (Index c = 0; c < kCells; ++c) centres.row(r * kCells + c) << cell_centre(x, c), cell_centre(y, r);
  }
  return model.predict(backend, centres);
}

}  // namespace

std::string regions_svg(const Backend& backend, const Model& model, const Dataset& points,
                        const RegionsLabels& labels) {
  const Matrix at = points.features.dense_rows(0, points.rows());
  const PlotAxis x = axis_around(at.col(0), kPlot, labels.axes[0]);
  const PlotAxis y = axis_around(at.col(1), kPlot, labels.axes[1]);
  std::string out = plot_regions(cell_classes(backend, model, x, y), kCells, kCells, kPlot);
  out += "<g>\n";
  for (Index i = 0; i < points.rows(); ++i) {
    out += plot_symbol(points.labels[static_cast<std::size_t>(i)], x.pixel(at(i, 0)), kPlot - y.pixel(at(i, 1)));
  }
  out += "</g>\n" + plot_axes(x, y) + plot_legend(points.classes, kPlot);
  return plot_document({labels.title, labels.description}, x, y, out);
}

}  // namespace manyone
