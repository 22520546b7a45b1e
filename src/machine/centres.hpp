// SPDX-License-Identifier: Apache-2.0
//
// Centres of a reduced kernel: a few rows (or means of rows) that stand for all, so that a machine has m columns of
// kernel values instead of n.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "backend/backend.hpp"

namespace manyone {

enum class ReduceKind {
  random,      ///< rows drawn at random
  stratified,  ///< the same, every class in proportion
  kmeans,      ///< means of clusters of rows
  pca,         ///< leading principal components of the kernel columns of stratified rows
  leverage,    ///< rows drawn by their approximate leverage in kernel ridge regression
};

struct ReduceInfo {
  ReduceKind kind;
  std::string_view name;
  std::string_view summary;
};

std::span<const ReduceInfo> reductions();
std::string_view name_of(ReduceKind kind);
/// Throws ConfigError that lists the names and suggests the nearest.
ReduceKind reduce_from_name(std::string_view name);

/// How many centres a user asks for: a number, or a share of the rows.
struct CentreCount {
  std::optional<Index> number = {};
  std::optional<double> share = {};

  Index of(Index rows) const;
};

/// For each row the first one that equals it, which may be itself.
std::vector<Index> first_equal_rows(const Features& rows);

/// Centres, and the rows that they are; means of rows are none.
struct ChosenCentres {
  Features centres;
  std::vector<Index> rows;    ///< the row that each of them is
  std::vector<Index> of_row;  ///< of each given row the centre that equals it, or -1
};

/// `count` centres (fewer when fewer rows differ) for scaled rows. The kernel matters to `leverage` alone. For pca the
/// rows whose kernel columns it starts from.
ChosenCentres choose_centres(const Execution& execution, ReduceKind kind, const Kernel& kernel, const Features& rows,
                             std::span<const int> labels, Index count, std::uint64_t seed);

}  // namespace manyone
