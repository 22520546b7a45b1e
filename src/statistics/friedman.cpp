// SPDX-License-Identifier: Apache-2.0
#include "statistics/friedman.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>

namespace manyone {

namespace {

/// Probability that the range of k standard normal numbers is at most q:  k int phi(z) (Phi(z) - Phi(z - q))^(k-1) dz.
double range_probability(double q, Index k) {
  const boost::math::normal normal;
  constexpr double edge = 8;
  constexpr int steps = 800;  // Simpson's rule; the integrand is smooth
  const double h = 2 * edge / steps;
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double z = -edge + h * i;
    const double inside = boost::math::cdf(normal, z) - boost::math::cdf(normal, z - q);
    const double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * boost::math::pdf(normal, z) * std::pow(inside, static_cast<double>(k - 1));
  }
  return static_cast<double>(k) * sum * h / 3;
}

}  // namespace

Matrix row_ranks(const Matrix& errors) {
  Matrix out(errors.rows(), errors.cols());
  for (Index i = 0; i < errors.rows(); ++i) {
    for (Index j = 0; j < errors.cols(); ++j) {
      const auto smaller = (errors.row(i).array() < errors(i, j)).count();
      const auto equal = (errors.row(i).array() == errors(i, j)).count();  // itself among them
      out(i, j) = static_cast<double>(smaller) + static_cast<double>(equal + 1) / 2;
    }
  }
  return out;
}

Friedman friedman(const Matrix& errors) {
  Friedman out;
  const auto N = static_cast<double>(errors.rows());
  const auto k = static_cast<double>(errors.cols());
  out.ranks = row_ranks(errors).colwise().mean().transpose();
  out.chi_square = 12 * N / (k * (k + 1)) * (out.ranks.squaredNorm() - k * (k + 1) * (k + 1) / 4);
  out.numerator = errors.cols() - 1;
  out.denominator = (errors.cols() - 1) * (errors.rows() - 1);
  const double rest = N * (k - 1) - out.chi_square;
  using boost::math::cdf, boost::math::complement;
  if (errors.rows() == 1) {
    out.p = cdf(complement(boost::math::chi_squared(k - 1), std::max(0.0, out.chi_square)));
  } else if (rest > 1e-9 * N * k) {
    out.F = (N - 1) * out.chi_square / rest;
    out.p = cdf(complement(boost::math::fisher_f(k - 1, (k - 1) * (N - 1)), std::max(0.0, *out.F)));
  } else {
    // Chance does that only by repeating the first data set's order, one of k!, in each of the others.
    out.p = std::exp((1 - N) * std::lgamma(k + 1));
  }
  return out;
}

double nemenyi_difference(Index k, Index N, double alpha) {
  double low = 0;
  double high = 20;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (range_probability(middle, k) < 1 - alpha ? low : high) = middle;
  }
  const auto classifiers = static_cast<double>(k);
  return low / std::sqrt(2.0) * std::sqrt(classifiers * (classifiers + 1) / (6 * static_cast<double>(N)));
}

}  // namespace manyone
