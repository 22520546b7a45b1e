// SPDX-License-Identifier: Apache-2.0
//
// How good predictions are: error, balanced error, confusion matrix, precision and recall per class.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace manyone {

struct ClassMetrics {
  long rows = 0;                    ///< rows of this class
  long predicted = 0;               ///< rows predicted as this class
  std::optional<double> precision;  ///< nothing when never predicted
  std::optional<double> recall;     ///< nothing when the class does not occur
  std::optional<double> f1;
};

struct Metrics {
  long rows = 0;
  long unknown = 0;     ///< rows among them of classes that cannot be predicted
  long unanswered = 0;  ///< rows among them that were given no class
  double error = 0;
  double majority_error = 0;  ///< of always giving the most frequent of the classes that can be predicted
  double balanced_error = 0;  ///< mean over the classes that occur of 1 - recall
  Eigen::Matrix<long, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> confusion;  ///< (true, predicted)
  std::vector<ClassMetrics> per_class;
};

/// Collects rows block by block, so that nothing grows with the table.
class MetricsCollector {
 public:
  explicit MetricsCollector(int classes);
  void add(std::span<const int> labels, std::span<const int> predicted);
  /// A row of this class that was given none: wrong, and not in the confusion matrix.
  void add_unanswered(int label) { ++unanswered_[static_cast<std::size_t>(label)]; }
  /// Rows of so many classes that cannot be predicted: wrong, and not in the confusion matrix.
  void add_unknown(long rows, int classes);
  Metrics result() const;

 private:
  Eigen::Matrix<long, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> confusion_;
  std::vector<long> unanswered_;  // of each class
  long unknown_rows_ = 0;
  int unknown_classes_ = 0;
};

}  // namespace manyone
