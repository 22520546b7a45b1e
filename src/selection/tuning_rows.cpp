// SPDX-License-Identifier: Apache-2.0
#include "selection/tuning_rows.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace manyone
