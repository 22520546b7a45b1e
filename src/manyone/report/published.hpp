// SPDX-License-Identifier: Apache-2.0
//
// The tables of the papers, as printed, with what cannot be right in them. The numbers live in published.json, which
// the build puts into the library; nothing is read at run time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "manyone/base/matrix.hpp"

namespace manyone {

/// One entry: "mean [best, worst] (time)", any part of which may be absent.
struct PublishedCell {
  std::string text;             ///< as printed
  std::optional<double> mean;   ///< percent
  std::optional<double> best;   ///< percent
  std::optional<double> worst;  ///< percent
  std::optional<double> seconds;
  std::vector<std::string> doubts;  ///< keys of PublishedTable::reasons: why the entry cannot be right
};

/// A data set as the paper used it.
struct PublishedSet {
  std::string name;
  std::string table;  ///< name of the file without its ending
  Index rows = 0;
  Index features = 0;
  Index classes = 0;
  bool subset = false;  ///< the first `rows` rows of a larger table
  bool halve = false;   ///< square images, averaged over 2 x 2 pixels
  std::string remark;
};

struct PublishedRow {
  std::string name;  ///< as in the paper
  std::string machine;
  std::string labelbook;  ///< empty: the machine has its own, or it makes no difference
  bool bias = false;
  std::vector<std::optional<PublishedCell>> cells;  ///< one for each data set

  /// What --machines calls it: the machine, with "-bias" if it has one.
  std::string choice() const { return bias ? machine + "-bias" : machine; }
};

struct PublishedTable {
  std::string name;
  std::string title;
  std::string source;
  std::vector<PublishedSet> sets;
  std::vector<PublishedRow> rows;
  std::vector<std::pair<std::string, std::string>> reasons;  ///< key, sentence
  std::vector<std::string> remarks;
};

/// Throws InputError, for text that is not a list of tables, with a cell that cannot be read, a number of cells other
/// than that of the data sets, or a doubt without a reason.
std::vector<PublishedTable> parse_published(std::string_view text);

/// Throws InputError when the text is not "mean [best, worst] (time)".
PublishedCell parse_published_cell(const std::string& text);

/// Seconds of "hh:mm:ss", "mm:ss" or "ss"; the seconds may have decimals.
std::optional<double> parse_clock(std::string_view text);

/// The text of published.json.
std::string_view published_text();
const std::vector<PublishedTable>& published_tables();
/// Throws ConfigError that lists the names and suggests the nearest.
const PublishedTable& published_table(std::string_view name);

}  // namespace manyone
