// SPDX-License-Identifier: Apache-2.0
#include "manyone/labelbook/labelbook.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/listing.hpp"

namespace manyone::cli {

namespace {

Listing all_books() {
  Listing listing{{"name", "definition"}, {}};
  for (const LabelbookInfo& info : labelbooks())
    listing.rows.push_back({std::string(info.name), std::string(info.definition)});
  return listing;
}

/// The codewords of one book, a row per class.
Listing one_book(const std::string& name, int classes) {
  const Labelbook book = make_labelbook(name, classes);
  Listing listing{{"class"}, {}};
  for (Index k = 0; k < book.length(); ++k) listing.columns.push_back(std::to_string(k + 1));
  for (Index c = 0; c < book.classes(); ++c) {
    std::vector<std::string> row = {std::to_string(c + 1)};
    for (Index k = 0; k < book.length(); ++k) row.push_back(fmt::format("{:.6g}", book.codewords(c, k)));
    listing.rows.push_back(std::move(row));
  }
  return listing;
}

}  // namespace

void add_labelbooks(CLI::App& app) {
  auto show = std::make_shared<std::string>();
  auto classes = std::make_shared<int>(3);
  CLI::App* sub = add_listing(app, "labelbooks", "The labelbooks; --show prints one",
                              "manyone labelbooks --show mincorr --classes 4",
                              [show, classes] { return show->empty() ? all_books() : one_book(*show, *classes); });
  auto* option = sub->add_option("--show", *show, "Print the codewords of this book");
  sub->add_option("--classes", *classes, "Number of classes for --show")->check(CLI::Range(2, 10000))->needs(option);
}

}  // namespace manyone::cli
