// SPDX-License-Identifier: Apache-2.0
#include "statistics/calibration.hpp"

#include <algorithm>
#include <cmath>

namespace manyone {

CalibrationCollector::CalibrationCollector() {
  for (int k = 0; k < kBins; ++k) {
    sums_.bins.push_back({static_cast<double>(k) / kBins, static_cast<double>(k + 1) / kBins, 0, 0, 0});
  }
}

void CalibrationCollector::add(std::span<const int> labels, std::span<const int> predicted,
                               const Matrix& probabilities) {
  for (Index i = 0; i < probabilities.rows(); ++i) {
    const int label = labels[static_cast<std::size_t>(i)];
    const int given = predicted[static_cast<std::size_t>(i)];
    const double p = probabilities(i, given);
    sums_.log_loss -= std::log(std::max(probabilities(i, label), 1e-15));
    sums_.brier += probabilities.row(i).squaredNorm() - 2 * probabilities(i, label) + 1;
    ReliabilityBin& bin = sums_.bins[static_cast<std::size_t>(std::clamp(std::ceil(p * kBins) - 1, 0.0, kBins - 1.0))];
    ++bin.rows;
    bin.confidence += p;
    bin.accuracy += given == label ? 1 : 0;
    ++rows_;
  }
}

Calibration CalibrationCollector::result() const {
  Calibration out = sums_;
  if (rows_ == 0) return out;
  const auto n = static_cast<double>(rows_);
  out.log_loss /= n;
  out.brier /= n;
  for (ReliabilityBin& bin : out.bins) {
    if (bin.rows == 0) continue;
    const auto rows = static_cast<double>(bin.rows);
    bin.confidence /= rows;
    bin.accuracy /= rows;
    out.calibration_error += rows / n * std::abs(bin.accuracy - bin.confidence);
  }
  return out;
}

}  // namespace manyone
