// SPDX-License-Identifier: Apache-2.0
//
// A program that has an OpenBLAS of its own and uses it in other threads while it uses manyone. It ends with 0 and the
// word "unchanged" if everything of the process is as it was.
#include <cblas.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <manyone/manyone.hpp>
#include <string>
#include <thread>
#include <vector>

namespace {

long tasks() {
  const std::filesystem::directory_iterator all("/proc/self/task");
  return std::distance(begin(all), end(all));
}

/// Of this process: what a library could change, and its program would notice.
struct State {
  int blas_threads = openblas_get_num_threads();
  std::string blas_kernels = openblas_get_corename();
  char** environment = environ;
  std::vector<std::string> variables;
  cpu_set_t processors = {};
  std::vector<struct sigaction> handlers = std::vector<struct sigaction>(NSIG);
  int rounding = std::fegetround();
  std::string locale = setlocale(LC_ALL, nullptr);
  std::string folder = std::filesystem::current_path();

  State() {
    for (char** entry = environ; *entry != nullptr; ++entry) variables.emplace_back(*entry);
    sched_getaffinity(0, sizeof processors, &processors);
    for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, nullptr, &handlers[signal]);
  }
};

int failures = 0;

void expect(bool same, const char* what) {
  if (same) return;
  ++failures;
  std::printf("changed: %s\n", what);
}

void compare(const State& before, const State& after) {
  expect(before.blas_threads == after.blas_threads, "number of threads of the program's OpenBLAS");
  expect(before.blas_kernels == after.blas_kernels, "kernels of the program's OpenBLAS");
  expect(before.environment == after.environment && before.variables == after.variables, "environment");
  expect(CPU_EQUAL(&before.processors, &after.processors), "processors of the calling thread");
  for (int signal = 1; signal < NSIG; ++signal)
    expect(before.handlers[signal].sa_handler == after.handlers[signal].sa_handler, "a signal handler");
  expect(before.rounding == after.rounding, "rounding");
  expect(before.locale == after.locale, "locale");
  expect(before.folder == after.folder, "working folder");
}

/// The size from which malloc asks the system, as set in main(), still holds: of many such blocks not all are found in
/// memory that was freed.
bool malloc_is_as_set() {
  const auto mapped = mallinfo2().hblks;
  std::vector<void*> blocks(200);
  for (void*& block : blocks) block = std::malloc(200 << 10);
  const bool asked = mallinfo2().hblks > mapped;
  for (void* const block : blocks) std::free(block);
  return asked;
}

void use_manyone() {
  const manyone::Matrix x{{0, 0}, {0, 1}, {1, 0}, {5, 5}, {5, 6}, {6, 5}};
  const manyone::Table table = manyone::Table::of(x, {"near", "near", "near", "far", "far", "far"});
  const manyone::Run run{.threads = 2};
  const manyone::Classifier model = manyone::fit(table, {.sigma = 1.0, .ridge = 0.1}, run).classifier;
  expect(model.predict(x, run) == std::vector<int>({1, 1, 1, 0, 0, 0}), "predictions");
}

}  // namespace

int main() {
  expect(tasks() == openblas_get_num_threads(), "number of threads before anything was used");
  mallopt(M_MMAP_THRESHOLD, 100 << 10);
  openblas_set_num_threads(3);

  constexpr int n = 300;
  const std::vector<double> A(n * n, 0.5);
  std::atomic<bool> stop = false;
  std::vector<std::atomic<long>> products(3);
  std::vector<std::thread> others;
  for (auto& done : products) {
    others.emplace_back([&] {
      std::vector<double> C(n * n);
      while (!stop) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, A.data(), n, A.data(), n, 0, C.data(), n);
        expect(C[n] == 75, "products of the program");
        ++done;
      }
    });
  }
  const auto everyone_goes_on = [&] {
    std::vector<long> before(products.begin(), products.end());
    for (std::size_t i = 0; i < products.size(); ++i)
      while (products[i] < before[i] + 2) std::this_thread::yield();
  };
  everyone_goes_on();
  const State before;
  for (int round = 0; round < 10; ++round) {
    use_manyone();
    everyone_goes_on();
  }
  std::thread first(use_manyone);
  use_manyone();
  first.join();
  everyone_goes_on();
  compare(before, State());
  expect(malloc_is_as_set(), "settings of malloc");
  stop = true;
  for (std::thread& other : others) other.join();
  if (failures == 0) std::puts("unchanged");
  return failures == 0 ? 0 : 1;
}
