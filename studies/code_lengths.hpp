// SPDX-License-Identifier: Apache-2.0
//
// The figures of Chen et al. (2009): errors on test rows by the length of the code, and test rows in the outputs for
// the first two columns of a code. One regression for each data set serves all codes and lengths
// (studies/coded_regression).
#pragma once

#include "studies/reproduce.hpp"
#include "studies/table_text.hpp"

namespace manyone {

/// A code on a data set: the errors with its first 1, 2, ..., L-1 columns, several times for codes that are drawn.
struct CodeRun {
  const PublishedRow* row = nullptr;
  std::vector<std::vector<double>> errors;  ///< replicates x lengths

  double mean(std::size_t length) const;
};

/// Test rows in the outputs for the first two columns of a code.
struct CodeView {
  const PublishedRow* row = nullptr;
  Matrix points;  ///< n x 2
  std::vector<int> labels;
};

struct CodeLengths {
  std::size_t set = 0;
  std::vector<std::string> classes;
  std::vector<CodeRun> runs;
  std::vector<CodeView> views;
  Index trained = 0;
  Index tested = 0;

  /// Lengths 1..k up to which optimal scores have the smallest (mean) error of all codes; nothing without them or
  /// without others to compare with.
  std::optional<std::size_t> optimal_best() const;
};

struct CodeFigures {
  const PublishedTable* table = nullptr;
  std::vector<CodeLengths> sets;
  bool interrupted = false;
};

/// Test rows of each class that are drawn.
constexpr int kViewRows = 10;

/// Errors by Fisher's discriminant for all lengths. Views: of the first data set in the table, for optimal scores and
/// indicators. `repeats`: of the random code, whose columns are drawn so that the first L-1 are independent.
CodeFigures reproduce_code_lengths(const Execution& execution, const ReproduceChoice& choice,
                                   std::span<const FoundSet> found, int repeats, std::uint64_t seed);

std::string code_lengths_text(const CodeFigures& figures);
Json code_lengths_json(const CodeFigures& figures);

}  // namespace manyone
