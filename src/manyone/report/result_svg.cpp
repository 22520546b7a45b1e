// SPDX-License-Identifier: Apache-2.0
#include "manyone/report/result_svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"
#include "manyone/report/charts_svg.hpp"
#include "manyone/report/svg_plot.hpp"

namespace manyone {

namespace {

constexpr double kSide = 480;

/// A shade of blue: 0 white, 1 dark.
std::string shade(double share) {
  const double t = std::clamp(share, 0.0, 1.0);
  const auto mix = [t](double light, double dark) { return static_cast<int>(std::lround(light + t * (dark - light))); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(247, 8), mix(251, 81), mix(255, 156));
}

std::string rectangle(double x, double y, double width, double height, const std::string& fill,
                      const std::string& more = "") {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" {}/>\n", x, y,
                     width, height, fill, more);
}

std::string words(double x, double y, const std::string& text, const std::string& more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, more, xml_escaped(text));
}

std::vector<std::string> names_of(const Json& list) { return list.get<std::vector<std::string>>(); }

std::string surface_svg(const Json& result) {
  const Json& cells = result.at("surface");
  const std::string parameter = cells[0].contains("cost") ? "cost" : "ridge";
  const bool has_sigma = cells[0].contains("sigma");
  std::set<double> across;
  std::set<double> up;
  double best = 1;
  double worst = 0;
  for (const Json& cell : cells) {
    if (has_sigma) across.insert(std::log2(cell.at("sigma").get<double>()));
    up.insert(std::log2(cell.at(parameter).get<double>()));
    best = std::min(best, cell.at("error").get<double>());
    worst = std::max(worst, cell.at("error").get<double>());
  }
  if (!has_sigma) across.insert(0);
  const auto step = [](const std::set<double>& values) {
    double out = 4;
    for (auto at = values.begin(); at != values.end() && std::next(at) != values.end(); ++at) {
      out = std::min(out, *std::next(at) - *at);
    }
    return std::max(out, 0.1);
  };
  const double dx = step(across);
  const double dy = step(up);
  const PlotAxis x{*across.begin() - dx / 2, *across.rbegin() + dx / 2, kSide, has_sigma ? "log2 sigma" : ""};
  const PlotAxis y{*up.begin() - dy / 2, *up.rbegin() + dy / 2, kSide, "log2 " + parameter};
  std::string out;
  bool marked = false;
  for (const Json& cell : cells) {
    const double error = cell.at("error").get<double>();
    const double left = x.pixel((has_sigma ? std::log2(cell.at("sigma").get<double>()) : 0) - dx / 2);
    const double top = kSide - y.pixel(std::log2(cell.at(parameter).get<double>()) + dy / 2);
    const double width = x.pixel(x.low + dx);
    const double height = y.pixel(y.low + dy);
    const double share = worst > best ? 1 - std::sqrt((error - best) / (worst - best)) : 1;
    const bool chosen = !marked && error == best;
    marked = marked || chosen;
    out += rectangle(left, top, width, height, shade(share), chosen ? "stroke=\"#d55e00\" stroke-width=\"3\"" : "");
    if (width > 34 && height > 14) {
      out += words(
          left + width / 2, top + height / 2 + 4, fmt::format("{:.1f}", 100 * error),
          fmt::format("font-size=\"11\" text-anchor=\"middle\" fill=\"{}\"", share > 0.55 ? "#ffffff" : "#333333"));
    }
  }
  return plot_document({"Errors of the search",
                        fmt::format("Cross-validation error in percent of {} settings; the smallest is {:.2f} percent.",
                                    cells.size(), 100 * best)},
                       x, y, out + plot_axes(x, y));
}

