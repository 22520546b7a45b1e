// SPDX-License-Identifier: Apache-2.0
//
// Recipe: every choice that turns a table into a classifier, in the words of the command line (docs/parameters.md).
// A parameter that is not set is tuned, or is what suits the table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <manyone/matrix.hpp>

namespace manyone::abi_0 {

/// Values 2^low .. 2^high, each 2^step times the one before.
struct LogRange {
  double low = -4;
  double high = 4;
  double step = 1;
};

struct Recipe {
  // The machine.
  std::string machine = "auto";             ///< any that `manyone machines` lists; auto: what suits the table
  std::string kernel = "gaussian";          ///< any that `manyone kernels` lists
  std::optional<double> sigma = {};         ///< width of the kernel; not set: tuned
  std::optional<int> degree = {};           ///< of the polynomial kernel; not set: 3
  std::optional<double> offset = {};        ///< of the polynomial kernel; not set: 1
  std::optional<double> ridge = {};         ///< larger is smoother; 1/cost of machines with a cost; not set: tuned
  bool bias = false;                        ///< add a bias term
  std::string labelbook = {};               ///< a name or a CSV file; empty: the machine's usual one
  Matrix codewords = {};                    ///< numbers in the place of a labelbook, a row for each class; empty: none
  std::string label_kernel = "linear";      ///< linear, gaussian:S, or a CSV file with a Gram matrix of the classes
  Matrix label_gram = {};                   ///< numbers in the place of such a file; empty: none
  std::optional<std::int64_t> length = {};  ///< columns of a code of a free length
  std::string decode = {};                  ///< from outputs to classes; empty: what suits the machine
  std::string priors = "uniform";           ///< of decoders with priors: uniform, data or a CSV file
  std::vector<double> class_priors = {};    ///< numbers in the place of such a file; empty: none
  std::string solver = "auto";              ///< of machines that have a choice: auto, direct or cg
  std::optional<double> accuracy = {};      ///< where iterations stop
  std::string mkl = "published";            ///< how a kernel on labels is learned: published or simplex

  // Centres instead of all rows.
  std::string centers = {};               ///< how many ("1000", "5%"), or a CSV file; empty: as suits the table
  std::string reduce = {};                ///< how they are chosen: stratified, random, kmeans, leverage or pca
  std::string penalty = {};               ///< identity or rkhs; empty: the machine's usual one
  std::string centers_from = "training";  ///< in cross-validation: training, or all (too good for new rows)
  std::optional<double> time = {};        ///< seconds that training may take, about: chooses the number of centres

  // Rows.
  std::string scale = {};                ///< range, standard, maxabs or none; empty: range, maxabs for sparse rows
  bool scale_per_fold = false;           ///< every training part is scaled by its own rows
  std::string weights = "uniform";       ///< uniform, or balanced: every class weighs the same
  std::vector<double> row_weights = {};  ///< a weight for each row in the place of these; empty: none

  // The search.
  std::optional<int> folds = {};      ///< of the cross-validation; 0: leave one out; not set: 10, or one for each row
  bool stratify = false;              ///< every class is spread evenly over the folds
  std::vector<int> given_folds = {};  ///< the fold of each row; empty: random ones
  std::vector<int> groups = {};       ///< of each row: rows of a group stay in one fold; empty: none
  int repeats = 1;                    ///< partitions to average over
  std::uint64_t seed = 1;             ///< of all random choices
  std::string search = "auto";        ///< auto, grid, halving, design or greedy
  std::optional<LogRange> sigma_range = {};  ///< of grid, halving and design; not set: 2^-4 .. 2^4
  std::optional<LogRange> ridge_range = {};  ///< the same; not set: 2^-4 .. 2^4 times what the machine finds usual

  /// Throws ConfigError, which names the parameter, for a value that cannot be used or does not go with others.
  void validate() const;
};

}  // namespace manyone::abi_0
