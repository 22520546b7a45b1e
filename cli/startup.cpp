// SPDX-License-Identifier: Apache-2.0
#include "cli/startup.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>
#include <new>

#ifdef __GLIBC__  // known after any standard header
#include <malloc.h>
#endif

#ifdef MANYONE_SHARED_BLAS
#include <cblas.h>
#endif

namespace manyone::cli {

namespace {

/// A closed standard stream leaves its number to the next file that is opened, which would get what is meant for the
/// stream. Opened the wrong way round, so that what is read or written there fails as it would have.
void fill_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace

void prepare_process(void (*out_of_memory)()) {
  fill_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond ulimit -f is an error of writing, as a full disk is
  std::set_new_handler(out_of_memory);
#ifdef __GLIBC__
  // Blocks and cells are made over and over: memory that goes back to the system comes again page by page. Worth 3 % of
  // the processor time of a fit of satimage (4435 rows), 2 % of one of 2000 rows of letter.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
#ifdef MANYONE_SHARED_BLAS
  // The system's OpenBLAS gives the same bits on every machine with one thread only.
  openblas_set_num_threads(1);
#endif
}

}  // namespace manyone::cli
