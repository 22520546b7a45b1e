// SPDX-License-Identifier: Apache-2.0
#include "base/cpp_source.hpp"

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

constexpr std::size_t kMostText = std::size_t{20} << 20;  // for which g++ takes four seconds and 320 MB
constexpr std::size_t kLine = 110;

}  // namespace

std::string cpp_number(double value) {
  std::string out = format_double(value);
  // A long integer literal may be beyond every integer type.
  constexpr std::size_t kShort = 9;
  if (out.size() > kShort && out.find_first_of(".e") == std::string::npos) out += '.';
  return out;
}

std::string cpp_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c >= ' ' && c <= '~' && c != '?') {  // "??" once meant other characters
      out += c;
    } else {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return out + '"';
}

std::string cpp_comment(std::string_view text) {
  std::string out;
  for (const char c : text) {
    // A backslash at the end would join the next line, and "??/" once was one.
    const bool harmless = c >= ' ' && c <= '~' && c != '\\' && c != '?' && c != '*' && c != '/';
    out += harmless ? c : '_';
  }
  return out;
}

void CppSource::count(std::string_view name, Index value) {
  arrays_ += fmt::format("constexpr int {} = {};\n", name, value);
}

void CppSource::names(std::string_view name, std::string_view meaning, const std::vector<std::string>& values) {
  arrays_ += fmt::format("\n/// {}\ninline const char* const {}[{}] = {{\n", meaning, name, values.size());
  for (const std::string& value : values) arrays_ += "    " + cpp_string(value) + ",\n";
  arrays_ += "};\n";
  check_size();
}

void CppSource::open_numbers() { arrays_ += "\nnamespace numbers {\n\n"; }

/// "1,2.5,...", cut into lines.
void CppSource::row_of(const double* values, Index count) {
  std::size_t line = arrays_.size();
  for (Index k = 0; k < count; ++k) {
    if (k > 0) arrays_ += ',';
    if (arrays_.size() - line > kLine) {
      arrays_ += '\n';
      line = arrays_.size();
    }
    arrays_ += cpp_number(values[k]);
  }
}

void CppSource::vector(std::string_view name, const Vector& values) {
  arrays_ += fmt::format("inline const double {}[{}] = {{", name, values.size());
  row_of(values.data(), values.size());
  arrays_ += "};\n";
  check_size();
}

void CppSource::matrix(std::string_view name, const Matrix& values) {
  rows(name, values.rows(), values.cols(), [&](Index i) { return Matrix(values.row(i)); });
}

void CppSource::rows(std::string_view name, Index count, Index columns, const std::function<Matrix(Index)>& row) {
  arrays_ += fmt::format("inline const double {}[{}][{}] = {{\n", name, count, columns);
  for (Index i = 0; i < count; ++i) {
    arrays_ += '{';
    row_of(row(i).data(), columns);
    arrays_ += "},\n";
    check_size();
  }
  arrays_ += "};\n";
}

void CppSource::integers(std::string_view name, const std::vector<int>& values) {
  arrays_ += fmt::format("inline const int {}[{}] = {{", name, values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    constexpr std::size_t kOfALine = 20;
    arrays_ += fmt::format("{}{}", k == 0 ? "" : k % kOfALine == 0 ? ",\n" : ",", values[k]);
  }
  arrays_ += "};\n";
  check_size();
}

std::string CppSource::mapped(const std::string& f, const std::string& name, const Matrix& values,
                              const Vector& shift) {
  matrix(name + "_map", values);
  std::string start = "0";
  if (shift.size() > 0) {
    vector(name + "_shift", shift);
    start = fmt::format("numbers::{}_shift[k]", name);
  }
  body(
      fmt::format("  double {0}[{1}];\n  for (int k = 0; k < {1}; ++k) {{\n    {0}[k] = {2};\n"
                  "    for (int r = 0; r < {3}; ++r) {0}[k] += {4}[r] * numbers::{0}_map[r][k];\n  }}\n",
                  name, values.cols(), start, values.rows(), f));
  return name;
}

void CppSource::scores_by_columns(std::string_view start, Index columns, std::string_view term) {
  body(
      fmt::format("  for (int c = 0; c < class_count; ++c) {{\n    out[c] = {};\n"
                  "    for (int k = 0; k < {}; ++k) {{\n      {}\n    }}\n  }}\n",
                  start, columns, term));
}

void CppSource::check_size() const {
  if (arrays_.size() > kMostText) {
    throw ConfigError("cpp",
                      fmt::format("the C++ header would have more than {} of text, which compilers take long for",
                                  format_bytes(kMostText)),
                      "use `onnx`, or train with fewer `centers`");
  }
}

std::string CppSource::text() const {
  return arrays_ +
         "\n}  // namespace numbers\n\n/// One score per class, larger = more likely.\n"
         "inline void scores(const double* features, double* out) {\n" +
         body_ + "}\n\n";
}

}  // namespace manyone
