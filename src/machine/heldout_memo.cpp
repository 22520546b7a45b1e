// SPDX-License-Identifier: Apache-2.0
#include "machine/heldout_memo.hpp"

namespace manyone {

namespace {

double bytes_of(const std::vector<HeldOut>& outputs) {
  double sum = 0;
  for (const HeldOut& cell : outputs) {
    for (const Matrix& f : cell.of_partition) sum += static_cast<double>(f.size()) * sizeof(double);
  }
  return sum;
}

}  // namespace

std::vector<HeldOut> HeldOutMemo::each(std::uint64_t problem, double sigma, std::span<const double> ridges,
                                       const Compute& compute) {
  std::vector<HeldOut> out(ridges.size());
  std::vector<double> missing;
  std::vector<std::size_t> places;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t k = 0; k < ridges.size(); ++k) {
      const auto known = known_.find({problem, {sigma, ridges[k]}});
      if (known != known_.end()) {
        out[k] = known->second.front();
        ++found_;
      } else {
        missing.push_back(ridges[k]);
        places.push_back(k);
      }
    }
  }
  if (missing.empty()) return out;
  std::vector<HeldOut> computed = compute(missing);
  for (std::size_t k = 0; k < places.size(); ++k) {
    keep({problem, {sigma, missing[k]}}, {computed[k]});
    out[places[k]] = std::move(computed[k]);
  }
  return out;
}

std::vector<HeldOut> HeldOutMemo::together(std::uint64_t problem, double sigma, std::span<const double> ridges,
                                           const Compute& compute) {
  Key key{problem, {sigma}};
  key.second.insert(key.second.end(), ridges.begin(), ridges.end());
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(key);
    if (known != known_.end()) {
      found_ += static_cast<long>(ridges.size());
      return known->second;
    }
  }
  std::vector<HeldOut> out = compute(ridges);
  keep(std::move(key), out);
  return out;
}

long HeldOutMemo::found() const {
  const std::lock_guard lock(mutex_);
  return found_;
}

void HeldOutMemo::keep(Key key, const std::vector<HeldOut>& outputs) {
  const double bytes = bytes_of(outputs);
  const std::lock_guard lock(mutex_);
  if (bytes > room_ || !known_.try_emplace(std::move(key), outputs).second) return;
  room_ -= bytes;
}

}  // namespace manyone
