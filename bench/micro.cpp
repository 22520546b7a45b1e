// SPDX-License-Identifier: Apache-2.0
//
// The backend's heavy verbs at a few sizes, with the rate each reaches: floating-point operations or kernel values per
// second. Arguments are those of google-benchmark, for example --benchmark_filter=invert.
#include <benchmark/benchmark.h>

#include "backend/backend.hpp"
#include "bench/samples.hpp"

namespace {

using namespace manyone;
using benchmark::Counter;

const Kernel kKernel{&kGaussian, 0.5};

const Backend& cpu() {
  static const auto backend = make_backend("cpu");
  return *backend;
}

void rate(benchmark::State& state, const char* name, double per_run) {
  state.counters[name] = Counter(per_run * static_cast<double>(state.iterations()), Counter::kIsRate);
}

/// A well-conditioned Gram matrix in the lower triangle.
Matrix system_of(Index n) {
  Matrix K(n, n);
  cpu().gram_lower(kKernel, Matrix(bench::sample_rows(n, 16)), K, Interrupt());
  K.diagonal().array() += 0.1;
  return K;
}

void gram(benchmark::State& state) {
  const Index n = state.range(0);
  const Features rows(bench::sample_rows(n, state.range(1)));
  Matrix K(n, n);
  for (auto _ : state) cpu().gram_lower(kKernel, rows, K, Interrupt());
  rate(state, "values", 0.5 * static_cast<double>(n * n));
}

void map(benchmark::State& state) {
  const Index n = state.range(0);
  const Matrix distances = bench::sample_rows(n, n).cwiseAbs();
  Matrix K(n, n);
  for (auto _ : state) cpu().apply_kernel(kKernel, distances, K);
  rate(state, "values", static_cast<double>(n * n));
}

void expand(benchmark::State& state) {
  const Index rows = state.range(0);
  const Index centres = state.range(1);
  const Index q = state.range(3);
  const Features x(bench::sample_rows(rows, state.range(2), 2));
  const Features z(bench::sample_rows(centres, state.range(2)));
  const Matrix A = bench::sample_rows(centres, q, 3);
  const Vector b = Vector::Zero(q);
  Matrix scores(rows, q);
  for (auto _ : state) cpu().expand(kKernel, x, z, A, b, scores);
  rate(state, "rows", static_cast<double>(rows));
  rate(state, "values", static_cast<double>(rows * centres));
}

void cholesky(benchmark::State& state) {
  const Index n = state.range(0);
  const Matrix system = system_of(n);
  Matrix K;
  const Interrupt never;
  for (auto _ : state) {
    state.PauseTiming();
    K = system;
    state.ResumeTiming();
    if (!cpu().cholesky(K, never)) state.SkipWithError("not positive definite");
  }
  rate(state, "flops", static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) / 3);
}

/// M: Matrix or FloatMatrix.
template <class M>
void invert(benchmark::State& state) {
  const Index n = state.range(0);
  const M system = system_of(n).cast<typename M::Scalar>();
  M K;
  const Interrupt never;
  for (auto _ : state) {
    state.PauseTiming();
    K = system;
    state.ResumeTiming();
    if (!cpu().invert(K, never)) state.SkipWithError("not positive definite");
  }
  rate(state, "flops", static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n));
}

BENCHMARK(gram)->Args({1000, 16})->Args({4000, 16})->Args({4000, 256})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(map)->Arg(1000)->Arg(4000)->Unit(benchmark::kMillisecond)->UseRealTime();
// rows, centres, features, outputs
BENCHMARK(expand)
    ->Args({1000, 2000, 16, 26})
    ->Args({4096, 15000, 16, 26})
    ->Args({1000, 10000, 784, 10})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(cholesky)->Arg(500)->Arg(1000)->Arg(2000)->Arg(4000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(invert<Matrix>)->Arg(500)->Arg(1000)->Arg(2000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(invert<FloatMatrix>)->Arg(500)->Arg(1000)->Arg(2000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
