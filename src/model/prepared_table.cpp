// SPDX-License-Identifier: Apache-2.0
#include "model/prepared_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

#include "machine/fold_sums.hpp"

namespace manyone {

namespace {

/// A number that looks random, from two (SplitMix64's finaliser).
std::uint64_t mixed(std::uint64_t seed, std::uint64_t row) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15 + row + 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// The rows of each class whose mixed numbers are smallest, as many as its share of `size`.
class Draw {
 public:
  Draw(std::span<const Index> counts, Index size, std::uint64_t seed) : seed_(seed), kept_(counts.size()) {
    const auto n = static_cast<double>(std::accumulate(counts.begin(), counts.end(), Index{0}));
    for (const Index count : counts) {
      const double share = static_cast<double>(size) / n * static_cast<double>(count);
      quota_.push_back(static_cast<std::size_t>(std::max(1.0, std::round(share))));
    }
  }

  void offer(const Features& rows, std::span<const int> labels, Index first) {
    for (Index i = 0; i < rows.rows(); ++i) {
      const auto c = static_cast<std::size_t>(labels[static_cast<std::size_t>(i)]);
      const Key key{mixed(seed_, static_cast<std::uint64_t>(first + i)), first + i};
      auto& kept = kept_[c];
      const bool full = kept.size() == quota_[c];
      if (full && kept.rbegin()->first < key) continue;
      if (full) kept.erase(std::prev(kept.end()));
      kept.emplace(key, rows.select(std::span(&i, 1)));
    }
  }

  /// Into the table, in the order of the rows.
  void take(PreparedTable& table) {
    std::map<Index, std::pair<int, Features>> sorted;
    for (std::size_t c = 0; c < kept_.size(); ++c) {
      for (auto& [key, row] : kept_[c]) sorted.emplace(key.second, std::pair{static_cast<int>(c), std::move(row)});
    }
    std::vector<Features> pieces;
    for (auto& [row, entry] : sorted) {
      table.rows.push_back(row);
      table.labels.push_back(entry.first);
      pieces.push_back(std::move(entry.second));
    }
    table.features = stacked(pieces);
  }

 private:
  using Key = std::pair<std::uint64_t, Index>;
  std::uint64_t seed_;
  std::vector<std::size_t> quota_;
  std::vector<std::map<Key, Features>> kept_;  // of each class
};

}  // namespace

Index PreparedTable::table_rows() const { return std::accumulate(class_counts.begin(), class_counts.end(), Index{0}); }

PreparedTable prepare(const Execution& execution, const RowSource& source, const Recipe& recipe, Index size) {
  PreparedTable out{source, {}, {}, {}, {}, {}, source.class_counts()};
  const Index n = out.table_rows();
  // Wide rows: an eighth of the memory at most.
  const double row_bytes = source.sparse() ? 0 : 8.0 * static_cast<double>(std::max<Index>(1, source.features()));
  const double room = static_cast<double>(execution.memory.bytes()) / 8;
  if (static_cast<double>(size) * row_bytes > room) {
    size = std::max<Index>(2 * out.classes(), static_cast<Index>(room / row_bytes));
  }
  Draw draw(out.class_counts, size, recipe.seed);
  const bool all = n <= size;
  std::vector<Features> pieces;
  ScalingSums sums;
  source.pass([&](const Features& rows, std::span<const int> labels, Index first) {
    execution.interrupt.check();
    sums.add(rows);
    if (!all) return draw.offer(rows, labels, first);
    pieces.push_back(rows);
    out.labels.insert(out.labels.end(), labels.begin(), labels.end());
  });
  out.scaling = sums.finish(scaling_for(recipe, source.sparse()));
  if (all) {
    out.features = stacked(pieces);
    out.rows.resize(static_cast<std::size_t>(n));
    std::iota(out.rows.begin(), out.rows.end(), Index{0});
  } else {
    draw.take(out);
  }
  out.scaling.apply(out.features);
  out.weights = RowWeights(recipe, out.class_counts).of(out.labels, out.rows);
  return out;
}

RowWeights::RowWeights(const Recipe& recipe, std::span<const Index> class_counts) : recipe_(recipe) {
  const auto n = std::accumulate(class_counts.begin(), class_counts.end(), Index{0});
  if (recipe.weights == WeightKind::balanced) {
    of_class_.resize(static_cast<Index>(class_counts.size()));
    for (std::size_t c = 0; c < class_counts.size(); ++c) {
      of_class_[static_cast<Index>(c)] =
          static_cast<double>(n) / static_cast<double>(std::ssize(class_counts) * class_counts[c]);
    }
  } else if (recipe.weights == WeightKind::given) {
    row_weights(recipe, std::vector<int>(static_cast<std::size_t>(n), 0), 1);  // checks them
  }
}

double RowWeights::of(int label, Index row) const {
  return recipe_.weights == WeightKind::balanced ? of_class_[label]
                                                 : recipe_.row_weights[static_cast<std::size_t>(row)];
}

Vector RowWeights::of(std::span<const int> labels, Index first) const {
  if (recipe_.weights == WeightKind::uniform) return {};
  Vector out(std::ssize(labels));
  for (Index i = 0; i < out.size(); ++i) out[i] = of(labels[static_cast<std::size_t>(i)], first + i);
  return out;
}

Vector RowWeights::of(std::span<const int> labels, std::span<const Index> rows) const {
  if (recipe_.weights == WeightKind::uniform) return {};
  Vector out(std::ssize(labels));
  for (std::size_t i = 0; i < labels.size(); ++i) out[static_cast<Index>(i)] = of(labels[i], rows[i]);
  return out;
}

PassFolds::PassFolds(const Recipe& recipe, bool several) : recipe_(recipe) {
  const auto& given = recipe.folds.given;
  if (!several) return;
  count_ = given.empty() ? recipe.pass_folds : 1 + *std::max_element(given.begin(), given.end());
  const auto& groups = recipe.folds.groups;
  if (!given.empty() || groups.empty()) return;
  std::vector<Index> rows(groups.size());
  std::iota(rows.begin(), rows.end(), Index{0});
  const std::vector<int> unlabelled(groups.size(), 0);
  const Folds folds = make_folds(recipe.folds.quick(recipe.pass_folds).of_rows(rows), unlabelled, recipe.seed, 0);
  count_ = folds.count;
  of_group_ = folds.fold_of_row;
}

int PassFolds::of(Index row) const {
  constexpr std::uint64_t apart = 0x666f6c6473;  // from the numbers that draw the sample
  if (count_ == 1) return 0;
  if (!of_group_.empty()) return of_group_[static_cast<std::size_t>(row)];
  if (!recipe_.folds.given.empty()) return recipe_.folds.given[static_cast<std::size_t>(row)];
  return static_cast<int>(mixed(recipe_.seed ^ apart, static_cast<std::uint64_t>(row)) %
                          static_cast<std::uint64_t>(count_));
}

}  // namespace manyone
