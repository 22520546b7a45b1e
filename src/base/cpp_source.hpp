// SPDX-License-Identifier: Apache-2.0
//
// CppSource: the two parts of a header that grow side by side, arrays of numbers and the body of the function that uses
// them. Numbers are the shortest decimals that read back to the same doubles.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/matrix.hpp"

namespace manyone {

/// A literal of type int or double that is exactly this number.
std::string cpp_number(double value);

/// A string literal; bytes that are not printable ASCII are escaped.
std::string cpp_string(std::string_view text);

/// Text within a line of comment: what could end the line or be read as something else becomes '_'.
std::string cpp_comment(std::string_view text);

class CppSource {
 public:
  void count(std::string_view name, Index value);
  void names(std::string_view name, std::string_view meaning, const std::vector<std::string>& values);
  /// Arrays from here on are in a namespace `numbers`.
  void open_numbers();
  void vector(std::string_view name, const Vector& values);
  void matrix(std::string_view name, const Matrix& values);
  /// A matrix that is made row by row.
  void rows(std::string_view name, Index count, Index columns, const std::function<Matrix(Index)>& row);
  void integers(std::string_view name, const std::vector<int>& values);
  void body(std::string_view lines) { body_ += lines; }
  /// f becomes f times a matrix, plus a shift where there is one; the new vector has another name, which is returned.
  std::string mapped(const std::string& f, const std::string& name, const Matrix& matrix, const Vector& shift);
  /// For every class c: out[c] = start, then `term` for each column k.
  void scores_by_columns(std::string_view start, Index columns, std::string_view term);

  /// Throws ConfigError when the text is too large to be compiled with pleasure.
  void check_size() const;
  /// Arrays and the function scores(). Precondition: open_numbers().
  std::string text() const;

 private:
  void row_of(const double* values, Index count);

  std::string arrays_;
  std::string body_;
};

}  // namespace manyone
