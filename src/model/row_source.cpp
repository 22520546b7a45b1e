// SPDX-License-Identifier: Apache-2.0
#include "model/row_source.hpp"

#include <algorithm>
#include <numeric>

namespace manyone {

namespace {

constexpr Index kBlock = 8192;  // rows of a table in memory that are passed at a time

/// Dense rows stay where they are.
Features rows_from(const Features& all, Index first, Index count) {
  if (!all.sparse()) return Features::borrowed(all.view().row(first).data(), count, all.features());
  std::vector<Index> block(static_cast<std::size_t>(count));
  std::iota(block.begin(), block.end(), first);
  return count == all.rows() ? all : all.select(block);
}

}  // namespace

Index RowSource::rows() const {
  const auto counts = class_counts();
  return std::accumulate(counts.begin(), counts.end(), Index{0});
}

void DatasetRows::pass(const Use& use) const {
  for (Index first = 0; first < data_.rows(); first += kBlock) {
    const Index count = std::min(kBlock, data_.rows() - first);
    use(rows_from(data_.features, first, count),
        std::span(data_.labels).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)), first);
  }
}

std::vector<Index> DatasetRows::class_counts() const {
  std::vector<Index> out(data_.classes.size(), 0);
  for (const int label : data_.labels) ++out[static_cast<std::size_t>(label)];
  return out;
}

std::vector<Index> StreamedRows::class_counts() const {
  const auto counts = stream_.class_counts();
  return {counts.begin(), counts.end()};
}

}  // namespace manyone
