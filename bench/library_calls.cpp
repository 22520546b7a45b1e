// SPDX-License-Identifier: Apache-2.0
//
// How long the calls of the library take that a Python program makes through the package: a tuned fit of a table, and
// the predictions of its rows. The best of several rounds; one JSON object.
//   manyone_library_calls TABLE.csv FIT_ROUNDS PREDICT_ROUNDS THREADS
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "backend/runtime.hpp"
#include "data/table_reader.hpp"
#include "manyone/errors.hpp"
#include "selection/fit.hpp"

namespace {

template <class Call>
double best_seconds(int rounds, const Call& call) {
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    call();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  try {
    const manyone::Runtime runtime(std::atoi(argv[4]));
    const manyone::Dataset data = manyone::read_dataset(argv[1], {});
    manyone::Model model;
    const double fit = best_seconds(
        std::atoi(argv[2]), [&] { model = manyone::fit(runtime.execution(), data, manyone::Recipe{}).classifier; });
    const double predict = best_seconds(std::atoi(argv[3]), [&] { model.predict(runtime.backend(), data.features); });
    fmt::print("{{\"fit\": {}, \"predict\": {}}}\n", fit, predict);
  } catch (const manyone::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.exit_code());
  }
}
