// SPDX-License-Identifier: Apache-2.0
#include "result/figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <Eigen/LU>

#include "base/small_algebra.hpp"
#include "decoder/discriminant.hpp"

namespace manyone {

namespace {

constexpr Index kCells = 64;          // along each side of the regions
constexpr Index kRegionPoints = 500;  // rows shown on top of them
constexpr double kCollinear = 0.9;    // squared correlation of two features of which one is enough

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

/// Rows of classes that were known where they were held out: what the others are given says nothing of probabilities.
HeldOutRows of_known_classes(const HeldOutRows& held_out) {
  HeldOutRows out;
  std::vector<Index> known;
  for (Index i = 0; i < held_out.scores.rows(); ++i) {
    const int label = held_out.labels[static_cast<std::size_t>(i)];
    if (never_predicted(held_out.scores(i, label))) continue;
    known.push_back(i);
    out.labels.push_back(label);
  }
  out.scores = held_out.scores(known, Eigen::all);
  return out;
}

/// Classes with two rows or more that were known wherever a row was held out. The others would be all that a map shows:
/// one row lies as far from its class as rounding, and no score is as small as that of a class that was not there.
std::vector<Index> told_classes(const HeldOutRows& held_out, Index classes) {
  std::vector<Index> rows(static_cast<std::size_t>(classes), 0);
  for (const int label : held_out.labels) ++rows[static_cast<std::size_t>(label)];
  std::vector<Index> out;
  for (Index c = 0; c < classes; ++c) {
    if (rows[static_cast<std::size_t>(c)] > 1 && !never_predicted(held_out.scores.col(c).minCoeff())) out.push_back(c);
  }
  return out;
}

/// How far apart the classes are over two features: the trace of W^-1 B, with W and B the scatter within and between
/// classes. Nothing new is gained by a feature that follows the other one.
double separation(ConstView x, std::array<Index, 2> pair, std::span<const int> labels, Index classes) {
  using Scatter = Eigen::Matrix2d;
  const auto at = [&](Index i) { return Eigen::Vector2d(x(i, pair[0]), x(i, pair[1])); };
  Matrix means = Matrix::Zero(classes, 2);
  Vector counts = Vector::Zero(classes);
  Eigen::Vector2d middle = Eigen::Vector2d::Zero();
  for (Index i = 0; i < x.rows(); ++i) {
    const int c = labels[static_cast<std::size_t>(i)];
    means.row(c) += at(i).transpose();
    counts[c] += 1;
    middle += at(i) / static_cast<double>(x.rows());
  }
  Scatter within = Scatter::Zero();
  Scatter between = Scatter::Zero();
  for (Index c = 0; c < classes; ++c) {
    if (counts[c] == 0) continue;
    means.row(c) /= counts[c];
    const Eigen::Vector2d d = means.row(c).transpose() - middle;
    between += counts[c] * d * d.transpose();
  }
  for (Index i = 0; i < x.rows(); ++i) {
    const Eigen::Vector2d d = at(i) - means.row(labels[static_cast<std::size_t>(i)]).transpose();
    within += d * d.transpose();
  }
  const Scatter total = within + between;
  const double alike = total(0, 1) * total(0, 1) / (total(0, 0) * total(1, 1));
  if (!(alike < kCollinear)) return -1;
  within.diagonal() += 1e-9 * total.diagonal();
  return within.inverse().cwiseProduct(between.transpose()).sum();
}

/// What stands for missing cells of each feature; NaN, which no value is equal to, where nothing does.
std::vector<double> imputed_values(const Schema& schema, Index features) {
  std::vector<double> out;
  for (const Column& column : schema.columns) {
    out.insert(out.end(), column.means.begin(), column.means.end());
    out.resize(out.size() + static_cast<std::size_t>(column.width()) - column.means.size(),
               std::numeric_limits<double>::quiet_NaN());
  }
  out.resize(static_cast<std::size_t>(features), std::numeric_limits<double>::quiet_NaN());
  return out;
}

bool has_more_values(ConstView x, Index feature, std::size_t than, double imputed) {
  std::set<double> values;
  for (Index i = 0; i < x.rows() && values.size() <= than; ++i) {
    if (x(i, feature) != imputed) values.insert(x(i, feature));
  }
  return values.size() > than;
}

/// The two features that tell the classes apart best together: the best alone, and the best beside it. Features of two
/// values, which show as two stripes, only where there are no others.
std::array<Index, 2> informative_pair(ConstView x, std::span<const int> labels, Index classes,
                                      std::span<const double> imputed) {
  struct Feature {
    Index position;
    bool striped;
    double separation;
  };
  std::vector<Feature> order;
  for (Index j = 0; j < x.cols(); ++j) {
    order.push_back({.position = j,
                     .striped = !has_more_values(x, j, 2, imputed[static_cast<std::size_t>(j)]),
                     .separation = separation(x, j, labels, classes)});
  }
  std::stable_sort(order.begin(), order.end(), [](const Feature& a, const Feature& b) {
    return a.striped != b.striped ? b.striped : a.separation > b.separation;
  });
  std::array<Index, 2> best{order[0].position, order[1].position};
  double most = separation(x, best, labels, classes);
  for (std::size_t k = 2; k < order.size() && order[k].striped == order[1].striped; ++k) {
    const double both = separation(x, {best[0], order[k].position}, labels, classes);
    if (both > most) {
      most = both;
      best[1] = order[k].position;
    }
  }
  return best;
}

/// The two directions (one of two classes) that keep most pairs of rows apart, and the share of all that each holds.
struct MapAxes {
  Matrix directions;  ///< of the discriminant's coordinates, in which classes have unit covariance
  Vector shares;
};

/// The eigenvectors of  sum_ab n_a n_b w(D_ab) (m_a - m_b)(m_a - m_b)^T,  w(D) = erf(D / sqrt 8) / (2 D^2): pairs of
/// classes count by how many of their rows their distance tells apart (Loog, Duin & Haeb-Umbach, IEEE PAMI 23(7), 2001,
/// eq. 9). With Fisher's w = 1 a class of a few rows far from all others would be all that a map shows.
MapAxes map_axes(const Matrix& means, const Vector& rows) {
  Matrix weights = Matrix::Zero(means.rows(), means.rows());
  for (Index a = 0; a < means.rows(); ++a) {
    for (Index b = 0; b < a; ++b) {
      const double square = (means.row(a) - means.row(b)).squaredNorm();
      if (square == 0) continue;
      weights(a, b) = rows[a] * rows[b] * std::erf(std::sqrt(square / 8)) / (2 * square);
      weights(b, a) = weights(a, b);
    }
  }
  // The sum is 2 M'(diag(W 1) - W) M.
  const Matrix laplacian = Matrix(weights.rowwise().sum().asDiagonal()) - weights;
  const SymmetricEigen eigen = symmetric_eigen(means.transpose() * laplacian * means);
  const Index shown = std::min<Index>(2, means.cols());
  return {.directions = eigen.vectors.rightCols(shown).rowwise().reverse(),
          .shares = eigen.values.tail(shown).reverse() / std::max(eigen.values.sum(), 1e-300)};
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
  const HeldOutRows known = of_known_classes(held_out);
  calibration.add(known.labels, argmax_classes(known.scores), softmax(known.scores, temperature));
  return judged_json(metrics.result(), calibration.result(), classes);
}

Json projection_json(const HeldOutRows& held_out, Index classes) {
  const Index n = held_out.scores.rows();
  if (n == 0) return {};
  const std::vector<Index> told = told_classes(held_out, classes);
  const Matrix F = held_out.scores(Eigen::all, told);
  ClassSpread spread{Matrix::Zero(classes, F.cols()), Matrix::Zero(F.cols(), F.cols()), Vector::Zero(classes)};
  const auto learned = [&](int c) { return std::binary_search(told.begin(), told.end(), c); };
  for (Index i = 0; i < n; ++i) {
    const int c = held_out.labels[static_cast<std::size_t>(i)];
    if (!learned(c)) continue;
    spread.means.row(c) += F.row(i);
    spread.weights[c] += 1;
  }
  for (Index c = 0; c < classes; ++c) spread.means.row(c) /= std::max(spread.weights[c], 1.0);
  for (Index i = 0; i < n; ++i) {
    const int c = held_out.labels[static_cast<std::size_t>(i)];
    if (!learned(c)) continue;
    const Eigen::RowVectorXd d = F.row(i) - spread.means.row(c);
    spread.within.noalias() += d.transpose() * d;
  }
  if (!spread.within.allFinite() || (spread.weights.array() > 0).count() < 2) return {};
  const Decoder discriminant = discriminant_decoder(spread, Vector::Ones(classes));
  const MapAxes axes = map_axes(discriminant.code, spread.weights);
  const Matrix map = discriminant.map * axes.directions;
  const Eigen::RowVectorXd shift = discriminant.shift.transpose() * axes.directions;
  Json explained = Json::array();
  for (const double share : axes.shares) explained.push_back(rounded(share));
  const std::vector<int> predicted = argmax_classes(held_out.scores);
  Json points = Json::array();
  for (const Index i : thinned(n, kShownPoints)) {
    const Eigen::RowVectorXd z = F.row(i) * map + shift;
    points.push_back({{"x", rounded(z[0])},
                      {"y", z.size() > 1 ? rounded(z[1]) : 0.0},
                      {"label", held_out.labels[static_cast<std::size_t>(i)]},
                      {"predicted", predicted[static_cast<std::size_t>(i)]}});
  }
  Json out = {{"rows", n}, {"shown", points.size()}, {"explained", std::move(explained)}};
  out["points"] = std::move(points);
  return out;
}

Json regions_json(const Backend& backend, const Model& model, const Dataset& data,
                  std::optional<std::array<Index, 2>> chosen) {
  const Index d = data.features.features();
  if (data.features.sparse() || d < 2 || model.expansion.kernel.precomputed()) return {};
  const auto x = data.features.view();
  if (!chosen) {
    chosen = informative_pair(x, data.labels, data.class_count(), imputed_values(data.schema, d));
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
