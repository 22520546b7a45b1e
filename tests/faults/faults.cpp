// SPDX-License-Identifier: Apache-2.0
//
// Put before the C library (LD_PRELOAD), it lets one call of a program fail: the MANYONE_FAULT_NUMBER-th of its kind
// after main() began, or (MANYONE_FAULT_LASTING) that one and all behind it.
//
//   MANYONE_FAULT_KIND    "call": system calls on files below the folder MANYONE_FAULT_FOLDER fail with
//                         MANYONE_FAULT_ERROR; "allocation": malloc and its family find no memory
//   MANYONE_FAULT_REPORT  file that tells the calls seen, and the name of the one that failed
//
// A number of 0 lets nothing fail and counts.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool files = false;  // which kind of call may fail
bool allocations = false;
const char* folder = "";
const char* report = nullptr;
long number = 0;
int error = EIO;
bool lasting = false;
bool armed = false;  // main() has begun
std::atomic<long> seen{0};

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

void read_settings() {
  const char* kind = setting("MANYONE_FAULT_KIND");
  files = std::strcmp(kind, "call") == 0;
  allocations = std::strcmp(kind, "allocation") == 0;
  folder = setting("MANYONE_FAULT_FOLDER");
  report = std::getenv("MANYONE_FAULT_REPORT");
  number = std::atol(setting("MANYONE_FAULT_NUMBER"));
  error = std::atoi(setting("MANYONE_FAULT_ERROR"));
  lasting = *setting("MANYONE_FAULT_LASTING") != '\0';
}

/// By system calls of its own, which none of the functions below sees.
void tell(const char* name, long count) {
  if (report == nullptr) return;
  char line[64];
  const int size = std::snprintf(line, sizeof line, "%s %ld\n", name, count);
  const long file = ::syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (file < 0) return;
  ::syscall(SYS_write, file, line, size);
  ::syscall(SYS_close, file);
}

/// Counts a call; whether it is to fail.
bool fails(const char* name) {
  const long count = ++seen;
  if (number == 0 || count < number || (count > number && !lasting)) return false;
  if (count == number) tell(name, count);
  errno = allocations ? ENOMEM : error;
  return true;
}

bool below_folder(const char* path) { return std::strncmp(path, folder, std::strlen(folder)) == 0; }

bool below_folder(int descriptor) {
  char link[32];
  char path[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const long size = ::syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (size <= 0) return false;
  path[size] = '\0';
  return below_folder(path);
}

template <class Place>
bool call_fails(const char* name, Place place) {
  if (!files || !armed) return false;
  const int before = errno;
  if (below_folder(place) && fails(name)) return true;
  errno = before;
  return false;
}

bool allocation_fails(const char* name) { return allocations && armed && fails(name); }

/// The C library's own function of that name.
template <class Function>
Function* behind(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

int (*real_main)(int, char**, char**) = nullptr;

int armed_main(int argc, char** argv, char** environment) {
  read_settings();
  ::unsetenv("LD_PRELOAD");  // programs that this one starts run as they are
  armed = true;
  return real_main(argc, argv, environment);
}

[[gnu::destructor]] void tell_count() {
  armed = false;
  if (number == 0) tell("all", seen);
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*linker_fini)(), void* stack_end) {
  real_main = main;
  using Start = int(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  return behind<Start>("__libc_start_main")(armed_main, argc, argv, init, fini, linker_fini, stack_end);
}

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) { return allocation_fails("malloc") ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) {
  return allocation_fails("calloc") ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) { return allocation_fails("realloc") ? nullptr : __libc_realloc(old, size); }
void* memalign(std::size_t alignment, std::size_t size) {
  return allocation_fails("memalign") ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return allocation_fails("aligned_alloc") ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  if (allocation_fails("posix_memalign")) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out != nullptr ? 0 : ENOMEM;
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  if (call_fails("open", path)) return -1;
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return open(path, flags, mode);
}

ssize_t write(int file, const void* bytes, std::size_t size) {
  static std::atomic<bool> full{false};
  if (full.exchange(false)) {
    errno = error;
    return -1;
  }
  if (!call_fails("write", file)) return ::syscall(SYS_write, file, bytes, size);
  if (error != ENOSPC || size < 2) return -1;
  full = true;  // a disk that fills up takes a part first
  return ::syscall(SYS_write, file, bytes, size / 2);
}

int close(int file) {
  const bool failing = call_fails("close", file);
  const int before = errno;
  const int closed = static_cast<int>(::syscall(SYS_close, file));
  if (!failing) return closed;
  errno = before;
  return -1;
}

int fsync(int file) { return call_fails("fsync", file) ? -1 : static_cast<int>(::syscall(SYS_fsync, file)); }
int fdatasync(int file) {
  return call_fails("fdatasync", file) ? -1 : static_cast<int>(::syscall(SYS_fdatasync, file));
}
int fchmod(int file, mode_t mode) {
  return call_fails("fchmod", file) ? -1 : static_cast<int>(::syscall(SYS_fchmod, file, mode));
}
int ftruncate(int file, off_t size) {
  return call_fails("ftruncate", file) ? -1 : static_cast<int>(::syscall(SYS_ftruncate, file, size));
}
int flock(int file, int operation) {
  return call_fails("flock", file) ? -1 : static_cast<int>(::syscall(SYS_flock, file, operation));
}
off_t lseek(int file, off_t offset, int whence) {
  return call_fails("lseek", file) ? -1 : ::syscall(SYS_lseek, file, offset, whence);
}
ssize_t pread(int file, void* bytes, std::size_t size, off_t offset) {
  return call_fails("pread", file) ? -1 : ::syscall(SYS_pread64, file, bytes, size, offset);
}
int fstat(int file, struct stat* status) {
  return call_fails("fstat", file) ? -1 : static_cast<int>(::syscall(SYS_fstat, file, status));
}
int stat(const char* path, struct stat* status) {
  return call_fails("stat", path) ? -1 : static_cast<int>(::syscall(SYS_newfstatat, AT_FDCWD, path, status, 0));
}
int lstat(const char* path, struct stat* status) {
  return call_fails("lstat", path)
             ? -1
             : static_cast<int>(::syscall(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW));
}
int access(const char* path, int mode) {
  return call_fails("access", path) ? -1 : static_cast<int>(::syscall(SYS_faccessat, AT_FDCWD, path, mode));
}
int unlink(const char* path) {
  return call_fails("unlink", path) ? -1 : static_cast<int>(::syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}
int mkdir(const char* path, mode_t mode) {
  return call_fails("mkdir", path) ? -1 : static_cast<int>(::syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}
int rename(const char* from, const char* to) {
  return call_fails("rename", to) ? -1 : static_cast<int>(::syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  return call_fails("linkat", to) ? -1
                                  : static_cast<int>(::syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}

}  // extern "C"