std::string confusion_svg(const Json& judged) {
  const auto labels = names_of(judged.at("confusion").at("labels"));
  const auto counts = judged.at("confusion").at("counts").get<std::vector<std::vector<double>>>();
  const auto L = static_cast<double>(labels.size());
  const PlotAxis x{0, L, kSide, ""};
  const PlotAxis y{0, L, kSide, ""};
  const double side = kSide / L;
  std::string out;
  for (std::size_t r = 0; r < labels.size(); ++r) {
    double total = 0;
    for (const double count : counts.at(r)) total += count;
    for (std::size_t c = 0; c < labels.size(); ++c) {
      const double count = counts[r].at(c);
      if (count == 0) continue;
      const double share = count / total;
      const double left = side * static_cast<double>(c);
      const double top = side * static_cast<double>(r);
      out += rectangle(left, top, side, side, r == c ? shade(share) : "#d55e00",
                       r == c ? "" : fmt::format("fill-opacity=\"{:.2f}\"", 0.25 + 0.75 * share));
      if (side > 18) {
        out += words(left + side / 2, top + side / 2 + 4, fmt::format("{:g}", count),
                     fmt::format("font-size=\"11\" text-anchor=\"middle\" fill=\"{}\"",
                                 r == c && share > 0.55 ? "#ffffff" : "#222222"));
      }
    }
  }
  out += fmt::format("<rect width=\"{0:g}\" height=\"{0:g}\" fill=\"none\" stroke=\"#888888\"/>\n", kSide);
  const double size = std::clamp(side * 0.8, 5.0, 13.0);
  for (std::size_t c = 0; c < labels.size(); ++c) {
    const double middle = side * (static_cast<double>(c) + 0.5);
    const std::string look = fmt::format("font-size=\"{:.1f}\" fill=\"#333333\"", size);
    out += words(-6, middle + size / 3, labels[c], look + " text-anchor=\"end\"");
    out += words(middle, kSide + 4 + size, labels[c], look + " text-anchor=\"middle\"");
  }
  out += words(kSide / 2, kSide + 40, "taken for", "font-size=\"14\" text-anchor=\"middle\" fill=\"#333333\"");
  out += words(kSide + 12, 16, "rows: true class", "font-size=\"14\" fill=\"#333333\"");
  return plot_document(
      {"Confusion matrix", fmt::format("{} rows of {} classes; error {:.2f} percent.", judged.at("n").get<long>(),
                                       labels.size(), 100 * judged.at("error").get<double>())},
      x, y, out);
}

std::string reliability_svg(const Json& judged) {
  const PlotAxis x{0, 1, kSide, "probability that the model states"};
  const PlotAxis y{0, 1, kSide, "share that is right"};
  std::string out = plot_axes(x, y, true);
  out += fmt::format("<path d=\"M0 {0:g}L{0:g} 0\" stroke=\"#888888\" stroke-dasharray=\"5 4\"/>\n", kSide);
  std::string line;
  for (const Json& bin : judged.at("reliability")) {
    const double across = x.pixel(bin.at("confidence").get<double>());
    const double down = kSide - y.pixel(bin.at("accuracy").get<double>());
    line += fmt::format("{}{:.1f},{:.1f}", line.empty() ? "" : " ", across, down);
    const double share = bin.at("rows").get<double>() / judged.at("n").get<double>();
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"/>\n", across, down,
                       3 + 9 * std::sqrt(share), plot_colour(0));
  }
  out +=
      fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", line, plot_colour(0));
  return plot_document(
      {"Can its probabilities be believed?", fmt::format("Calibration error {:.2f} percent; larger points, more rows.",
                                                         100 * judged.at("calibration_error").get<double>())},
      x, y, out);
}

std::string projection_svg(const Json& projection, const std::vector<std::string>& classes) {
  const Json& points = projection.at("points");
  Matrix at(static_cast<Index>(points.size()), 2);
  for (std::size_t i = 0; i < points.size(); ++i) {
    at.row(static_cast<Index>(i)) << points[i].at("x").get<double>(), points[i].at("y").get<double>();
  }
  const PlotAxis x = axis_around(at.col(0), kSide, "first direction");
  const PlotAxis y = axis_around(at.col(1), kSide, "second direction");
  std::string out = plot_axes(x, y, true);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const int label = points[i].at("label").get<int>();
    const auto row = static_cast<Index>(i);
    const double across = x.pixel(at(row, 0));
    const double down = kSide - y.pixel(at(row, 1));
    out += plot_symbol(label, across, down);
    if (label != points[i].at("predicted").get<int>()) {
      out +=
          fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"7\" fill=\"none\" stroke=\"#222222\"/>\n", across, down);
    }
  }
  return plot_document({"The classes on a map", fmt::format("{} rows on the two directions that separate the classes "
                                                            "best; those taken for another class have a ring.",
                                                            points.size())},
                       x, y, out + plot_legend(classes, kSide));
}

