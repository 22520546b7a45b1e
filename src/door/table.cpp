// SPDX-License-Identifier: Apache-2.0
#include "manyone/table.hpp"

#include <array>
#include <type_traits>

#include <fmt/format.h>

#include "base/names.hpp"
#include "data/splits.hpp"
#include "door/inside.hpp"
#include "manyone/errors.hpp"

namespace manyone::door {

static_assert(std::is_same_v<Index, std::int64_t>, "the door counts as the library does");

namespace {

template <class Kind>
struct Word {
  std::string_view name;
  Kind kind;
};

constexpr std::array<Word<TableFormat>, 5> kFormats = {{{"auto", TableFormat::automatic},
                                                        {"csv", TableFormat::csv},
                                                        {"libsvm", TableFormat::libsvm},
                                                        {"arff", TableFormat::arff},
                                                        {"idx", TableFormat::idx}}};
constexpr std::array<Word<MissingPolicy>, 4> kMissing = {{{"error", MissingPolicy::error},
                                                          {"drop", MissingPolicy::drop},
                                                          {"mean", MissingPolicy::mean},
                                                          {"indicator", MissingPolicy::indicator}}};

template <class Words>
auto meaning(const Words& words, const std::string& name, const std::string& parameter) {
  std::string known;
  for (const auto& word : words) {
    if (word.name == name) return word.kind;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", word.name);
  }
  throw ConfigError::must_be(parameter, fmt::format("one of {}", known), fmt::format("'{}'", name), "leave it out");
}

}  // namespace

ReadOptions for_library(const abi_0::ReadOptions& options, const abi_0::Run& run) {
  return {.format = meaning(kFormats, options.form.format, "format"),
          .target = options.target,
          .fold_column = options.fold_column,
          .nominal = options.nominal,
          .ignore = options.ignore,
          .keep_identifiers = options.keep_identifiers,
          .header = options.form.header,
          .decimal_comma = options.form.decimal_comma,
          .missing = meaning(kMissing, options.missing, "missing"),
          .memory = memory_of(run)};
}

BlockOptions for_library(const abi_0::FileForm& form, const abi_0::Run& run) {
  BlockOptions out;
  out.format = meaning(kFormats, form.format, "format");
  out.header = form.header;
  out.decimal_comma = form.decimal_comma;
  out.memory = memory_of(run);
  return out;
}

}  // namespace manyone::door

namespace manyone::abi_0 {

Table::Table(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}

Table Table::read(const std::string& file, const ReadOptions& options, const Run& run) {
  Table out(std::make_shared<const Inside>(Inside{read_dataset(file, for_library(options, run))}));
  tell(run, out.inside_->data.notes);
  return out;
}

Table Table::of(MatrixView rows, const std::vector<std::string>& labels) {
  return Table(std::make_shared<const Inside>(Inside{make_dataset(for_library(rows), labels)}));
}

std::int64_t Table::rows() const { return inside_->data.rows(); }

std::int64_t Table::features() const { return inside_->data.features.features(); }

const std::vector<std::string>& Table::classes() const { return inside_->data.classes; }

std::span<const int> Table::labels() const { return inside_->data.labels; }

std::vector<std::string> Table::feature_names() const { return inside_->data.schema.feature_names(); }

Matrix Table::numbers(std::int64_t first_row, std::int64_t count) const {
  if (first_row < 0 || count < 0 || count > rows() - first_row) {
    throw InputError(fmt::format("expected some of {} rows, found {} from row {} on", rows(), count, first_row));
  }
  return for_program(inside_->data.features.dense_rows(first_row, count));
}

std::vector<int> Table::fold_ids() const {
  if (inside_->data.folds.empty()) {
    throw ConfigError("folds", "the table was read without a column of folds", "name it in ReadOptions::fold_column");
  }
  return folds_from_text(inside_->data.folds, inside_->data.source);
}

std::span<const std::int64_t> Table::kept() const { return inside_->data.kept; }

std::vector<std::string> Table::notes() const {
  std::vector<std::string> out;
  for (const Words& note : inside_->data.notes) out.push_back(note.text());
  return out;
}

}  // namespace manyone::abi_0
