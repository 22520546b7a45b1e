// SPDX-License-Identifier: Apache-2.0
//
// The yardstick of a fit: the time of one Gaussian Gram matrix (our own, the fastest at hand) and of one dpotrf of that
// size by OpenBLAS with its own threads. Prints the medians as JSON.
//   manyone_gram_potrf ROWS FEATURES THREADS [RUNS]
#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "backend/backend.hpp"
#include "bench/samples.hpp"

extern "C" void dpotrf_(const char* uplo, const blasint* n, double* a, const blasint* lda, blasint* info);

namespace {

double seconds_of(auto&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  using namespace manyone;
  if (argc < 4) {
    fmt::print(stderr, "usage: manyone_gram_potrf ROWS FEATURES THREADS [RUNS]\n");
    return 2;
  }
  const Index n = std::atol(argv[1]);
  const int threads = std::atoi(argv[3]);
  const int runs = argc > 4 ? std::atoi(argv[4]) : 3;
  const Features rows(bench::sample_rows(n, std::atol(argv[2])));
  const auto backend = make_backend("cpu", threads);
  openblas_set_num_threads(threads);  // of the system's OpenBLAS; the backend has one of its own
  Matrix K = Matrix::Zero(n, n);      // touched once, so that no run pays for page faults
  std::vector<double> gram;
  std::vector<double> potrf;
  const auto order = static_cast<blasint>(n);
  blasint info = 0;
  for (int run = 0; run < runs; ++run) {
    gram.push_back(seconds_of([&] { backend->gram_lower({&kGaussian, 0.5}, rows, K, Interrupt()); }));
    K.diagonal().array() += 0.1;
    potrf.push_back(
        seconds_of([&] { dpotrf_("U", &order, K.data(), &order, &info); }));  // row-major lower = column-major upper
  }
  if (info != 0) {
    fmt::print(stderr, "dpotrf failed: {}\n", info);
    return 1;
  }
  fmt::print("{{\"rows\": {}, \"gram\": {}, \"potrf\": {}}}\n", n, median(gram), median(potrf));
}