std::string regions_figure(const Json& regions, const std::vector<std::string>& classes) {
  const auto ends = [&](const char* axis) { return regions.at(axis).get<std::array<double, 2>>(); };
  const auto names = names_of(regions.at("features"));
  const PlotAxis x{ends("x")[0], ends("x")[1], kSide, names.at(0)};
  const PlotAxis y{ends("y")[0], ends("y")[1], kSide, names.at(1)};
  const auto width = regions.at("width").get<Index>();
  const auto height = regions.at("height").get<Index>();
  const auto cells = regions.at("classes").get<std::vector<int>>();
  if (width < 1 || height < 1 || width > 4096 || height > 4096 || static_cast<Index>(cells.size()) != width * height ||
      *std::min_element(cells.begin(), cells.end()) < 0) {
    throw std::out_of_range("regions");
  }
  std::string out = plot_regions(cells, width, height, kSide);
  for (const Json& point : regions.at("points")) {
    out += plot_symbol(point.at("label").get<int>(), x.pixel(point.at("x").get<double>()),
                       kSide - y.pixel(point.at("y").get<double>()));
  }
  return plot_document(
      {"What the model says where", "The class it gives over two features, the others at their medians."}, x, y,
      out + plot_axes(x, y) + plot_legend(classes, kSide));
}

/// An end of the interval of a pair, or the difference itself where there is none.
double end_of(const Json& pair, const char* end) {
  return pair.at(pair.at(end).is_null() ? "difference" : end).get<double>();
}

/// The test refuses every difference, none as well: nothing is shown to be significant (compare.hpp).
bool inconsistent(const Json& pair) {
  return pair.at("low").is_null() && pair.at("statistic").is_number() && pair.at("statistic").get<double>() > 0;
}

std::string differences_svg(const Json& pairs) {
  constexpr double row = 38;
  const double height = row * static_cast<double>(pairs.size());
  double reach = 0;
  for (const Json& pair : pairs) {
    reach = std::max({reach, std::abs(end_of(pair, "low")), std::abs(end_of(pair, "high"))});
  }
  reach = reach > 0 ? 105 * reach : 1;
  const PlotAxis x{-reach, reach, kSide, "difference of the errors, points (first - second)"};
  const PlotAxis y{0, 1, height, ""};
  std::string out = fmt::format("<path d=\"M{0:g} 0V{1:g}\" stroke=\"#888888\"/>\n", x.pixel(0), height);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Json& pair = pairs[k];
    const double down = row * static_cast<double>(k) + 26;
    const bool significant = pair.at("holm_p").get<double>() <= 0.05 && !inconsistent(pair);
    const std::string colour = significant ? "#0072b2" : "#777777";
    out += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                       x.pixel(100 * end_of(pair, "low")), down, x.pixel(100 * end_of(pair, "high")), colour);
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n",
                       x.pixel(100 * pair.at("difference").get<double>()), down, colour);
    out += words(
        0, down - 12,
        fmt::format("{} - {} ({}), p {:.3f}", pair.at("first").get<std::string>(), pair.at("second").get<std::string>(),
                    pair.at("set").get<std::string>(), pair.at("holm_p").get<double>()),
        "font-size=\"11\" fill=\"#333333\"");
  }
  const PlotAxis frame{0, 1, height, ""};
  out += "<g font-size=\"12\" text-anchor=\"middle\" fill=\"#333333\">\n";
  for (const double tick : x.ticks()) out += words(x.pixel(tick), height + 18, fmt::format("{:g}", tick));
  out += words(kSide / 2, height + 40, x.name) + "</g>\n";
  return plot_document({"Differences between machines",
                        "Intervals of 95 percent; those in blue do not hold 0 after correction for all comparisons."},
                       x, frame, out);
}

