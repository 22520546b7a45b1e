// SPDX-License-Identifier: Apache-2.0
#include "decoder/probabilities.hpp"

#include <algorithm>
#include <cmath>

namespace manyone {

namespace {

/// What the log loss of held-out rows depends on.
struct LossRows {
  Matrix below;       ///< how far each score is below the largest of its row
  double wanted = 0;  ///< mean of that for the true classes
  double spread = 0;  ///< mean over rows of the largest of it
};

LossRows loss_rows(ConstView scores, std::span<const int> labels) {
  std::vector<Index> learned;
  for (Index i = 0; i < scores.rows(); ++i) {
    if (!never_predicted(scores(i, labels[static_cast<std::size_t>(i)]))) learned.push_back(i);
  }
  LossRows out;
  out.below = scores(learned, Eigen::all);
  out.below.colwise() -= Vector(out.below.rowwise().maxCoeff());
  const double n = static_cast<double>(learned.size());
  double runners_up = 0;
  for (std::size_t k = 0; k < learned.size(); ++k) {
    const int label = labels[static_cast<std::size_t>(learned[k])];
    double lowest = 0;
    double runner_up = kNeverPredicted;
    for (Index c = 0; c < out.below.cols(); ++c) {
      const double s = out.below(static_cast<Index>(k), c);
      if (never_predicted(s)) continue;
      lowest = std::min(lowest, s);
      if (c != label) runner_up = std::max(runner_up, s);
    }
    out.wanted += out.below(static_cast<Index>(k), label) / n;
    out.spread -= lowest / n;
    if (!never_predicted(runner_up)) runners_up += runner_up / n;
  }
  if (out.wanted == 0) out.wanted = runners_up / (n + 2);
  return out;
}

/// Derivatives of the mean log loss in b = 1/T: E[mean_p(s) - s_y] and E[var_p(s)].
struct Slope {
  double first = 0;
  double second = 0;
};

Slope slope_at(const LossRows& rows, double b) {
  const Matrix& below = rows.below;
  const Matrix weights = (b * below.array()).exp();
  Slope slope;
  for (Index i = 0; i < below.rows(); ++i) {
    double total = 0;
    double mean = 0;
    double square = 0;
    for (Index c = 0; c < below.cols(); ++c) {
      const double s = below(i, c);
      total += weights(i, c);
      mean += weights(i, c) * s;
      square += weights(i, c) * s * s;
    }
    mean /= total;
    slope.first += mean;
    slope.second += square / total - mean * mean;
  }
  const double n = static_cast<double>(below.rows());
  return {slope.first / n - rows.wanted, slope.second / n};
}

/// Mean log loss in which no row counts more than `most`: what is left where a few scores are off by orders of
/// magnitude.
double capped_loss(ConstView scores, std::span<const int> labels, double b, double most) {
  double sum = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    const double own = scores(i, labels[static_cast<std::size_t>(i)]);
    if (never_predicted(own)) continue;
    const double top = scores.row(i).maxCoeff();
    const double loss = std::log(((scores.row(i).array() - top) * b).exp().sum()) - (own - top) * b;
    sum += std::min(loss, most);
  }
  return sum / static_cast<double>(scores.rows());
}

/// The log loss of always stating the shares of the classes.
double loss_of_shares(std::span<const int> labels, Index classes) {
  Vector count = Vector::Zero(classes);
  for (const int label : labels) count[label] += 1;
  const double n = static_cast<double>(labels.size());
  double sum = 0;
  for (const double c : count) sum -= c > 0 ? c / n * std::log(c / n) : 0;
  return sum;
}

/// 1/T where the best one, `b`, is no better than stating the shares of the classes, and far from it for most rows.
/// Distances in a class that hardly spreads may be a hundred thousand times those in others, and a few mistakes there
/// leave all probabilities equal: the other rows decide then, as if one row in n was a mistake of any kind.
double despite_outliers(ConstView scores, std::span<const int> labels, double b) {
  if (log_loss(scores, labels, 1 / b) < loss_of_shares(labels, scores.cols())) return b;
  const double most = std::log(static_cast<double>(std::max<Index>(scores.rows(), 2)));
  constexpr int kSteps = 48;  // of half an octave: seven orders of magnitude
  double best = b;
  double least = capped_loss(scores, labels, b, most) / 2;
  for (int k = 1; k <= kSteps; ++k) {
    const double next = b * std::exp2(0.5 * k);
    const double loss = capped_loss(scores, labels, next, most);
    if (!(loss < least)) continue;
    best = next;
    least = loss;
  }
  return best;
}

}  // namespace

