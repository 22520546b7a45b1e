// SPDX-License-Identifier: Apache-2.0
//
// The tables of the papers, as printed, with what cannot be right in them. The numbers live in published.json, which
// the build puts into the program; nothing is read at run time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/matrix.hpp"

namespace manyone {

/// One entry: "mean +- deviation [best, worst] (time; test time)", any part of which may be absent.
struct PublishedCell {
  std::string text;             ///< as printed
  std::optional<double> mean;   ///< percent
  std::optional<double> best;   ///< percent
  std::optional<double> worst;  ///< percent
  std::optional<double> seconds;
  std::optional<double> test_seconds = {};
  std::optional<double> deviation = {};  ///< of the mean over partitions, percent
  std::vector<std::string> doubts;       ///< keys of PublishedTable::reasons: why the entry cannot be right
};

/// How a table is reproduced; docs/reproduce.md says what each means.
enum class Protocol {
  gridmin,     ///< the smallest cross-validation error over a grid
  times,       ///< training times
  figure,      ///< random splits at given parameters
  validation,  ///< as gridmin, or parameters from the training file and an error on the test file
  codes,       ///< parameters of one-vs-all for all codes; predictions compared pair by pair
  nested,      ///< parameters found anew in the training part of every fold
  settings,    ///< the parameters of the paper, errors on other rows
  stages,      ///< the parameters of the paper, times of training and of testing
  lengths,     ///< errors by the length of the code
};

/// Cost and width of the kernel exp(-gamma |x - z|^2): "cost gamma".
struct PublishedSetting {
  double cost = 1;
  double gamma = 1;
};

/// A data set as the paper used it.
struct PublishedSet {
  std::string name;
  std::string table;  ///< name of the file without its ending
  Index rows = 0;     ///< to train on, where some are for testing
  Index features = 0;
  Index classes = 0;
  bool subset = false;  ///< the first `rows` rows of a larger table
  bool halve = false;   ///< square images, averaged over 2 x 2 pixels
  std::string remark;
  std::string test = {};            ///< file of the test rows, which follow those of `table`
  Index train = 0;                  ///< rows before the test rows; 0: there are none
  bool nominal = false;             ///< all features are words, also where they look like numbers
  Index limit = 0;                  ///< rows we train on unless told otherwise; 0: all
  std::optional<double> best = {};  ///< accuracy of the best machine, in percent, where that is what is printed
  std::optional<double> worst = {};
  std::string centres = {};  ///< share of the rows that are centres of machines that have some; empty: all rows
};

struct PublishedRow {
  std::string name;  ///< as in the paper
  std::string machine;
  std::string labelbook;  ///< empty: the machine has its own, or it makes no difference
  bool bias = false;
  std::vector<std::optional<PublishedCell>> cells;  ///< one for each data set
  std::string own_choice = {};                      ///< a name for --machines, where the machine's does not tell
  std::string decode = {};                          ///< empty: the machine's own
  std::vector<std::optional<PublishedSetting>> settings = {};  ///< one for each data set, or none

  /// What --machines calls it: its own name, or the machine, with "-bias" if it has one.
  std::string choice() const { return !own_choice.empty() ? own_choice : bias ? machine + "-bias" : machine; }
};

/// Two rows compared on a data set: "first second difference agreement [low, high]".
struct PublishedPairCell {
  std::string text;       ///< as printed
  double first = 0;       ///< percent
  double second = 0;      ///< percent
  double difference = 0;  ///< percent
  double agreement = 0;   ///< share of the rows that both give the same class
  double low = 0;         ///< of the interval of err(first) - err(second), as a share
  double high = 0;
  std::vector<std::string> doubts;
};

struct PublishedPair {
  std::string title;
  std::size_t first = 0;                                ///< place in PublishedTable::rows
  std::size_t second = 0;                               ///< likewise
  std::vector<std::optional<PublishedPairCell>> cells;  ///< one for each data set
};

struct PublishedTable {
  std::string name;
  Protocol protocol = Protocol::gridmin;
  bool accuracy = false;  ///< cells are printed as shares of right classes; their numbers are errors all the same
  std::string title;
  std::string source;
  std::vector<PublishedSet> sets;
  std::vector<PublishedRow> rows;
  std::vector<PublishedPair> pairs;
  std::vector<std::pair<std::string, std::string>> reasons;  ///< key, sentence
  std::vector<std::string> remarks;
};

/// Throws InputError, for text that is not a list of tables, with a cell that cannot be read, a number of cells other
/// than that of the data sets, or a doubt without a reason.
std::vector<PublishedTable> parse_published(std::string_view text);

/// Throws InputError when the text is not "mean +- deviation [best, worst] (time; test time)". `accuracy`: mean and
/// deviation are shares of right classes.
PublishedCell parse_published_cell(const std::string& text, bool accuracy = false);

/// Throws InputError when the text is not "cost gamma" with numbers above 0.
PublishedSetting parse_published_setting(const std::string& text);

/// Throws InputError when the text is not "first second difference agreement [low, high]".
PublishedPairCell parse_published_pair(const std::string& text);

/// Seconds of "hh:mm:ss", "mm:ss" or "ss"; the seconds may have decimals.
std::optional<double> parse_clock(std::string_view text);

/// The text of published.json.
std::string_view published_text();
const std::vector<PublishedTable>& published_tables();
/// Throws ConfigError that lists the names and suggests the nearest.
const PublishedTable& published_table(std::string_view name);

}  // namespace manyone
