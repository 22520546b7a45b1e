// SPDX-License-Identifier: Apache-2.0
#include "solve/near_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace manyone {

namespace {

// Kernel values this much smaller than the largest of a row vanish in the rounding of a sum of a thousand of them.
constexpr double kNegligible = 1e-20;
// Values kept in the list of a row, relative to its largest: more than needed, as the largest may be left out.
constexpr double kKept = 1e-30;
// A kernel matrix is narrow if at most n^2 / kSparse of its values are kept; then sums over lists beat products.
constexpr Index kSparse = 16;

}  // namespace

bool NearRows::few() {
  if (!known_) find();
  return !start_.empty();
}

void NearRows::find() {
  known_ = true;
  const Index n = K_.rows();
  const auto most = static_cast<std::size_t>(n * n / kSparse);
  dropped_ = Vector::Zero(n);
  start_.assign(1, 0);
  for (Index i = 0; i < n; ++i) {
    interrupt_.check();
    double largest = 0;
    if (i > 0) largest = K_.row(i).head(i).cwiseAbs().maxCoeff();
    if (i + 1 < n) largest = std::max(largest, K_.row(i).tail(n - i - 1).cwiseAbs().maxCoeff());
    for (Index j = 0; j < n; ++j) {
      const double size = std::abs(K_(i, j));
      if (j == i || size == 0) continue;
      if (size > kKept * largest) {
        column_.push_back(j);
        value_.push_back(K_(i, j));
      } else {
        dropped_[i] = std::max(dropped_[i], size);
      }
    }
    start_.push_back(column_.size());
    if (column_.size() > most) {
      start_.clear();
      return;
    }
  }
}

bool NearRows::sum(Index i, const Matrix& M, const std::vector<char>& left_out,
                   Eigen::Ref<Eigen::RowVectorXd> out) const {
  const auto begin = start_[static_cast<std::size_t>(i)];
  const auto end = start_[static_cast<std::size_t>(i) + 1];
  double largest = 0;
  for (auto e = begin; e < end; ++e) {
    if (left_out[static_cast<std::size_t>(column_[e])] == 0) largest = std::max(largest, std::abs(value_[e]));
  }
  if (dropped_[i] > kNegligible * largest) return false;
  out.setZero();
  for (auto e = begin; e < end; ++e) out += value_[e] * M.row(column_[e]);
  return true;
}

std::vector<std::vector<Index>> NearRows::joined(double size) const {
  const Index n = K_.rows();
  std::vector<Index> parent(static_cast<std::size_t>(n));
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index i) {
    while (parent[static_cast<std::size_t>(i)] != i) {
      Index& up = parent[static_cast<std::size_t>(i)];
      up = parent[static_cast<std::size_t>(up)];
      i = up;
    }
    return i;
  };
  for (Index i = 0; i < n; ++i) {
    for (auto e = start_[static_cast<std::size_t>(i)]; e < start_[static_cast<std::size_t>(i) + 1]; ++e) {
      if (std::abs(value_[e]) > size) parent[static_cast<std::size_t>(root(column_[e]))] = root(i);
    }
  }
  std::vector<std::vector<Index>> groups;
  std::vector<std::size_t> group_of(static_cast<std::size_t>(n), 0);  // of a root, plus 1
  for (Index i = 0; i < n; ++i) {
    std::size_t& group = group_of[static_cast<std::size_t>(root(i))];
    if (group == 0) {
      groups.emplace_back();
      group = groups.size();
    }
    groups[group - 1].push_back(i);
  }
  return groups;
}

}  // namespace manyone
