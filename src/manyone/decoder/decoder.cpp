// SPDX-License-Identifier: Apache-2.0
#include "manyone/decoder/decoder.hpp"

#include <algorithm>
#include <cmath>

namespace manyone {

namespace {

/// Derivatives of the mean log loss in b = 1/T: E[mean_p(s) - s_y] and E[var_p(s)].
struct Slope {
  double first = 0;
  double second = 0;
};

Slope slope_at(ConstView scores, std::span<const int> labels, double b) {
  Slope slope;
  for (Index i = 0; i < scores.rows(); ++i) {
    const double top = scores.row(i).maxCoeff();
    double total = 0;
    double mean = 0;
    double square = 0;
    for (Index c = 0; c < scores.cols(); ++c) {
      const double s = scores(i, c) - top;
      const double weight = std::exp(b * s);
      total += weight;
      mean += weight * s;
      square += weight * s * s;
    }
    mean /= total;
    slope.first += mean - (scores(i, labels[static_cast<std::size_t>(i)]) - top);
    slope.second += square / total - mean * mean;
  }
  const double n = static_cast<double>(scores.rows());
  return {slope.first / n, slope.second / n};
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
  for (Index i = 0; i < scores.rows(); ++i) {
    const double top = scores.row(i).maxCoeff();
    const double total = ((scores.row(i).array() - top) / temperature).exp().sum();
    sum += std::log(total) - (scores(i, labels[static_cast<std::size_t>(i)]) - top) / temperature;
  }
  return sum / static_cast<double>(scores.rows());
}

double calibrate_temperature(ConstView scores, std::span<const int> labels) {
  // Scores without errors push 1/T to infinity and useless ones to 0; both ends are far beyond what data can tell.
  double spread = 0;
  for (Index i = 0; i < scores.rows(); ++i) spread += scores.row(i).maxCoeff() - scores.row(i).minCoeff();
  spread /= std::max<double>(1, static_cast<double>(scores.rows()));
  if (!(spread > 0) || !std::isfinite(spread)) return 1;
  double low = 1e-3 / spread;
  double high = 1e3 / spread;
  if (slope_at(scores, labels, low).first >= 0) return 1 / low;
  if (slope_at(scores, labels, high).first <= 0) return 1 / high;
  double b = std::clamp(10 / spread, low, high);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Slope slope = slope_at(scores, labels, b);
    (slope.first > 0 ? high : low) = b;
    double next = b - slope.first / slope.second;
    if (!(next > low && next < high)) next = std::sqrt(low * high);
    const bool settled = std::abs(next - b) <= 1e-10 * b;
    b = next;
    if (settled) break;
  }
  return 1 / b;
}

}  // namespace manyone