std::vector<int> argmax_classes(ConstView scores) {
  std::vector<int> classes(static_cast<std::size_t>(scores.rows()));
  for (Index i = 0; i < scores.rows(); ++i) {
    Index best = 0;
    for (Index c = 1; c < scores.cols(); ++c) {
      if (scores(i, c) > scores(i, best)) best = c;
    }
    classes[static_cast<std::size_t>(i)] = static_cast<int>(best);
  }
  return classes;
}

std::vector<int> finite_classes(ConstView scores) {
  std::vector<int> classes = argmax_classes(scores);
  for (Index i = 0; i < scores.rows(); ++i) {
    if (!scores.row(i).allFinite()) classes[static_cast<std::size_t>(i)] = -1;
  }
  return classes;
}

Matrix softmax(ConstView scores, double temperature) {
  Matrix p(scores.rows(), scores.cols());
  for (Index i = 0; i < scores.rows(); ++i) {
    const double top = scores.row(i).maxCoeff();
    // std::exp for each, not Eigen's: that one rounds differently in a vector's lanes and in the rest behind them.
    for (Index c = 0; c < scores.cols(); ++c) p(i, c) = std::exp((scores(i, c) - top) / temperature);
    p.row(i) /= p.row(i).sum();
    // Scores that differ by less than exp() can tell would tie: the smaller ones step back by one unit in the last
    // place, so that the argmax of the probabilities is the argmax of the scores.
    const double largest = p.row(i).maxCoeff();
    for (Index c = 0; c < scores.cols(); ++c) {
      if (scores(i, c) < top && p(i, c) == largest) p(i, c) = std::nextafter(largest, 0.0);
    }
  }
  return p;
}

double log_loss(ConstView scores, std::span<const int> labels, double temperature) {
  double sum = 0;
  Index rows = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    if (never_predicted(scores(i, labels[static_cast<std::size_t>(i)]))) continue;
    ++rows;
    const double top = scores.row(i).maxCoeff();
    const double total = ((scores.row(i).array() - top) / temperature).exp().sum();
    sum += std::log(total) - (scores(i, labels[static_cast<std::size_t>(i)]) - top) / temperature;
  }
  return sum / static_cast<double>(rows);
}

double calibrate_temperature(ConstView scores, std::span<const int> labels) {
  const LossRows rows = loss_rows(scores, labels);
  const double spread = rows.spread;
  // Below, 1/T would be infinite: so little tells nothing.
  constexpr double kLeastSpread = 1e-290;
  if (!(spread > kLeastSpread) || !std::isfinite(spread)) return 1;
  // Useless scores push 1/T to 0, margins of rounding to infinity; both ends are far beyond what data can tell.
  double low = 1e-3 / spread;
  double high = 1e3 / spread;
  double b = 10 / spread;
  Slope slope = slope_at(rows, b);
  // The loss is convex: only the end on the falling side can be the best.
  if (slope.first > 0 && slope_at(rows, low).first >= 0) return 1 / despite_outliers(scores, labels, low);
  if (slope.first <= 0 && slope_at(rows, high).first <= 0) return 1 / high;
  for (int iteration = 0; iteration < 100; ++iteration) {
    (slope.first > 0 ? high : low) = b;
    const auto settles = [b](double next) { return std::abs(next - b) <= 1e-10 * b; };
    double next = b - slope.first / slope.second;
    // A step too small to leave an end of the bracket is no reason to halve it.
    if (!(next > low && next < high) && !settles(next)) next = std::sqrt(low * high);
    const bool settled = settles(next);
    b = next;
    if (settled) break;
    slope = slope_at(rows, b);
  }
  return 1 / despite_outliers(scores, labels, b);
}

}  // namespace manyone
