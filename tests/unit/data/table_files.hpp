// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the readers share: paths of test files, tables from text, the message of an error.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "data/table_reader.hpp"
#include "manyone/errors.hpp"

namespace manyone::test {

using Names = std::vector<std::string>;

inline std::string valid_file(const std::string& name) { return std::string(MANYONE_TEST_DATA) + "/valid/" + name; }
inline std::string invalid_file(const std::string& name) { return std::string(MANYONE_TEST_DATA) + "/invalid/" + name; }

/// A table from text; `name` decides the format.
inline Dataset dataset_from(std::string text, const ReadOptions& options = {}, const std::string& name = "table.csv",
                            std::size_t step = std::size_t(-1)) {
  return read_dataset(bytes_in_memory(std::move(text), name, step), options);
}

inline BlockReader blocks_from(std::string text, const Schema& schema, const BlockOptions& options = {},
                               const std::string& name = "table.csv") {
  return BlockReader(bytes_in_memory(std::move(text), name), schema, options);
}

/// All blocks as one.
inline Block whole(BlockReader reader) {
  Block block;
  Block all;
  Matrix rows;
  while (reader.next(block)) {
    EXPECT_EQ(block.first_row, rows.rows() + std::ssize(all.dropped));
    const Matrix more = block.features.dense_rows(0, block.features.rows());
    rows.conservativeResize(rows.rows() + more.rows(), more.cols());
    rows.bottomRows(more.rows()) = more;
    all.labels.insert(all.labels.end(), block.labels.begin(), block.labels.end());
    all.dropped.insert(all.dropped.end(), block.dropped.begin(), block.dropped.end());
  }
  all.features = std::move(rows);
  return all;
}

/// The message of the Error that `action` throws; fails the test when it throws none.
template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "expected an error";
  return "";
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "expected \"" << part << "\" in: " << text;
}

}  // namespace manyone::test
