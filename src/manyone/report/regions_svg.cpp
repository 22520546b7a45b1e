// SPDX-License-Identifier: Apache-2.0
#include "manyone/report/regions_svg.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace manyone {

namespace {

constexpr Index kCells = 120;  // cells of the regions along each axis
constexpr double kPlot = 480;  // side of the plot, in pixels: four a cell
constexpr double kLeft = 64;
constexpr double kTop = 48;
constexpr double kLegend = 190;
constexpr double kBottom = 56;

/// Colours that people with any colour vision tell apart (Okabe and Ito); regions use them lightened.
constexpr std::array<std::string_view, 6> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};

std::string_view colour(int c) { return kColours[static_cast<std::size_t>(c) % kColours.size()]; }

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

/// One axis: values low..high along kPlot pixels.
struct Axis {
  double low;
  double high;

  double pixel(double value) const { return kPlot * (value - low) / (high - low); }
  double centre(Index cell) const { return low + (high - low) * (static_cast<double>(cell) + 0.5) / kCells; }
  /// Multiples of 1, 2 or 5 times a power of ten: about six.
  std::vector<double> ticks() const {
    const double rough = (high - low) / 6;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0}) {
      if (factor * power >= rough) step = factor * power;
    }
    std::vector<double> out;
    for (double k = std::ceil(low / step); k * step <= high; ++k) out.push_back(k == 0 ? 0 : k * step);  // never "-0"
    return out;
  }
};

/// The values with a twentieth of their range on both sides.
Axis axis_of(const Vector& values) {
  const double low = values.minCoeff();
  const double high = values.maxCoeff();
  const double margin = high > low ? (high - low) / 20 : 0.5;
  return {low - margin, high + margin};
}

/// Class of every cell, from the bottom row up.
std::vector<int> cell_classes(const Backend& backend, const Classifier& model, const Axis& x, const Axis& y) {
  Matrix centres(kCells * kCells, 2);
  for (Index r = 0; r < kCells; ++r) {
    for (Index c = 0; c < kCells; ++c) centres.row(r * kCells + c) << x.centre(c), y.centre(r);
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
                         side * static_cast<double>(end - c), side, colour(value));
      c = end;
    }
  }
  return out + "</g>\n";
}

/// Circle, square, triangle or diamond around (x, y).
std::string symbol(int c, double x, double y) {
  const std::string paint = fmt::format("fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.8\"", colour(c));
  switch (c % 4) {
    case 0: return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" {}/>\n", x, y, paint);
    case 1:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"7\" height=\"7\" {}/>\n", x - 3.5, y - 3.5, paint);
    case 2: return fmt::format("<path d=\"M{:.1f} {:.1f}l4.5 8h-9z\" {}/>\n", x, y - 5, paint);
    default: return fmt::format("<path d=\"M{:.1f} {:.1f}l4.5 4.5l-4.5 4.5l-4.5 -4.5z\" {}/>\n", x, y - 4.5, paint);
  }
}

std::string axes(const Axis& x, const Axis& y, const std::array<std::string, 2>& names) {
  std::string out = fmt::format("<rect width=\"{0:g}\" height=\"{0:g}\" fill=\"none\" stroke=\"#333333\"/>\n", kPlot);
  out += "<g font-size=\"12\" fill=\"#333333\" stroke=\"none\">\n";
  for (const double tick : x.ticks()) {
    out += fmt::format(
        "<path d=\"M{0:.1f} {1:g}v5\" stroke=\"#333333\"/><text x=\"{0:.1f}\" y=\"{2:g}\" "
        "text-anchor=\"middle\">{3:.3g}</text>\n",
        x.pixel(tick), kPlot, kPlot + 18, tick);
  }
  for (const double tick : y.ticks()) {
    const double at = kPlot - y.pixel(tick);
    out += fmt::format(
        "<path d=\"M0 {0:.1f}h-5\" stroke=\"#333333\"/><text x=\"-9\" y=\"{1:.1f}\" "
        "text-anchor=\"end\">{2:.3g}</text>\n",
        at, at + 4, tick);
  }
  out += fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\" font-size=\"14\">{}</text>\n", kPlot / 2,
                     kPlot + 42, escaped(names[0]));
  out += fmt::format(
      "<text transform=\"translate(-42 {:g}) rotate(-90)\" text-anchor=\"middle\" font-size=\"14\">{}"
      "</text>\n",
      kPlot / 2, escaped(names[1]));
  return out + "</g>\n";
}

std::string legend(const std::vector<std::string>& classes) {
  std::string out = "<g font-size=\"14\" fill=\"#333333\">\n";
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const double y = 14 + 24 * static_cast<double>(c);
    out += symbol(static_cast<int>(c), kPlot + 22, y);
    out += fmt::format("<text x=\"{:g}\" y=\"{:g}\">{}</text>\n", kPlot + 34, y + 5, escaped(classes[c]));
  }
  return out + "</g>\n";
}

}  // namespace

std::string regions_svg(const Backend& backend, const Classifier& model, const Dataset& points,
                        const RegionsLabels& labels) {
  const Matrix at = points.features.dense_rows(0, points.rows());
  const Axis x = axis_of(at.col(0));
  const Axis y = axis_of(at.col(1));
  const double width = kLeft + kPlot + kLegend;
  const double height = kTop + kPlot + kBottom;
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" "
      "height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" role=\"img\" aria-labelledby=\"title desc\" "
      "font-family=\"sans-serif\">\n<title id=\"title\">{2}</title>\n<desc id=\"desc\">{3}</desc>\n",
      width, height, escaped(labels.title), escaped(labels.description));
  out += fmt::format("<rect width=\"{:g}\" height=\"{:g}\" fill=\"#ffffff\"/>\n", width, height);
  out += fmt::format("<text x=\"{:g}\" y=\"28\" font-size=\"16\" fill=\"#333333\">{}</text>\n", kLeft,
                     escaped(labels.title));
  out += fmt::format("<g transform=\"translate({:g} {:g})\">\n", kLeft, kTop);
  out += regions(cell_classes(backend, model, x, y));
  out += "<g>\n";
  for (Index i = 0; i < points.rows(); ++i) {
    out += symbol(points.labels[static_cast<std::size_t>(i)], x.pixel(at(i, 0)), kPlot - y.pixel(at(i, 1)));
  }
  out += "</g>\n" + axes(x, y, labels.axes) + legend(points.classes);
  return out + "</g>\n</svg>\n";
}

}  // namespace manyone
