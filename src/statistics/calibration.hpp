// SPDX-License-Identifier: Apache-2.0
//
// How good probabilities are: log loss, Brier score, and how often the given class is right among rows of about the
// same probability.
#pragma once

#include <span>
#include <vector>

#include "base/matrix.hpp"

namespace manyone {

/// Rows whose class was given a probability in (low, high].
struct ReliabilityBin {
  double low = 0;
  double high = 1;
  long rows = 0;
  double confidence = 0;  ///< mean probability of the class they were given
  double accuracy = 0;    ///< share of them that are right
};

struct Calibration {
  double log_loss = 0;           ///< mean of -log p(true class); probabilities below 1e-15 count as that
  double brier = 0;              ///< mean over rows of the sum over classes of (p - indicator)^2
  double calibration_error = 0;  ///< mean over rows of |accuracy - confidence| of their bin
  std::vector<ReliabilityBin> bins;
};

/// Collects rows block by block, in equal bins of the largest probability.
class CalibrationCollector {
 public:
  static constexpr int kBins = 10;

  CalibrationCollector();
  /// `probabilities`: n x L. `predicted`: the class of each row with the largest one.
  void add(std::span<const int> labels, std::span<const int> predicted, const Matrix& probabilities);
  Calibration result() const;

 private:
  Calibration sums_;
  long rows_ = 0;
};

}  // namespace manyone
