// SPDX-License-Identifier: Apache-2.0
#include "manyone/selection/tuning_rows.hpp"

#include <algorithm>
#include <cmath>

#include "manyone/selection/refit.hpp"

namespace manyone {

namespace {

/// The value at place size / 2 of the order.
double middle_of(std::vector<double> values) {
  std::size_t place = values.size() / 2;
  constexpr std::size_t every = 61;
  if (values.size() > 50 * every) {  // a sample tells where it is about: most values need only be counted
    std::vector<double> sample;
    for (std::size_t k = 0; k < values.size(); k += every) sample.push_back(values[k]);
    std::sort(sample.begin(), sample.end());
    const double low = sample[sample.size() * 2 / 5];
    const double high = sample[sample.size() * 3 / 5];
    const auto below =
        static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [&](double v) { return v < low; }));
    const auto upto =
        static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [&](double v) { return v <= high; }));
    if (below <= place && place < upto) {
      std::erase_if(values, [&](double v) { return v < low || v > high; });
      place -= below;
    }
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

double median_distance(std::vector<double> squares) {
  std::erase_if(squares, [](double square) { return !(square > 0); });
  return squares.empty() ? 1 : std::sqrt(middle_of(std::move(squares)));
}

LogRange TuningRows::usual_ridges() const {
  LogRange range;
  const double shift = std::round(std::log2(usual_ridge()));
  return {range.low + shift, range.high + shift, range.step};
}

double KernelRows::typical_distance() const {
  std::vector<double> squares;
  const Index n = data_.rows();
  const Index stride = std::max<Index>(1, n * n / 20000) | 1;  // odd, so that it does not run along columns
  squares.reserve(static_cast<std::size_t>(n * n / stride + 1));
  for (Index k = 0; k < n * n; k += stride) {
    if (k / n != k % n) squares.push_back(data_.statistics(k / n, k % n));
  }
  return median_distance(std::move(squares));
}

double KernelRows::typical_diagonal() const {
  if (recipe_.has_sigma()) return 1;
  const Kernel kernel = recipe_.kernel_at(1);
  double sum = 0;
  for (Index i = 0; i < rows(); ++i) sum += kernel(data_.statistics(i, i));
  const double mean = sum / static_cast<double>(rows());
  return mean > 0 && std::isfinite(mean) ? mean : 1;
}

std::unique_ptr<TuningRows> KernelRows::part(const std::vector<Index>& rows) const {
  Fingerprint key = key_;
  key.add(rows.size());
  for (const Index row : rows) key.add(row);
  return std::make_unique<KernelRows>(execution_, recipe_, data_.part(rows), machine_, decoder_, shared_, key);
}

std::unique_ptr<CellScorer> KernelRows::scorer(std::vector<Folds> partitions) const {
  HeldOutMemo* memo = nullptr;
  if (shared_ != nullptr && !data_.raw) {
    Fingerprint key = key_;
    for (const Folds& folds : partitions) key.add(folds.count).add(std::span<const int>(folds.fold_of_row));
    memo = &shared_->memo(key.value());
  }
  return std::make_unique<KernelScorer>(execution_, data_, recipe_, machine_, decoder_, std::move(partitions), memo);
}

Matrix KernelRows::refit_scores(const std::vector<Index>& train, const std::vector<Index>& test,
                                const CellParameters& at) const {
  return decoder_.scores(refit_outputs(execution_, recipe_, machine_, data_, train, test, at));
}

}  // namespace manyone
