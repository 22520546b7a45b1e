// SPDX-License-Identifier: Apache-2.0
//
// Journals of searches and of comparisons: any bytes behind a good first line are cells, or an Error. What was read
// once is read alike the second time. The first byte tells which journal.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "file_in_memory.hpp"
#include "manyone/errors.hpp"
#include "result/trial_journal.hpp"
#include "selection/journal.hpp"

namespace {

using namespace manyone;

void search_journal(std::string_view lines) {
  const std::string header =
      R"({"format":"manyone journal","version":1,"data":"0000000000000001","recipe":"0000000000000002"})"
      "\n";
  const FileInMemory file(header + std::string(lines));
  std::size_t size = 0;
  {
    const auto journal = Journal::open(file.path(), {1, 2});
    size = journal->size();
    const auto cell = journal->find("cells", {1, 1});
    if (cell && !(cell->error >= -1 && cell->error <= 2 && std::isfinite(cell->loss))) std::abort();
    journal->add("fuzz", Cell{{1, 1}, 0.5, {}, 0.5, true});
  }
  if (Journal::open(file.path(), {1, 2})->size() < size) std::abort();
}

void trial_journal(std::string_view lines) {
  const FileInMemory file("{\"format\":\"manyone-trials\",\"version\":1,\"plan\":7}\n" + std::string(lines));
  const auto journal = TrialJournal::open(file.path(), 7);
  const Trial* trial = journal->find({0, 0, 0, 0});
  if (trial != nullptr && !(trial->error >= 0 && trial->error <= 1)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view lines(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    data[0] == 't' ? trial_journal(lines) : search_journal(lines);
  } catch (const Error&) {
  }
  return 0;
}
