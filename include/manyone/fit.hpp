// SPDX-License-Identifier: Apache-2.0
//
// fit() and tune(): from a table and a recipe to a classifier, or to the errors of what was tried.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <manyone/classifier.hpp>
#include <manyone/recipe.hpp>
#include <manyone/run.hpp>
#include <manyone/table.hpp>

namespace manyone::abi_0 {

/// What is wanted besides a choice of parameters.
struct Wishes {
  bool nested = false;       ///< the honest error too: the search repeated inside each fold
  std::string journal = {};  ///< a file: every cell is written there, and those it holds are not scored again
};

/// A width and a ridge that were tried.
struct Cell {
  double sigma = 1;
  double ridge = 1;  ///< for so many rows as were searched
  double error = 1;
  std::optional<double> std = {};  ///< over repeats; not set for a single one
  bool solved = false;             ///< false: there is no error, the system could not be solved
};

struct Search {
  double sigma = 1;     ///< chosen; 1 for a kernel that has none
  double ridge = 1;     ///< chosen, for all rows of the table
  Estimate error = {};  ///< there; they were chosen by it, so it is slightly optimistic
  std::vector<Cell> tried = {};
  std::int64_t searched_rows = 0;           ///< on which they were tried: some of a large table
  std::optional<double> nested_error = {};  ///< the honest error: of the search as a whole, on searched_rows
  bool stopped = false;                     ///< before all was tried
};

struct FitResult {
  Classifier classifier;
  std::optional<Search> search = {};    ///< not set where all parameters were given
  std::vector<std::string> notes = {};  ///< what the observer was told
};

struct TuneResult {
  Search search;
  std::vector<std::string> notes = {};
};

/// Tunes what the recipe leaves open, trains on all rows and calibrates the probabilities; with sigma and ridge given
/// it only trains. Throws ConfigError, InputError, MemoryError, BackendError, and Interrupted when stopped.
FitResult fit(const Table& table, const Recipe& recipe = {}, const Run& run = {}, const Wishes& wishes = {});

/// The same for a file that is read block by block, as often as needed: memory does not grow with its rows. For
/// machines with centres.
FitResult fit_streamed(const std::string& file, const ReadOptions& options = {}, const Recipe& recipe = {},
                       const Run& run = {}, const Wishes& wishes = {});

/// Searches and does not train. Stopped, it returns what it has; throws Interrupted only if that is nothing.
TuneResult tune(const Table& table, const Recipe& recipe = {}, const Run& run = {}, const Wishes& wishes = {});

}  // namespace manyone::abi_0
