// SPDX-License-Identifier: Apache-2.0
#include "selection/shared_work.hpp"

namespace manyone {

Matrix SharedWork::statistics(std::uint64_t key, const std::function<Matrix()>& compute) {
  const auto known = statistics_.find(key);
  if (known != statistics_.end()) return known->second;
  Matrix out = compute();
  const double bytes = static_cast<double>(out.size()) * sizeof(double);
  if (bytes <= room_) {
    statistics_.emplace(key, out);
    room_ -= bytes;
  }
  return out;
}

HeldOutMemo& SharedWork::memo(std::uint64_t key) {
  const std::lock_guard lock(mutex_);
  auto& memo = memos_[key];
  if (!memo) memo = std::make_unique<HeldOutMemo>(room_);
  return *memo;
}

long SharedWork::found() const {
  const std::lock_guard lock(mutex_);
  long sum = 0;
  for (const auto& [key, memo] : memos_) sum += memo->found();
  return sum;
}

}  // namespace manyone
