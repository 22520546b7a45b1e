// SPDX-License-Identifier: Apache-2.0
#include "cli/listing.hpp"

#include <memory>

#include <fmt/format.h>

#include "cli/printing.hpp"
#include "result/result_json.hpp"
#include "result/text_table.hpp"

namespace manyone::cli {

void print_listing(const Listing& listing, bool json) {
  if (json) {
    Json out = Json::array();
    for (const auto& row : listing.rows) {
      Json entry;
      for (std::size_t c = 0; c < row.size(); ++c) entry[listing.columns[c]] = row[c];
      out.push_back(std::move(entry));
    }
    print(stdout, dump(out) + "\n");
    return;
  }
  std::vector<std::vector<std::string>> rows = {listing.columns};
  rows.insert(rows.end(), listing.rows.begin(), listing.rows.end());
  print(stdout, text_table(rows));
}

CLI::App* add_listing(CLI::App& app, const std::string& name, const std::string& help, const std::string& example,
                      const std::function<Listing()>& make, const std::function<void()>& print) {
  CLI::App* sub = app.add_subcommand(name, help);
  auto json = std::make_shared<bool>(false);
  sub->add_flag("--json", *json, "As a JSON array");
  sub->footer("Example:\n  " + example);
  sub->callback([json, make, print] {
    if (print && !*json) {
      print();
    } else {
      print_listing(make(), *json);
    }
  });
  return sub;
}

}  // namespace manyone::cli
