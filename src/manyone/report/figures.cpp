// SPDX-License-Identifier: Apache-2.0
#include "manyone/report/figures.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "manyone/decoder/discriminant.hpp"

namespace manyone {

namespace {

constexpr Index kCells = 64;          // along each side of the regions
constexpr Index kRegionPoints = 500;  // rows shown on top of them

/// Four digits are enough for a picture, and make the page small.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double unit = std::pow(10.0, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * unit) / unit;
}

/// At most `most` of n positions, evenly spread.
std::vector<Index> thinned(Index n, Index most) {
  std::vector<Index> out;
  const Index count = std::min(n, most);
  for (Index k = 0; k < count; ++k) out.push_back(k * n / count);
  return out;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Variance of the class means of a feature over that within classes.
double separation(ConstView x, Index feature, std::span<const int> labels, Index classes) {
  Vector sums = Vector::Zero(classes);
  Vector counts = Vector::Zero(classes);
  for (Index i = 0; i < x.rows(); ++i) {
    sums[labels[static_cast<std::size_t>(i)]] += x(i, feature);
    counts[labels[static_cast<std::size_t>(i)]] += 1;
  }
  const double mean = x.col(feature).mean();
  double between = 0;
  for (Index c = 0; c < classes; ++c) {
    if (counts[c] > 0) between += counts[c] * std::pow(sums[c] / counts[c] - mean, 2);
  }
  const double total = (x.col(feature).array() - mean).square().sum();
  return total > 0 ? between / std::max(total - between, 1e-12 * total) : -1;
}

}  // namespace

Json judged_json(const Metrics& metrics, const Calibration& calibration, const std::vector<std::string>& classes) {
  Json out = metrics_json(metrics, classes);
  out["log_loss"] = calibration.log_loss;
  out["brier"] = calibration.brier;
  out["calibration_error"] = calibration.calibration_error;
  out["reliability"] = Json::array();
  for (const ReliabilityBin& bin : calibration.bins) {
    if (bin.rows == 0) continue;
    out["reliability"].push_back({{"low", bin.low},
                                  {"high", bin.high},
                                  {"rows", bin.rows},
                                  {"confidence", bin.confidence},
                                  {"accuracy", bin.accuracy}});
  }
  return out;
}

Json held_out_json(const HeldOutRows& held_out, double temperature, const std::vector<std::string>& classes) {
  if (held_out.labels.empty()) return {};
  const std::vector<int> predicted = argmax_classes(held_out.scores);
  MetricsCollector metrics(static_cast<int>(classes.size()));
  metrics.add(held_out.labels, predicted);
  CalibrationCollector calibration;
  calibration.add(held_out.labels, predicted, softmax(held_out.scores, temperature));
  return judged_json(metrics.result(), calibration.result(), classes);
}

Json projection_json(const HeldOutRows& held_out, Index classes) {
  const Index n = held_out.scores.rows();
  if (n == 0) return {};
  const Matrix& F = held_out.scores;
  ClassSpread spread{Matrix::Zero(classes, F.cols()), Matrix::Zero(F.cols(), F.cols()), Vector::Zero(classes)};
  for (Index i = 0; i < n; ++i) {
    const int c = held_out.labels[static_cast<std::size_t>(i)];
    spread.means.row(c) += F.row(i);
    spread.weights[c] += 1;
  }
  for (Index c = 0; c < classes; ++c) spread.means.row(c) /= std::max(spread.weights[c], 1.0);
  for (Index i = 0; i < n; ++i) {
    const Eigen::RowVectorXd d = F.row(i) - spread.means.row(held_out.labels[static_cast<std::size_t>(i)]);
    spread.within.noalias() += d.transpose() * d;
  }
  if (!spread.within.allFinite() || (spread.weights.array() > 0).count() < 2) return {};
  const Decoder discriminant = discriminant_decoder(spread, Vector::Ones(classes));
  const Index shown_axes = std::min<Index>(2, discriminant.map.cols());
  // How far apart the class means are along each direction, as a share of all.
  const Vector spreads = discriminant.code.array().square().colwise().sum().transpose();
  Json explained = Json::array();
  for (Index j = 0; j < shown_axes; ++j) explained.push_back(rounded(spreads[j] / std::max(spreads.sum(), 1e-300)));
  const std::vector<int> predicted = argmax_classes(F);
  Json points = Json::array();
  for (const Index i : thinned(n, kShownPoints)) {
    const Eigen::RowVectorXd z = F.row(i) * discriminant.map + discriminant.shift.transpose();
    points.push_back({{"x", rounded(z[0])},
                      {"y", shown_axes > 1 ? rounded(z[1]) : 0.0},
                      {"label", held_out.labels[static_cast<std::size_t>(i)]},
                      {"predicted", predicted[static_cast<std::size_t>(i)]}});
  }
  Json out = {{"rows", n}, {"shown", points.size()}, {"explained", std::move(explained)}};
  out["points"] = std::move(points);
  return out;
}

Json regions_json(const Backend& backend, const Classifier& model, const Dataset& data,
                  std::optional<std::array<Index, 2>> chosen) {
  const Index d = data.features.features();
  if (data.features.sparse() || d < 2 || model.expansion.kernel.kind == KernelKind::precomputed) return {};
  const auto x = data.features.view();
  if (!chosen) {
    std::vector<Index> order(static_cast<std::size_t>(d));
    std::iota(order.begin(), order.end(), Index{0});
    std::vector<double> scores;
    for (Index j = 0; j < d; ++j) scores.push_back(separation(x, j, data.labels, data.class_count()));
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
      return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)];
    });
    chosen = {order[0], order[1]};
  }
  Eigen::RowVectorXd typical(d);
  for (Index j = 0; j < d; ++j) {
    const Vector column = x.col(j);
    typical[j] = median({column.begin(), column.end()});
  }
  std::array<std::array<double, 2>, 2> ends;
  for (std::size_t a = 0; a < 2; ++a) {
    const double low = x.col((*chosen)[a]).minCoeff();
    const double high = x.col((*chosen)[a]).maxCoeff();
    const double edge = high > low ? 0.03 * (high - low) : 0.5;
    ends[a] = {low - edge, high + edge};
  }
  Matrix cells = typical.replicate(kCells * kCells, 1);
  const auto at = [&](std::size_t axis, Index cell) {
    return ends[axis][0] + (ends[axis][1] - ends[axis][0]) * (static_cast<double>(cell) + 0.5) / kCells;
  };
  for (Index r = 0; r < kCells; ++r) {
    for (Index c = 0; c < kCells; ++c) {
      cells(r * kCells + c, (*chosen)[0]) = at(0, c);
      cells(r * kCells + c, (*chosen)[1]) = at(1, r);
    }
  }
  const std::vector<std::string> names = data.schema.feature_names();
  Json points = Json::array();
  for (const Index i : thinned(data.rows(), kRegionPoints)) {
    points.push_back({{"x", rounded(x(i, (*chosen)[0]))},
                      {"y", rounded(x(i, (*chosen)[1]))},
                      {"label", data.labels[static_cast<std::size_t>(i)]}});
  }
  return {{"features", {names[static_cast<std::size_t>((*chosen)[0])], names[static_cast<std::size_t>((*chosen)[1])]}},
          {"x", ends[0]},
          {"y", ends[1]},
          {"width", kCells},
          {"height", kCells},
          {"classes", model.predict(backend, cells)},
          {"points", std::move(points)}};
}

}  // namespace manyone
