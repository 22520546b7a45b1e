// SPDX-License-Identifier: Apache-2.0
//
// How fast tables are read: the best of several runs per file (the first also brings the file into the page cache).
// Prints one JSON object a line.
//   manyone_read_csv FILE...
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "data/table_reader.hpp"
#include "manyone/errors.hpp"

int main(int argc, char** argv) {
  constexpr int runs = 3;
  try {
    for (int k = 1; k < argc; ++k) {
      double best = std::numeric_limits<double>::infinity();
      manyone::Index rows = 0;
      for (int run = 0; run < runs; ++run) {
        const auto start = std::chrono::steady_clock::now();
        rows = manyone::read_dataset(argv[k], {}).rows();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      }
      fmt::print("{{\"rows\": {}, \"bytes\": {}, \"seconds\": {}}}\n", rows, std::filesystem::file_size(argv[k]), best);
    }
  } catch (const manyone::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.exit_code());
  }
}
