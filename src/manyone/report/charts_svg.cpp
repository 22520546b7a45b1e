// SPDX-License-Identifier: Apache-2.0
#include "manyone/report/charts_svg.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace manyone {

namespace {

constexpr double kWidth = 560;
constexpr double kHeight = 380;
constexpr double kScatterSide = 480;
constexpr double kLegendStep = 24;

std::string line(const std::vector<double>& values, const PlotAxis& x, const PlotAxis& y, const std::string& paint) {
  std::string points;
  for (std::size_t k = 0; k < values.size(); ++k)
    points += fmt::format("{}{:.1f},{:.1f}", k == 0 ? "" : " ", x.pixel(static_cast<double>(k + 1)),
                          y.pixels - y.pixel(values[k]));
  return fmt::format("<polyline points=\"{}\" fill=\"none\" {}/>\n", points, paint);
}

}  // namespace

std::vector<double> ChartLine::mean() const {
  std::vector<double> out(runs.front().size(), 0);
  for (const auto& run : runs) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += run[k] / static_cast<double>(runs.size());
  }
  return out;
}

std::string lines_svg(const PlotText& text, const std::array<std::string, 2>& axes, std::span<const ChartLine> lines) {
  double highest = 0;
  std::size_t longest = 2;
  for (const ChartLine& one : lines) {
    for (const auto& run : one.runs) {
      highest = std::max(highest, *std::max_element(run.begin(), run.end()));
      longest = std::max(longest, run.size());
    }
  }
  const PlotAxis x{0.5, static_cast<double>(longest) + 0.5, kWidth, axes[0]};
  const PlotAxis y{0, highest > 0 ? 1.05 * highest : 1, kHeight, axes[1]};
  std::string out = plot_axes(x, y, true);
  std::string legend = "<g font-size=\"14\" fill=\"#333333\">\n";
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto colour = plot_colour(k);
    if (lines[k].runs.size() > 1) {
      for (const auto& run : lines[k].runs)
        out += line(run, x, y, fmt::format("stroke=\"{}\" stroke-width=\"1\" stroke-opacity=\"0.35\"", colour));
    }
    const auto mean = lines[k].mean();
    out += line(mean, x, y, fmt::format("stroke=\"{}\" stroke-width=\"2\"", colour));
    for (std::size_t j = 0; j < mean.size(); ++j)
      out += plot_symbol(static_cast<int>(k), x.pixel(static_cast<double>(j + 1)), y.pixels - y.pixel(mean[j]));
    const double at = 14 + kLegendStep * static_cast<double>(k);
    legend += fmt::format("<path d=\"M{:g} {:g}h28\" stroke=\"{}\" stroke-width=\"2\"/>\n", kWidth + 16, at, colour);
    legend += plot_symbol(static_cast<int>(k), kWidth + 30, at);
    legend += fmt::format("<text x=\"{:g}\" y=\"{:g}\">{}</text>\n", kWidth + 52, at + 5, xml_escaped(lines[k].name));
  }
  return plot_document(text, x, y, out + legend + "</g>\n");
}

std::string scatter_svg(const PlotText& text, const std::array<std::string, 2>& axes, const Matrix& points,
                        std::span<const int> labels, const std::vector<std::string>& classes) {
  const PlotAxis x = axis_around(points.col(0), kScatterSide, axes[0]);
  const PlotAxis y = axis_around(points.col(1), kScatterSide, axes[1]);
  std::string out = plot_axes(x, y, true);
  out += "<g font-size=\"14\" font-weight=\"bold\" text-anchor=\"middle\">\n";
  const auto sign = [&](std::size_t c, double across, double down) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">{}</text>\n", across, down + 5, plot_colour(c),
                       xml_escaped(classes[c]));
  };
  for (Index i = 0; i < points.rows(); ++i)
    out += sign(static_cast<std::size_t>(labels[static_cast<std::size_t>(i)]), x.pixel(points(i, 0)),
                kScatterSide - y.pixel(points(i, 1)));
  for (std::size_t c = 0; c < classes.size(); ++c)
    out += sign(c, kScatterSide + 26, 14 + kLegendStep * static_cast<double>(c));
  out += "</g>\n<g font-size=\"14\" fill=\"#333333\">\n";
  for (std::size_t c = 0; c < classes.size(); ++c)
    out += fmt::format("<text x=\"{:g}\" y=\"{:g}\">class {}</text>\n", kScatterSide + 40,
                       19 + kLegendStep * static_cast<double>(c), xml_escaped(classes[c]));
  return plot_document(text, x, y, out + "</g>\n");
}

}  // namespace manyone