std::string ranks_svg(const Json& ranks) {
  const auto names = names_of(ranks.at("names"));
  const auto values = ranks.at("ranks").get<std::vector<double>>();
  const auto k = static_cast<double>(names.size());
  const double height = 30 * k + 40;
  const PlotAxis x{1, std::max(k, 2.0), kSide, "mean rank (1 is best)"};
  const PlotAxis y{0, 1, height, ""};
  const double critical = ranks.at("critical_difference").get<double>();
  std::string out = fmt::format("<path d=\"M0 20H{:.1f}\" stroke=\"#222222\" stroke-width=\"3\"/>\n",
                                std::min(kSide, kSide * critical / (x.high - x.low)));
  out += words(0, 14, fmt::format("critical difference {:.2f}", critical), "font-size=\"12\" fill=\"#333333\"");
  for (std::size_t j = 0; j < names.size(); ++j) {
    const double down = 50 + 30 * static_cast<double>(j);
    out += fmt::format("<path d=\"M0 {:.1f}H{:.1f}\" stroke=\"{}\" stroke-width=\"6\"/>\n", down, x.pixel(values.at(j)),
                       plot_colour(j));
    out += words(x.pixel(values[j]) + 8, down + 4, fmt::format("{} {:.2f}", names[j], values[j]),
                 "font-size=\"13\" fill=\"#333333\"");
  }
  out += "<g font-size=\"12\" text-anchor=\"middle\" fill=\"#333333\">\n";
  for (const double tick : x.ticks()) out += words(x.pixel(tick), height + 18, fmt::format("{:g}", tick));
  out += words(kSide / 2, height + 40, x.name) + "</g>\n";
  return plot_document(
      {"Mean ranks", "Machines whose ranks differ by less than the bar are not significantly different."}, x, y, out);
}

}  // namespace

namespace {

std::string code_lengths_svg(const Json& set) {
  std::vector<ChartLine> lines;
  for (const Json& code : set.at("codes")) {
    auto errors = code.at("errors").get<std::vector<double>>();
    for (double& error : errors) error *= 100;
    lines.push_back({code.at("name").get<std::string>(), {std::move(errors)}});
  }
  const auto name = set.at("name").get<std::string>();
  return lines_svg({fmt::format("{}: error by code length", name), "Error with the first columns of each code"},
                   {"columns of the code", "error in percent"}, lines);
}

}  // namespace

std::vector<NamedFigure> result_svg(const Json& result, const std::string& source) {
  std::vector<NamedFigure> out;
  try {
    const auto has = [](const Json& object, const char* key) {
      return object.contains(key) && !object.at(key).is_null() && !object.at(key).empty();
    };
    if (has(result, "surface")) out.push_back({"surface", surface_svg(result)});
    const Json& judged = has(result, "held_out") ? result.at("held_out") : result;
    if (has(judged, "confusion")) out.push_back({"confusion", confusion_svg(judged)});
    if (has(judged, "reliability")) out.push_back({"reliability", reliability_svg(judged)});
    if (has(judged, "figures")) {
      const Json& figures = judged.at("figures");
      const auto classes = [&] { return names_of(result.at("classes")); };
      if (has(figures, "projection"))
        out.push_back({"projection", projection_svg(figures.at("projection"), classes())});
      if (has(figures, "regions")) out.push_back({"regions", regions_figure(figures.at("regions"), classes())});
      if (has(figures, "code_lengths")) {
        int count = 0;
        for (const Json& set : figures.at("code_lengths")) {
          out.push_back({fmt::format("code-lengths-{}", ++count), code_lengths_svg(set)});
        }
      }
    }
    if (has(result, "pairs") && result.value("kind", "") == "compare") {
      out.push_back({"differences", differences_svg(result.at("pairs"))});
    }
    if (has(result, "ranks") && result.value("kind", "") == "compare")
      out.push_back({"ranks", ranks_svg(result.at("ranks"))});
  } catch (const Json::exception&) {
    throw InputError(Place{source},
                     "not a result as docs/result-schema.md describes it: a part is missing or of another type");
  } catch (const std::out_of_range&) {
    throw InputError(Place{source}, "not a result as docs/result-schema.md describes it: a list is too short");
  }
  return out;
}

}  // namespace manyone
