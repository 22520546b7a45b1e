// SPDX-License-Identifier: Apache-2.0
#include "result/text_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/printable.hpp"
#include "selection/search.hpp"

namespace manyone {

namespace {

constexpr std::size_t kWidestConfusion = 30;

/// Characters a person sees: code points of UTF-8 text.
std::size_t visible_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string optional_percent(const std::optional<double>& value) { return value ? percent(*value) : "-"; }

/// From dark blue to white as the error grows to twice the smallest and beyond.
int error_colour(double error, double smallest) {
  constexpr std::array ramp = {25, 31, 38, 80, 116, 152, 195, 231};  // of 256 colours
  const double excess = (error - smallest) / std::max(smallest, 0.01);
  const auto step = static_cast<std::size_t>(std::clamp(std::ceil(7 * std::sqrt(std::min(excess, 1.0))), 0.0, 7.0));
  return ramp[step];
}

/// "2^-3" for powers of two, else three significant digits.
std::string parameter_text(double value) {
  const double power = std::log2(value);
  if (power == std::round(power)) return fmt::format("2^{}", static_cast<int>(power));
  return fmt::format("{:.3g}", value);
}

std::string confusion_table(const Metrics& metrics, const std::vector<std::string>& classes) {
  std::vector<std::vector<std::string>> rows = {{"true \\ predicted"}};
  for (const std::string& name : classes) rows[0].push_back(name);
  for (std::size_t r = 0; r < classes.size(); ++r) {
    std::vector<std::string> row = {classes[r]};
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const long count = metrics.confusion(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
      row.push_back(count == 0 ? "." : std::to_string(count));
    }
    rows.push_back(std::move(row));
  }
  return text_table(rows);
}

std::string commonest_confusions(const Metrics& metrics, const std::vector<std::string>& classes) {
  struct Pair {
    long count;
    Eigen::Index truth;
    Eigen::Index predicted;
  };
  std::vector<Pair> pairs;
  for (Eigen::Index r = 0; r < metrics.confusion.rows(); ++r) {
    for (Eigen::Index c = 0; c < metrics.confusion.cols(); ++c) {
      if (r != c && metrics.confusion(r, c) > 0) pairs.push_back({metrics.confusion(r, c), r, c});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.count > b.count; });
  pairs.resize(std::min<std::size_t>(pairs.size(), 20));
  std::vector<std::vector<std::string>> rows = {{"true class", "predicted as", "rows"}};
  for (const Pair& pair : pairs) {
    rows.push_back({classes[static_cast<std::size_t>(pair.truth)], classes[static_cast<std::size_t>(pair.predicted)],
                    std::to_string(pair.count)});
  }
  return text_table(rows);
}

}  // namespace

std::string percent(double part) { return fmt::format("{:.2f} %", 100 * part); }

std::string majority_line(double majority_error) {
  return fmt::format("always guessing the most frequent class: {}", percent(majority_error));
}

std::string text_table(const std::vector<std::vector<std::string>>& cells,
                       const std::function<int(std::size_t, std::size_t)>& colour) {
  // Names come from files: whatever they hold, a row stays a line and a column a column.
  std::vector<std::vector<std::string>> rows = cells;
  for (auto& row : rows) {
    for (std::string& cell : row) cell = escaped(cell);
  }
  std::vector<std::size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], visible_width(row[c]));
  }
  std::vector<bool> numeric(width.size(), true);
  for (std::size_t r = 1; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string& cell = rows[r][c];
      if (!cell.empty() && std::string_view("-+.*0123456789").find(cell.front()) == std::string_view::npos)
        numeric[c] = false;
    }
  }
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string padding(width[c] - visible_width(rows[r][c]), ' ');
      if (c > 0) line += "  ";
      const int background = colour ? colour(r, c) : -1;
      if (background >= 0) line += fmt::format("\033[{};48;5;{}m", background < 40 ? 97 : 30, background);
      line += c > 0 && numeric[c] ? padding + rows[r][c] : rows[r][c] + padding;
      if (background >= 0) line += "\033[0m";
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    if (r == 0) {
      std::size_t total = 0;
      for (const std::size_t w : width) total += w + 2;
      out += std::string(total - 2, '-') + "\n";
    }
  }
  return out;
}

