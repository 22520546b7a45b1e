// SPDX-License-Identifier: Apache-2.0
//
// The one table of parameters: what each choice of a recipe is called, takes, means and goes with, and how it is read
// from and written to a Recipe. The options of the command line with their help, manual and completion, the parameters
// of the Python package with their docstrings, and docs/parameters.md are made from it; tests hold journals, models and
// the estimators' constructors against it.
//
// Front ends turn what they are given (words, Python objects, files) into values, each in its own way;
// recipe_from_settings() does the rest for all of them.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/memory.hpp"
#include "model/recipe.hpp"

namespace manyone {

/// Numbers of the user's in the place of a word, and what they are called: their file.
struct NamedNumbers {
  std::string name;
  Matrix numbers;
};

/// A range of a search.
struct GridAxis {
  std::string name;  ///< sigma, ridge or cost
  LogRange range;
};

/// What a parameter is set to; nothing: it is open, and tuned or chosen.
using ParameterValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, NamedNumbers,
                                    std::vector<GridAxis>, std::vector<int>>;

enum class ParameterType {
  flag,
  count,    ///< a whole number
  number,   ///< or auto, where `takes` says so
  text,     ///< or NamedNumbers, where it takes numbers
  weights,  ///< text, or NamedNumbers with one for each row
  ranges,   ///< GridAxis
  folds,    ///< a count, "loo", or the fold of each row
  groups,   ///< the group of each row, from 0
};

/// The name of the value: "flag", "number".
std::string_view name_of(ParameterType type);

/// Which numbers are taken.
struct NumberRange {
  double above = -std::numeric_limits<double>::infinity();
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();

  /// Never infinity or what is no number.
  bool has(double number) const;
};

struct Parameter {
  std::string_view name;   ///< with underscores
  std::string_view group;  ///< "Machine" or "Search"
  ParameterType type = ParameterType::text;
  /// What may be written, alternatives between bars: words in small letters stand for themselves, words in capitals for
  /// a kind of value. Empty: as the type says.
  std::string_view takes = {};
  bool closed = false;             ///< nothing but the words of `takes`
  std::string_view standard = {};  ///< what is written for what it is without being told; empty: the text tells
  NumberRange range = {};
  int dimensions = 0;  ///< of the numbers that are taken in the place of a word; 0: none
  bool writes_file = false;
  std::string_view stands_for = {};  ///< a parameter that it says in other words: one of both is given
  std::string text = {};             ///< what it means, for help

  // What it goes with; absent: with all.
  bool (*of_machine)(const MachineEntry& entry) = nullptr;
  bool (*of_kernel)(const KernelEntry& entry) = nullptr;

  bool scores = false;    ///< a cell of the search scores otherwise with another value, so a journal tells them apart
  bool in_model = false;  ///< told of a trained model too, in its file and in results

  /// Nothing where it is open. Absent where the recipe holds it under another name (stands_for).
  ParameterValue (*get)(const Recipe& recipe) = nullptr;
  /// For a table of so many rows. Throws ConfigError for a value that cannot be used. Both are absent of what is wanted
  /// besides a recipe (selection/plan.hpp).
  void (*set)(Recipe& recipe, const ParameterValue& value, Index rows) = nullptr;

  /// A word of `takes`: "auto", "FILE".
  bool takes_word(std::string_view word) const;
};

/// In the order in which they are shown to users, and are set: later ones look at earlier ones.
std::span<const Parameter> parameters();
/// Nothing for a name that is none.
const Parameter* find_parameter(std::string_view name);

/// The words of `takes` that stand for themselves.
std::vector<std::string_view> words_of(const Parameter& parameter);
/// "a number above 0 or auto", "'training' or 'all'": `quote` goes around words.
std::string expected_of(const Parameter& parameter, std::string_view quote = "");
/// "leave it out to have it tuned": what to do instead of setting it.
std::string without(const Parameter& parameter);
/// The value that a word stands for: a number, the numbers of a file of that name where it takes some, or the word
/// itself. Throws ConfigError, and InputError for a file that cannot be used.
ParameterValue value_from_word(const Parameter& parameter, const std::string& word, const MemoryBudget& memory = {});
/// Throws ConfigError for numbers of the recipe out of their ranges.
void check_ranges(const Recipe& recipe);

/// What was said of one parameter.
struct Setting {
  const Parameter* parameter;
  ParameterValue value;
};

/// The recipe that was asked for, for a table of so many rows; settings that are no part of a recipe are left aside.
/// Throws ConfigError for values that cannot be used, and for what was said of a search or of folds that are none; what
/// else does not go together is left to Recipe::validate().
Recipe recipe_from_settings(std::span<const Setting> settings, Index rows);

}  // namespace manyone
