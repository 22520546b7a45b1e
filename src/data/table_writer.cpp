// SPDX-License-Identifier: Apache-2.0
#include "data/table_writer.hpp"

#include <cstdint>
#include <limits>

#include "base/numbers.hpp"

namespace manyone {

namespace {

bool is_int(const std::string& text) {
  const auto number = parse_integer(text);
  return number && *number >= std::numeric_limits<std::int32_t>::min() &&
         *number <= std::numeric_limits<std::int32_t>::max() && std::to_string(*number) == text;
}

void append_entry(std::string& out, Index feature, double value) {
  out += ' ';
  out += std::to_string(feature + 1);
  out += ':';
  out += format_double(value);
}

}  // namespace

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::vector<std::string> libsvm_labels(const std::vector<std::string>& classes) {
  bool numbers = true;
  for (const std::string& name : classes) numbers = numbers && is_int(name);
  if (numbers) return classes;
  std::vector<std::string> out;
  for (std::size_t c = 1; c <= classes.size(); ++c) out.push_back(std::to_string(c));
  return out;
}

void append_libsvm_row(std::string& out, const std::string& label, const Features& rows, Index row) {
  out += label;
  if (rows.sparse()) {
    for (SparseMatrix::InnerIterator it(rows.csr(), row); it; ++it) {
      if (it.value() != 0) append_entry(out, it.col(), it.value());
    }
  } else {
    for (Index j = 0; j < rows.features(); ++j) {
      if (rows.dense()(row, j) != 0) append_entry(out, j, rows.dense()(row, j));
    }
  }
  out += '\n';
}

void append_csv_row(std::string& out, const Features& rows, Index row, const std::optional<std::string>& label) {
  const Matrix values = rows.dense_rows(row, 1);
  for (Index j = 0; j < values.cols(); ++j) {
    if (j > 0) out += ',';
    out += format_double(values(0, j));
  }
  if (label) {
    if (values.cols() > 0) out += ',';
    out += *label;
  }
  out += '\n';
}

}  // namespace manyone