std::string metrics_text(const Metrics& metrics, const std::vector<std::string>& classes) {
  const auto wrong = metrics.rows - metrics.confusion.trace();
  std::string out = fmt::format(
      "error           {}  ({} of {} rows)\nmajority error  {}  (always guessing the most frequent class)\n"
      "balanced error  {}  (mean over classes)\n\n",
      percent(metrics.error), wrong, metrics.rows, percent(metrics.majority_error), percent(metrics.balanced_error));
  std::vector<std::vector<std::string>> rows = {{"class", "rows", "precision", "recall", "F1"}};
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const ClassMetrics& m = metrics.per_class[c];
    rows.push_back({classes[c], std::to_string(m.rows), optional_percent(m.precision), optional_percent(m.recall),
                    optional_percent(m.f1)});
  }
  out += text_table(rows) + "\n";
  out +=
      classes.size() <= kWidestConfusion ? confusion_table(metrics, classes) : commonest_confusions(metrics, classes);
  return out;
}

std::string surface_text(const std::vector<Cell>& surface, const Cell& chosen, bool has_sigma, bool in_colour) {
  const Cell& best = best_cell(surface);
  std::set<double> sigmas;
  std::set<double> ridges;
  std::map<std::pair<double, double>, const Cell*> at;
  for (const Cell& cell : surface) {
    sigmas.insert(cell.at.sigma);
    ridges.insert(cell.at.ridge);
    at[{cell.at.sigma, cell.at.ridge}] = &cell;
  }
  std::vector<std::vector<std::string>> rows;
  if (has_sigma && at.size() == sigmas.size() * ridges.size() && ridges.size() <= 16) {
    rows.push_back({"sigma \\ ridge"});
    for (const double ridge : ridges) rows[0].push_back(parameter_text(ridge));
    for (const double sigma : sigmas) {
      std::vector<std::string> row = {parameter_text(sigma)};
      for (const double ridge : ridges) {
        const Cell* cell = at[{sigma, ridge}];
        row.push_back(fmt::format("{}{:.2f}", cell == &chosen ? "*" : "", 100 * cell->error));
      }
      rows.push_back(std::move(row));
    }
    std::function<int(std::size_t, std::size_t)> colour;
    if (in_colour)
      colour = [&, row_of = std::vector(sigmas.begin(), sigmas.end()),
                column_of = std::vector(ridges.begin(), ridges.end())](std::size_t r, std::size_t c) {
        return r == 0 || c == 0 ? -1 : error_colour(at[{row_of[r - 1], column_of[c - 1]}]->error, best.error);
      };
    return "cross-validation error in percent, * = chosen\n" + text_table(rows, colour);
  }
  std::vector<const Cell*> order;
  for (const Cell& cell : surface) order.push_back(&cell);
  std::stable_sort(order.begin(), order.end(), [](const Cell* a, const Cell* b) { return a->better_than(*b); });
  order.resize(std::min<std::size_t>(order.size(), 10));
  rows.push_back(has_sigma ? std::vector<std::string>{"sigma", "ridge", "error"}
                           : std::vector<std::string>{"ridge", "error"});
  for (const Cell* cell : order) {
    std::vector<std::string> row;
    if (has_sigma) row.push_back(fmt::format("{:.4g}", cell->at.sigma));
    row.push_back(fmt::format("{:.4g}", cell->at.ridge));
    row.push_back(percent(cell->error));
    rows.push_back(std::move(row));
  }
  return fmt::format("the best {} of {} cells of the last round\n", order.size(), surface.size()) + text_table(rows);
}

}  // namespace manyone
