// SPDX-License-Identifier: Apache-2.0
#include "manyone/report/regions_svg.hpp"

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
std::vector<int> cell_classes(const Backend& backend, const Classifier& model, const PlotAxis& x, const PlotAxis& y) {
  Matrix centres(kCells * kCells, 2);
  for (Index r = 0; r < kCells; ++r) {
    for (Index c = 0; c < kCells; ++c) centres.row(r * kCells + c) << cell_centre(x, c), cell_centre(y, r);
  }
  return model.predict(backend, centres);
}

/// Equal neighbours in a row make one rectangle.
std::string regions(const std::vector<int>& classes) {
  constexpr double side = kPlot / kCells;
  std::string out = "<g shape-rendering=\"crispEdges\" fill-opacity=\"0.3\">\n";
  for (Index r = 0; r < kCells; ++r) {
    for (Index c = 0; c < kCells;) {
      const int value = classes[static_cast<std::size_t>(r * kCells + c)];
      Index end = c + 1;
      while (end < kCells && classes[static_cast<std::size_t>(r * kCells + end)] == value) ++end;
      out += fmt::format("<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" fill=\"{}\"/>\n",
                         side * static_cast<double>(c), kPlot - side * static_cast<double>(r + 1),
                         side * static_cast<double>(end - c), side, plot_colour(static_cast<std::size_t>(value)));
      c = end;
    }
  }
  return out + "</g>\n";
}

std::string legend(const std::vector<std::string>& classes) {
  std::string out = "<g font-size=\"14\" fill=\"#333333\">\n";
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const double y = 14 + 24 * static_cast<double>(c);
    out += plot_symbol(static_cast<int>(c), kPlot + 22, y);
    out += fmt::format("<text x=\"{:g}\" y=\"{:g}\">{}</text>\n", kPlot + 34, y + 5, xml_escaped(classes[c]));
  }
  return out + "</g>\n";
}

}  // namespace

std::string regions_svg(const Backend& backend, const Classifier& model, const Dataset& points,
                        const RegionsLabels& labels) {
  const Matrix at = points.features.dense_rows(0, points.rows());
  const PlotAxis x = axis_around(at.col(0), kPlot, labels.axes[0]);
  const PlotAxis y = axis_around(at.col(1), kPlot, labels.axes[1]);
  std::string out = regions(cell_classes(backend, model, x, y));
  out += "<g>\n";
  for (Index i = 0; i < points.rows(); ++i) {
    out += plot_symbol(points.labels[static_cast<std::size_t>(i)], x.pixel(at(i, 0)), kPlot - y.pixel(at(i, 1)));
  }
  out += "</g>\n" + plot_axes(x, y) + legend(points.classes);
  return plot_document({labels.title, labels.description}, x, y, out);
}

}  // namespace manyone
