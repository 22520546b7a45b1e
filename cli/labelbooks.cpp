// SPDX-License-Identifier: Apache-2.0
#include "labelbook/labelbook.hpp"

#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/listing.hpp"
#include "cli/options.hpp"
#include "cli/printing.hpp"
#include "data/scaling.hpp"
#include "data/table_reader.hpp"
#include "labelbook/codes.hpp"
#include "manyone/errors.hpp"
#include "result/result_json.hpp"
#include "result/text_table.hpp"

namespace manyone::cli {

namespace {

struct LabelbooksOptions {
  std::string show;
  std::optional<int> classes;
  std::vector<Index> counts;
  std::int64_t seed = 1;
  std::optional<Index> length;
  std::string data;
  bool json = false;
};

Listing listing_of(std::span<const LabelbookInfo> infos, const std::string& head) {
  Listing listing{{head, "definition"}, {}};
  for (const LabelbookInfo& info : infos)
    listing.rows.push_back({std::string(info.name), std::string(info.definition)});
  return listing;
}

void print_all(bool json) {
  if (!json) {
    print_listing(listing_of(labelbooks(), "book"), false);
    print(stdout, "\n");
    print_listing(listing_of(codes(), "code"), false);
    return;
  }
  Listing both{{"name", "kind", "definition"}, {}};
  for (const LabelbookInfo& info : labelbooks())
    both.rows.push_back({std::string(info.name), "book", std::string(info.definition)});
  for (const LabelbookInfo& info : codes())
    both.rows.push_back({std::string(info.name), "code", std::string(info.definition)});
  print_listing(both, true);
}

/// Only -1, 0 and 1: distances mean something, and an entry is a sign.
bool has_signs_only(const Matrix& M) { return (M.array() == 0 || M.array() == 1 || M.array() == -1).all(); }

/// A row per class: a sign per column, or a number in a column of its own.
std::string codewords_text(const Matrix& M) {
  const bool signs = has_signs_only(M);
  std::vector<std::vector<std::string>> rows = {{"class"}};
  if (signs) rows[0].push_back("codeword");
  for (Index i = 0; !signs && i < M.cols(); ++i) rows[0].push_back(std::to_string(i + 1));
  for (Index c = 0; c < M.rows(); ++c) {
    std::vector<std::string> row = {std::to_string(c + 1)};
    if (signs) row.emplace_back();
    for (Index i = 0; i < M.cols(); ++i) {
      if (signs)
        row[1] += M(c, i) > 0 ? '+' : M(c, i) < 0 ? '-' : '.';
      else
        row.push_back(fmt::format("{:.6g}", M(c, i)));
    }
    rows.push_back(std::move(row));
  }
  return text_table(rows);
}

struct Distances {
  std::optional<double> rows;
  std::optional<double> columns;
};

Distances distances_of(const Matrix& M) {
  if (!has_signs_only(M)) return {};
  Distances out{smallest_row_distance(M), smallest_column_distance(M)};
  if (M.cols() == 1) out.columns.reset();
  return out;
}

Json codewords_json(const Labelbook& book, const Distances& distances) {
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  Json words = Json::array();
  for (const auto& row : book.codewords.rowwise()) words.push_back(std::vector<double>(row.begin(), row.end()));
  return {{"name", book.name},
          {"classes", book.classes()},
          {"length", book.length()},
          {"codewords", std::move(words)},
          {"row_distance", number(distances.rows)},
          {"column_distance", number(distances.columns)}};
}

/// What the options say, and a table if there is one: its classes, their rows and what explains them.
BookRequest request_of(const LabelbooksOptions& options) {
  BookRequest request{options.classes.value_or(0), options.counts, static_cast<std::uint64_t>(options.seed),
                      options.length};
  if (options.data.empty()) {
    if (!options.classes) throw ConfigError("--show needs --classes, or --data with a table");
    return request;
  }
  Dataset data = read_dataset(options.data, {});
  request.classes = static_cast<int>(data.class_count());
  request.counts.assign(data.classes.size(), 0);
  for (const int label : data.labels) ++request.counts[static_cast<std::size_t>(label)];
  if (options.show == "optimal") {
    Scaling::fit(data.features.sparse() ? ScalingKind::maxabs : ScalingKind::range, data.features).apply(data.features);
    request.explained = explained_classes(data.features.dense_rows(0, data.rows()), data.labels, data.class_count());
  }
  return request;
}

void print_one(const LabelbooksOptions& options) {
  const Labelbook book = make_labelbook(options.show, request_of(options));
  const Distances distances = distances_of(book.codewords);
  if (options.json) {
    print(stdout, dump(codewords_json(book, distances)) + "\n");
    return;
  }
  std::string text = fmt::format("{}: {} classes, {} column{}\n", book.name, book.classes(), book.length(),
                                 book.length() == 1 ? "" : "s");
  if (distances.rows) text += fmt::format("smallest row distance: {:g}\n", *distances.rows);
  if (distances.columns) text += fmt::format("smallest column distance: {:g}\n", *distances.columns);
  print(stdout, text + "\n" + codewords_text(book.codewords));
}

}  // namespace

void add_labelbooks(Tool& app) {
  CLI::App* sub = app.add_subcommand("labelbooks", "The labelbooks and codes; --show prints one");
  auto options = std::make_shared<LabelbooksOptions>();
  auto* show = sub->add_option("--show", options->show,
                               "Print the codewords of this book, code or CSV file, and how far apart they are; + is "
                               "1, - is -1, . is 0")
                   ->type_name("LABELBOOK|FILE");
  auto* classes = sub->add_option("--classes", options->classes, "Number of classes")->check(CLI::Range(2, 10000));
  classes->needs(show);
  sub->add_option("--data", options->data,
                  "A table to take the classes from, and what optimal (linear in its features) and balanced need")
      ->type_name("FILE")
      ->excludes(classes)
      ->needs(show);
  sub->add_option("--seed", options->seed, "Seed of random, dense and sparse codes; default: 1")
      ->check(whole_number())
      ->needs(show);
  sub->add_option("--length", options->length,
                  "Columns of random, dense and sparse codes (default: 10, 10 and 15 times log2 of the classes) and of "
                  "optimal (one less than the classes)")
      ->check(CLI::Range(1, 1'000'000))
      ->needs(show);
  sub->add_option("--counts", options->counts, "Rows of each class, such as 10,20,30; balanced needs them")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->needs(show);
  sub->add_flag("--json", options->json, "As JSON: an array of books and codes, or with --show one object");
  sub->footer(
      "Example:\n  manyone labelbooks --show dense --classes 26\n"
      "  manyone labelbooks --show balanced --classes 3 --counts 10,20,30\n"
      "  manyone labelbooks --show optimal --data iris.csv");
  sub->callback([options] { options->show.empty() ? print_all(options->json) : print_one(*options); });
}

}  // namespace manyone::cli
