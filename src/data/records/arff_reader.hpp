// SPDX-License-Identifier: Apache-2.0
//
// ArffReader: Weka's attribute-relation files as a RecordReader: numeric, nominal, string and date attributes, dense
// and sparse rows. A missing cell is '?' and nothing else, for a nominal attribute may declare the value NA.
#pragma once

#include <deque>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/memory.hpp"
#include "data/bytes/byte_window.hpp"
#include "data/records/record.hpp"

namespace manyone {

class ArffReader final : public RecordReader {
 public:
  /// Reads the header up to @data. Throws InputError.
  ArffReader(ByteWindow window, const MemoryBudget& memory);

  bool next(Record& record) override;
  const std::vector<DeclaredColumn>& columns() const override { return columns_; }
  bool named() const override { return true; }
  bool missing(std::string_view cell) const override { return cell == "?"; }
  const std::string& name() const override { return lines_.name(); }
  double progress() const override { return lines_.progress(); }

 private:
  void read_header();
  void read_attribute(std::string_view text);
  void read_dense(std::string_view text, Record& record);
  void read_sparse(std::string_view text, Record& record);
  /// Takes one word, quoted or up to a stop character, off the front of `text`.
  std::string_view take_word(std::string_view& text, std::string_view stops);
  [[noreturn]] void fail(const std::string& message, std::size_t field = 0) const;

  LineReader lines_;
  MemoryBudget memory_;
  std::vector<DeclaredColumn> columns_;
  std::unordered_set<std::string> names_;
  std::vector<std::string> omitted_;  ///< what a sparse row means by leaving an attribute out
  std::deque<std::string> unescaped_;
  std::size_t unescaped_count_ = 0;
};

}  // namespace manyone
