// SPDX-License-Identifier: Apache-2.0
//
// The buffers of OpenBLAS where the address space has a limit: its allocator never gives up.
#include <sys/mman.h>

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "backend/cpu/blas.hpp"
#include "base/memory.hpp"
#include "base/numbers.hpp"
#include "manyone/errors.hpp"

// What the routines of OpenBLAS take their buffers from; one given back is kept for the next routine.
extern "C" {
void* blas_memory_alloc(int place) __attribute__((weak));
void blas_memory_free(void* buffer) __attribute__((weak));
}

namespace manyone::blas {

namespace {

/// Runs of address space that are given back together.
class Mappings {
 public:
  Mappings() = default;
  ~Mappings() {
    for (const auto& [address, bytes] : mapped_) ::munmap(address, bytes);
  }
  Mappings(const Mappings&) = delete;
  Mappings& operator=(const Mappings&) = delete;

  bool add(std::size_t bytes) {
    void* const address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED) return false;
    mapped_.emplace_back(address, bytes);
    return true;
  }

 private:
  std::vector<std::pair<void*, std::size_t>> mapped_;
};

}  // namespace

int reserve_buffers(int threads) {
  static std::mutex mutex;
  static int reserved = 0;
  const std::lock_guard lock(mutex);
  if (threads <= reserved || !address_space_left() || blas_memory_alloc == nullptr || blas_memory_free == nullptr) {
    return threads;
  }
  constexpr std::size_t kBuffer = (std::size_t{128} << 20) + (1 << 16);  // of OpenBLAS on x86, the largest it has
  constexpr std::size_t kStack = std::size_t{8} << 20;                   // of a thread
  constexpr std::size_t kRest = std::size_t{32} << 20;                   // for the rest of a small run
  int affordable = reserved;
  {
    Mappings test;
    if (test.add(kRest)) {
      while (affordable < threads && test.add(kBuffer) && test.add(kStack)) ++affordable;
    }
  }
  if (affordable == 0) {
    throw MemoryError(
        fmt::format("products of matrices need {} of address space for each thread, but the limit (ulimit -v or -d) "
                    "leaves {}",
                    format_bytes(kBuffer + kStack + kRest), format_bytes(*address_space_left())),
        "allow more");
  }
  std::vector<void*> buffers;
  for (int k = 0; k < affordable; ++k) buffers.push_back(blas_memory_alloc(0));
  for (void* buffer : buffers) blas_memory_free(buffer);
  reserved = affordable;
  return affordable;
}

}  // namespace manyone::blas
