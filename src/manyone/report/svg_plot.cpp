// SPDX-License-Identifier: Apache-2.0
#include "manyone/report/svg_plot.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace manyone {

namespace {

constexpr double kLeft = 64;
constexpr double kTop = 48;
constexpr double kLegend = 190;
constexpr double kBottom = 56;

// The first six by Okabe and Ito, then four by Tol.
constexpr std::array<std::string_view, 10> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                                       "#56b4e9", "#882255", "#7f7f7f", "#117733", "#332288"};

}  // namespace

std::vector<double> PlotAxis::ticks() const {
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

PlotAxis axis_around(const Vector& values, double pixels, std::string name) {
  const double low = values.minCoeff();
  const double high = values.maxCoeff();
  const double margin = high > low ? (high - low) / 20 : 0.5;
  return {low - margin, high + margin, pixels, std::move(name)};
}

std::string_view plot_colour(std::size_t k) { return kColours[k % kColours.size()]; }

std::string xml_escaped(std::string_view text) {
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

std::string plot_symbol(int c, double x, double y) {
  const std::string paint =
      fmt::format("fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.8\"", plot_colour(static_cast<std::size_t>(c)));
  switch (c % 4) {
    case 0: return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" {}/>\n", x, y, paint);
    case 1:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"7\" height=\"7\" {}/>\n", x - 3.5, y - 3.5, paint);
    case 2: return fmt::format("<path d=\"M{:.1f} {:.1f}l4.5 8h-9z\" {}/>\n", x, y - 5, paint);
    default: return fmt::format("<path d=\"M{:.1f} {:.1f}l4.5 4.5l-4.5 4.5l-4.5 -4.5z\" {}/>\n", x, y - 4.5, paint);
  }
}

std::string plot_regions(std::span<const int> classes, Index width, Index height, double pixels) {
  const double dx = pixels / static_cast<double>(width);
  const double dy = pixels / static_cast<double>(height);
  std::string out = "<g shape-rendering=\"crispEdges\" fill-opacity=\"0.3\">\n";
  for (Index r = 0; r < height; ++r) {
    for (Index c = 0; c < width;) {  // equal neighbours in a row make one rectangle
      const int value = classes[static_cast<std::size_t>(r * width + c)];
      Index end = c + 1;
      while (end < width && classes[static_cast<std::size_t>(r * width + end)] == value) ++end;
      out += fmt::format("<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" fill=\"{}\"/>\n",
                         dx * static_cast<double>(c), pixels - dy * static_cast<double>(r + 1),
                         dx * static_cast<double>(end - c), dy, plot_colour(static_cast<std::size_t>(value)));
      c = end;
    }
  }
  return out + "</g>\n";
}

std::string plot_legend(const std::vector<std::string>& classes, double right) {
  std::string out = "<g font-size=\"14\" fill=\"#333333\">\n";
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const double y = 14 + 24 * static_cast<double>(c);
    out += plot_symbol(static_cast<int>(c), right + 22, y);
    out += fmt::format("<text x=\"{:g}\" y=\"{:g}\">{}</text>\n", right + 34, y + 5, xml_escaped(classes[c]));
  }
  return out + "</g>\n";
}

std::string plot_axes(const PlotAxis& x, const PlotAxis& y, bool grid) {
  std::string out;
  if (grid) {
    out += "<g stroke=\"#e4e4e4\">\n";
    for (const double tick : x.ticks()) out += fmt::format("<path d=\"M{:.1f} 0v{:g}\"/>\n", x.pixel(tick), y.pixels);
    for (const double tick : y.ticks())
      out += fmt::format("<path d=\"M0 {:.1f}h{:g}\"/>\n", y.pixels - y.pixel(tick), x.pixels);
    out += "</g>\n";
  }
  out += fmt::format("<rect width=\"{:g}\" height=\"{:g}\" fill=\"none\" stroke=\"#333333\"/>\n", x.pixels, y.pixels);
  out += "<g font-size=\"12\" fill=\"#333333\" stroke=\"none\">\n";
  for (const double tick : x.ticks()) {
    out += fmt::format(
        "<path d=\"M{0:.1f} {1:g}v5\" stroke=\"#333333\"/><text x=\"{0:.1f}\" y=\"{2:g}\" "
        "text-anchor=\"middle\">{3:.3g}</text>\n",
        x.pixel(tick), y.pixels, y.pixels + 18, tick);
  }
  for (const double tick : y.ticks()) {
    const double at = y.pixels - y.pixel(tick);
    out += fmt::format(
        "<path d=\"M0 {0:.1f}h-5\" stroke=\"#333333\"/><text x=\"-9\" y=\"{1:.1f}\" "
        "text-anchor=\"end\">{2:.3g}</text>\n",
        at, at + 4, tick);
  }
  out += fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\" font-size=\"14\">{}</text>\n", x.pixels / 2,
                     y.pixels + 42, xml_escaped(x.name));
  out += fmt::format(
      "<text transform=\"translate(-42 {:g}) rotate(-90)\" text-anchor=\"middle\" font-size=\"14\">{}"
      "</text>\n",
      y.pixels / 2, xml_escaped(y.name));
  return out + "</g>\n";
}

std::string plot_document(const PlotText& text, const PlotAxis& x, const PlotAxis& y, const std::string& drawing) {
  const double width = kLeft + x.pixels + kLegend;
  const double height = kTop + y.pixels + kBottom;
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" "
      "height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" role=\"img\" aria-labelledby=\"title desc\" "
      "font-family=\"sans-serif\">\n<title id=\"title\">{2}</title>\n<desc id=\"desc\">{3}</desc>\n",
      width, height, xml_escaped(text.title), xml_escaped(text.description));
  out += fmt::format("<rect width=\"{:g}\" height=\"{:g}\" fill=\"#ffffff\"/>\n", width, height);
  out += fmt::format("<text x=\"{:g}\" y=\"28\" font-size=\"16\" fill=\"#333333\">{}</text>\n", kLeft,
                     xml_escaped(text.title));
  return out + fmt::format("<g transform=\"translate({:g} {:g})\">\n", kLeft, kTop) + drawing + "</g>\n</svg>\n";
}

}  // namespace manyone
