// SPDX-License-Identifier: Apache-2.0
#include "machine/gram_rows.hpp"

#include <algorithm>
#include <numeric>

namespace manyone {

namespace {

// Rows that are kept whatever the memory: two in use, and those fetched together.
constexpr Index kRowsAtLeast = 64;
// Rows made together: more when rows have many features, because reading those is then what a row costs.
constexpr Index kFetchMost = 16;
constexpr Index kFeaturesPerFetch = 8;

}  // namespace

RowStore::RowStore(Index rows, Index width, double numbers)
    : width_(width), slot_of_(static_cast<std::size_t>(rows), -1) {
  const double slots = std::clamp(numbers / static_cast<double>(std::max<Index>(1, width)),
                                  static_cast<double>(std::min(kRowsAtLeast, rows)), static_cast<double>(rows));
  values_.resize(static_cast<Index>(slots) * width);
}

const double* RowStore::use(Index row) {
  const Index slot = slot_of_[static_cast<std::size_t>(row)];
  used_[static_cast<std::size_t>(slot)] = ++now_;
  return values_.data() + slot * width_;
}

double* RowStore::add(Index row) {
  auto slot = static_cast<Index>(row_of_.size());
  if ((slot + 1) * width_ <= values_.size()) {
    row_of_.push_back(row);
    used_.push_back(0);
  } else {
    slot = std::min_element(used_.begin(), used_.end()) - used_.begin();
    slot_of_[static_cast<std::size_t>(row_of_[static_cast<std::size_t>(slot)])] = -1;
    row_of_[static_cast<std::size_t>(slot)] = row;
  }
  slot_of_[static_cast<std::size_t>(row)] = slot;
  used_[static_cast<std::size_t>(slot)] = ++now_;
  return values_.data() + slot * width_;
}

GramRows::GramRows(const Gram& gram, double bytes)
    : gram_(gram),
      together_(std::clamp<Index>(gram.features() / kFeaturesPerFetch, 1, kFetchMost)),
      numbers_(bytes / sizeof(double)),
      diagonal_(gram.diagonal()),
      wide_(gram.rows(), gram.rows(), numbers_ / 2),
      active_(static_cast<std::size_t>(gram.rows())) {
  std::iota(active_.begin(), active_.end(), Index{0});
}

double GramRows::least_bytes(Index n) {
  return 2 * sizeof(double) * static_cast<double>(std::min(kRowsAtLeast, n)) * static_cast<double>(n);
}

void GramRows::keep(const std::vector<Index>& active) {
  if (static_cast<Index>(active.size()) == size()) {
    narrow_.reset();
    part_.reset();
    active_ = active;
    return;
  }
  const auto width = static_cast<Index>(active.size());
  auto narrow = std::make_unique<RowStore>(width, width, numbers_ / 2);
  std::vector<Index> from;  // places among those active until now
  for (const Index variable : active)
    from.push_back(std::lower_bound(active_.begin(), active_.end(), variable) - active_.begin());
  for (Index k = 0; k < width; ++k) {
    if (!store().has(from[static_cast<std::size_t>(k)])) continue;
    const double* source = store().use(from[static_cast<std::size_t>(k)]);
    double* target = narrow->add(k);
    for (Index j = 0; j < width; ++j) target[j] = source[from[static_cast<std::size_t>(j)]];
  }
  narrow_ = std::move(narrow);
  active_ = active;
  part_ = gram_.part(active_);
}

void GramRows::fetch(std::span<const Index> places) {
  std::vector<Index> wanted;
  for (const Index place : places) {
    if (!at_hand(place) && static_cast<Index>(wanted.size()) < together_) wanted.push_back(place);
  }
  if (wanted.empty()) return;
  const Matrix made = (part_ ? *part_ : gram_).strip(wanted);
  for (std::size_t k = 0; k < wanted.size(); ++k)
    std::copy_n(made.row(static_cast<Index>(k)).data(), made.cols(), store().add(wanted[k]));
}

const double* GramRows::row(Index place, int) {
  if (!at_hand(place)) fetch(std::span(&place, 1));
  return store().use(place);
}

}  // namespace manyone
