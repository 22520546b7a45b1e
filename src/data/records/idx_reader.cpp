// SPDX-License-Identifier: Apache-2.0
#include "data/records/idx_reader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "manyone/errors.hpp"

namespace manyone {

namespace {

constexpr std::uint8_t kUnsignedByte = 8;

IdxReader checked_images(ByteWindow window, bool labels_found) {
  IdxReader images(std::move(window));
  check_images(images);
  if (!labels_found) {
    throw InputError(
        Place{images.name()}, "the labels were not found",
        "expected a file of the same name with \"labels\" for \"images\" and \"idx1\" for \"idx3\" beside it");
  }
  return images;
}

}  // namespace

void check_labels(const IdxReader& images, const IdxReader& labels) {
  if (labels.dimensions() != 1) {
    throw InputError(Place{labels.name()},
                     fmt::format("expected a label file with one dimension, found {}", labels.dimensions()));
  }
  if (labels.rows() != images.rows()) {
    throw InputError(Place{labels.name()},
                     fmt::format("expected {} labels as there are rows in {}, found {}", images.rows(), images.name(),
                                 labels.rows()),
                     "give the two files that belong together");
  }
}

void check_images(const IdxReader& images) {
  if (images.dimensions() < 2) {
    throw InputError(Place{images.name()},
                     "expected rows with two or more dimensions, found one: give the image file, not the label file");
  }
}

IdxReader::IdxReader(ByteWindow window) : window_(std::move(window)) {
  window_.expect(4);
  const auto fail = [&](const std::string& message) { throw InputError(Place{name()}, message); };
  if (window_.size() < 4 || window_.begin()[0] != 0 || window_.begin()[1] != 0)
    fail(
        "expected an IDX file, found other first bytes (not 00 00); give a file of another format a name that says so");
  if (window_.begin()[2] != kUnsignedByte)
    fail(fmt::format(
        "expected IDX data of unsigned bytes (type 8), found type {}; convert the values to bytes, or write a CSV file",
        static_cast<unsigned char>(window_.begin()[2])));
  dimensions_ = static_cast<unsigned char>(window_.begin()[3]);
  const std::size_t header = 4 + 4 * dimensions_;
  window_.expect(header);
  if (dimensions_ == 0 || window_.size() < header) fail("the IDX header is cut short; get the file anew");
  rows_ = number_at(4);
  for (std::size_t d = 1; d < dimensions_; ++d) {
    width_ *= number_at(4 + 4 * d);
    if (width_ == 0 || width_ > static_cast<Index>(kMaxColumns))
      fail("expected rows of 1 to 10 million bytes, the IDX header says otherwise; get the file anew");
  }
  window_.consume(header);
}

std::uint32_t IdxReader::number_at(std::size_t position) const {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(window_.begin()[position + i]);
  return number;
}

bool IdxReader::next(std::vector<std::uint8_t>& bytes) {
  const auto width = static_cast<std::size_t>(width_);
  if (read_ == rows_) {
    window_.expect(1);
    if (window_.size() > 0)
      throw InputError(Place{name()}, fmt::format("the header announces {} rows, but more bytes follow them", rows_),
                       "get the file anew");
    return false;
  }
  window_.expect(width);
  if (window_.size() < width) {
    throw InputError(
        Place{name()},
        fmt::format(
            "the header announces {} rows of {} bytes, but the file ends in row {}: the download or copy was cut short",
            rows_, width_, read_ + 1),
        "get the file anew");
  }
  bytes.insert(bytes.end(), window_.begin(), window_.begin() + width);
  window_.consume(width);
  ++read_;
  return true;
}

Matrix as_matrix(const std::vector<std::uint8_t>& bytes, Index rows, Index width) {
  using Bytes = Eigen::Matrix<std::uint8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const Bytes>(bytes.data(), rows, width).cast<double>();
}

IdxTable::IdxTable(ByteWindow images_window, std::unique_ptr<ByteSource> labels_source)
    : images(checked_images(std::move(images_window), labels_source != nullptr)),
      labels(ByteWindow(std::move(labels_source))) {
  check_labels(images, labels);
}

void require_rows(const IdxTable& table) {
  if (table.images.rows() == 0) throw InputError(Place{table.images.name()}, "the file has no rows");
}

Dataset read_idx(ByteWindow images, std::unique_ptr<ByteSource> labels, const ReadOptions& options) {
  IdxTable table(std::move(images), std::move(labels));
  std::vector<std::uint8_t> bytes;
  constexpr Index kOften = 1024;  // rows between two looks at the budget
  for (Index rows = 0; table.images.next(bytes); ++rows) {
    if (rows % kOften != 0 && rows + 1 != table.images.rows()) continue;
    options.memory.require(9.0 * static_cast<double>(bytes.size()), "reading " + table.images.name(),
                           "allow more with `memory` or take fewer rows");
  }
  std::vector<std::uint8_t> label_bytes;
  while (table.labels.next(label_bytes)) {
  }
  require_rows(table);
  std::vector<std::string> names;
  names.reserve(label_bytes.size());
  for (const std::uint8_t label : label_bytes) names.push_back(std::to_string(label));
  Dataset data = label_rows(as_matrix(bytes, table.images.rows(), table.images.width()), names, table.images.name());
  data.schema.missing = options.missing;
  return data;
}

}  // namespace manyone
