// SPDX-License-Identifier: Apache-2.0
//
// What SVG pictures share: axes with round ticks, colours, the document around a plot. Pictures are light, name
// themselves for those who cannot see them, and use no fonts or files of their own.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "manyone/base/matrix.hpp"

namespace manyone {

/// One axis: values low..high along so many pixels.
struct PlotAxis {
  double low = 0;
  double high = 1;
  double pixels = 480;
  std::string name = {};

  double pixel(double value) const { return pixels * (value - low) / (high - low); }
  /// Multiples of 1, 2 or 5 times a power of ten: about six.
  std::vector<double> ticks() const;
};

/// The values with a twentieth of their range on both sides.
PlotAxis axis_around(const Vector& values, double pixels, std::string name);

struct PlotText {
  std::string title;
  std::string description;  ///< for those who cannot see the picture
};

/// Ten colours that people with any colour vision tell apart, over and over.
std::string_view plot_colour(std::size_t k);
/// Circle, square, triangle or diamond around (x, y).
std::string plot_symbol(int c, double x, double y);
/// With & < > and quotes written out, control characters as spaces.
std::string xml_escaped(std::string_view text);

/// A square of so many pixels in cells of classes, row by row from the bottom: faint rectangles.
std::string plot_regions(std::span<const int> classes, Index width, Index height, double pixels);
/// The symbols of classes and their names, on the right of a plot that ends there.
std::string plot_legend(const std::vector<std::string>& classes, double right);

/// Frame, ticks and names; `grid`: with faint lines at the ticks.
std::string plot_axes(const PlotAxis& x, const PlotAxis& y, bool grid = false);
/// A whole document around what is drawn in pixels of the plot, y downwards; room for a legend is on its right.
std::string plot_document(const PlotText& text, const PlotAxis& x, const PlotAxis& y, const std::string& drawing);

}  // namespace manyone
