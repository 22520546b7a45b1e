// SPDX-License-Identifier: Apache-2.0
#include "statistics/metrics.hpp"

#include <algorithm>
#include <numeric>

namespace manyone {

MetricsCollector::MetricsCollector(int classes) : unanswered_(static_cast<std::size_t>(classes), 0) {
  confusion_.setZero(classes, classes);
}

void MetricsCollector::add(std::span<const int> labels, std::span<const int> predicted) {
  for (std::size_t i = 0; i < labels.size(); ++i) ++confusion_(labels[i], predicted[i]);
}

void MetricsCollector::add_unknown(long rows, int classes) {
  unknown_rows_ += rows;
  unknown_classes_ += classes;
}

Metrics MetricsCollector::result() const {
  Metrics out;
  out.confusion = confusion_;
  out.unanswered = std::accumulate(unanswered_.begin(), unanswered_.end(), 0L);
  out.rows = confusion_.sum() + out.unanswered + unknown_rows_;
  out.unknown = unknown_rows_;
  out.error = out.rows == 0 ? 0 : 1 - static_cast<double>(confusion_.trace()) / static_cast<double>(out.rows);
  double recalls = 0;
  int occurring = 0;
  long most = 0;
  for (Eigen::Index c = 0; c < confusion_.rows(); ++c) {
    ClassMetrics m;
    m.rows = confusion_.row(c).sum() + unanswered_[static_cast<std::size_t>(c)];
    m.predicted = confusion_.col(c).sum();
    most = std::max(most, m.rows);
    const auto hits = static_cast<double>(confusion_(c, c));
    if (m.predicted > 0) m.precision = hits / static_cast<double>(m.predicted);
    if (m.rows > 0) {
      m.recall = hits / static_cast<double>(m.rows);
      recalls += *m.recall;
      ++occurring;
    }
    if (m.rows + m.predicted > 0) m.f1 = 2 * hits / static_cast<double>(m.rows + m.predicted);
    out.per_class.push_back(m);
  }
  occurring += unknown_classes_;
  out.majority_error = out.rows == 0 ? 0 : 1 - static_cast<double>(most) / static_cast<double>(out.rows);
  out.balanced_error = occurring == 0 ? 0 : 1 - recalls / occurring;
  return out;
}

}  // namespace manyone
