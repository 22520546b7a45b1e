// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "machine/registry.hpp"

#include "cli/commands.hpp"
#include "cli/listing.hpp"
#include "cli/printing.hpp"

namespace manyone::cli {

namespace {

constexpr std::size_t kWidth = 100;  // of the text
constexpr std::size_t kIndent = 14;  // behind the longest name

constexpr const char* kAdvice =
    "\nWhich one? onelsm is the default: tuned fastest, up to some 20 000 rows; beyond, msvr takes any\n"
    "number. svm-ovo gives small models and LIBSVM's predictions; ls-ovo is worth a try where onelsm\n"
    "falls short; vo-lssvm and vo-svm with indicators stay cheap with very many classes. The others are\n"
    "there to be compared: manyone compare DATA --machines onelsm,ls-ovo,svm-ovo says which is better.\n";

/// Words in lines of at most kWidth characters, the first and all others indented.
std::string wrapped(std::string_view text) {
  std::string out(kIndent, ' ');
  std::size_t length = kIndent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (length > kIndent && length + 1 + end > kWidth) {
      out += "\n" + std::string(kIndent, ' ');
      length = kIndent;
    }
    if (length > kIndent) out += ' ', ++length;
    out += text.substr(0, end);
    length += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// Each machine in a few lines that fit a terminal, and which to take when.
void print_machines() {
  for (const MachineEntry& info : machines()) {
    std::string entry = wrapped(info.summary);
    entry.replace(0, info.name.size(), info.name);
    const std::string rest = wrapped(fmt::format("{}; {}; {}", info.parameter, info.cost, info.source));
    print(stdout, entry + "\n" + rest + "\n");
  }
  print(stdout, kAdvice);
}

}  // namespace

void add_machines(Tool& app) {
  const auto listing = [] {
    Listing out{{"name", "summary", "flops", "parameter", "source"}, {}};
    for (const MachineEntry& info : machines())
      out.rows.push_back({std::string(info.name), std::string(info.summary), std::string(info.cost),
                          std::string(info.parameter), std::string(info.source)});
    return out;
  };
  add_listing(app, "machines", "The machines, what they cost and which to use when", "manyone machines", listing,
              print_machines);
}

}  // namespace manyone::cli
