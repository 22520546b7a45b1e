// SPDX-License-Identifier: Apache-2.0
//
// TableSigns: what the cells of a training table say about what its columns are for. A column that counts the rows, or
// holds a word of its own in every row, identifies rows and is no feature; a column that tells the class of every row
// may not be known where the model is used; a last column of ever new numbers is hardly the class. It takes rows block
// by block, beside TableSummary, and follows a column only as long as it may be one of these.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/outline/raw_table.hpp"
#include "data/outline/table_summary.hpp"
#include "data/table_reader.hpp"
#include "manyone/words.hpp"

namespace manyone {

class TableSigns {
 public:
  /// Adds the rows that `table` holds.
  void add(const RawTable& table);

  /// Marks the identifiers among the columns, unless the options keep them, and returns the notes for the user. Throws
  /// InputError when the last column is taken for the class, cannot be it, and another one looks like it; or when no
  /// feature is left. Precondition: all rows have been added here and to the summary.
  std::vector<Words> judge(RawTable& table, const TableSummary& summary, const ReadOptions& options) const;

 private:
  /// One feature column that may still count the rows or tell their classes.
  class Suspect {
   public:
    Suspect(std::size_t column, Index position) : column_(column), position_(position) {}
    /// False when nothing is left of the suspicion.
    bool look(const RawTable& table, Index rows_before);
    std::size_t column() const { return column_; }
    bool counts() const { return from_zero_ || from_one_; }
    bool tells_the_class(Index rows) const;

   private:
    struct Range {
      double low = 0;
      double high = -1;
    };
    bool look_for_count(double cell, Index row);
    bool look_for_value(double cell, std::uint32_t label);
    bool ranges_apart() const;

    std::size_t column_;
    Index position_;
    bool from_zero_ = true;
    bool from_one_ = true;
    bool by_value_ = true;                                  ///< equal cells have equal classes
    bool by_range_ = true;                                  ///< no two classes share a stretch of numbers
    std::vector<std::pair<double, std::uint32_t>> values_;  ///< numbers seen, with their class
    std::vector<std::int64_t> class_of_word_;               ///< -1: not seen
    std::vector<Range> ranges_;                             ///< of each class
  };

  void add_first_column(const RawTable& table);
  /// Says which columns hold numbers in a spelling that is not read.
  void note_marked_numbers(const RawTable& table, std::vector<Words>& notes) const;
  std::vector<Words> mark_identifiers(RawTable& table, const TableSummary& summary) const;
  void check_target(const RawTable& table, const TableSummary& summary, std::vector<Words>& notes) const;
  /// The first column if it holds few whole numbers, or the first one with few words; else the number of columns.
  std::size_t column_that_may_be_the_class(const RawTable& table, Index rows) const;

  Index rows_ = 0;
  bool started_ = false;
  std::vector<Suspect> suspects_;
  std::unordered_set<double> first_column_;  ///< its numbers
  bool first_is_whole_ = true;               ///< its numbers are
  bool few_whole_numbers_ = true;            ///< ... and they are not too many
};

}  // namespace manyone
