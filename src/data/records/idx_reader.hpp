// SPDX-License-Identifier: Apache-2.0
//
// IDX files (the format of MNIST): unsigned bytes with two or more dimensions, the first counts the rows; labels are in
// a one-dimensional file of their own. Sizes in the header are claims: memory follows the bytes that really come.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "data/bytes/byte_window.hpp"
#include "data/table_reader.hpp"

namespace manyone {

class IdxReader {
 public:
  /// Reads the header. Throws InputError unless it announces unsigned bytes.
  explicit IdxReader(ByteWindow window);

  std::size_t dimensions() const { return dimensions_; }
  Index rows() const { return rows_; }
  /// Bytes in each row.
  Index width() const { return width_; }
  /// Appends the next row. False when all rows() have been read; throws InputError when the file is shorter or longer
  /// than its header says.
  bool next(std::vector<std::uint8_t>& bytes);
  const std::string& name() const { return window_.name(); }
  double progress() const { return window_.progress(); }

 private:
  std::uint32_t number_at(std::size_t position) const;

  ByteWindow window_;
  std::size_t dimensions_ = 0;
  Index rows_ = 0;
  Index width_ = 1;
  Index read_ = 0;
};

/// Throw InputError for what is no file of rows, and for labels that are not of these rows.
void check_images(const IdxReader& images);
void check_labels(const IdxReader& images, const IdxReader& labels);

/// `rows` x `width` bytes as numbers.
Matrix as_matrix(const std::vector<std::uint8_t>& bytes, Index rows, Index width);

/// Images and labels of a table for training. Throws InputError when the labels are not there or do not fit.
struct IdxTable {
  IdxTable(ByteWindow images, std::unique_ptr<ByteSource> labels);

  IdxReader images;
  IdxReader labels;
};

/// Throws the InputError for a table without rows.
void require_rows(const IdxTable& table);

/// The whole file with its labels. Throws InputError, MemoryError.
Dataset read_idx(ByteWindow images, std::unique_ptr<ByteSource> labels, const ReadOptions& options);

}  // namespace manyone
