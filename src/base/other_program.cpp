// SPDX-License-Identifier: Apache-2.0
#include "base/other_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/interrupt.hpp"
#include "manyone/errors.hpp"


namespace manyone {

namespace {

constexpr int kTick = 50;                 // milliseconds after which a request to stop is seen
constexpr std::size_t kComplaint = 4096;  // bytes of standard error that are kept

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  int number() const { return number_; }

 private:
  int number_ = -1;
};

[[noreturn]] void fail(const char* what) {
  throw BackendError(fmt::format("{} for another program: {}", what, std::strerror(errno)));
}

/// Input as a file in memory: it waits for no reader, and none can close it under us.
Descriptor readable(std::string_view input) {
  Descriptor file(::memfd_create("input", MFD_CLOEXEC));
  if (file.number() < 0) fail("no place for the input");
  while (!input.empty()) {
    const ssize_t count = ::write(file.number(), input.data(), input.size());
    if (count < 0 && errno != EINTR) fail("no place for the input");
    if (count > 0) input.remove_prefix(static_cast<std::size_t>(count));
  }
  ::lseek(file.number(), 0, SEEK_SET);
  return file;
}

std::array<Descriptor, 2> pipe_pair() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("no pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Ends with the object that holds it.
struct Child {
  pid_t id = 0;
  int status = 0;
  rusage usage{};

  explicit Child(pid_t started) : id(started) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (id == 0) return;
    ::kill(id, SIGKILL);
    while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  bool ended() {
    if (id != 0 && ::wait4(id, &status, WNOHANG, &usage) == id) id = 0;
    return id == 0;
  }
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// What is there to read; closes at the end. `most`: bytes that are kept.
void read_some(Descriptor& from, std::string& text, std::size_t most) {
  std::array<char, 65536> block;
  const ssize_t count = ::read(from.number(), block.data(), block.size());
  if (count < 0 && errno == EINTR) return;
  if (count <= 0) return from.close();
  text.append(block.data(), std::min(static_cast<std::size_t>(count), most - std::min(most, text.size())));
}

std::string ending(int status, std::string_view complaint) {
  if (WIFSIGNALED(status)) return fmt::format("ended by signal {}", WTERMSIG(status));
  if (WEXITSTATUS(status) == 0) return "";
  const std::string_view line = complaint.substr(0, complaint.find('\n'));
  return fmt::format("ended with code {}{}{}", WEXITSTATUS(status), line.empty() ? "" : ": ", line);
}

}  // namespace

std::string program_on_path(std::string_view name) {
  const char* all = std::getenv("PATH");
  std::string_view rest = all != nullptr ? all : "";
  while (!rest.empty()) {
    const auto colon = rest.find(':');
    const std::string_view folder = rest.substr(0, colon);
    rest = colon == std::string_view::npos ? "" : rest.substr(colon + 1);
    if (folder.empty()) continue;
    std::string file = fmt::format("{}/{}", folder, name);
    if (::access(file.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(file)) return file;
  }
  return "";
}

ProgramRun run_other_program(std::vector<std::string> words, std::string_view input, const ProgramLimits& limits) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + limits.time;
  const Descriptor in = readable(input);
  auto [out, out_end] = pipe_pair();
  auto [error, error_end] = pipe_pair();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.number(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out_end.number(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, error_end.number(), STDERR_FILENO);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t id = 0;
  const int failure = ::posix_spawn(&id, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return {fmt::format("cannot be started: {}", std::strerror(failure)), "", 0};
  Child child(id);
  out_end.close();
  error_end.close();

  ProgramRun run;
  std::string complaint;
  while (!(out.number() < 0 && error.number() < 0 && child.ended())) {
    SignalGuard::check();
    if (Clock::now() > end) return {fmt::format("took more than {} seconds", limits.time.count()), "", 0};
    std::array<pollfd, 2> ready = {pollfd{out.number(), POLLIN, 0}, pollfd{error.number(), POLLIN, 0}};
    const bool open = out.number() >= 0 || error.number() >= 0;
    if (::poll(ready.data(), ready.size(), open ? kTick : 1) <= 0) continue;
    if (ready[0].revents != 0) read_some(out, run.output, limits.output + 1);
    if (ready[1].revents != 0) read_some(error, complaint, kComplaint);
    if (run.output.size() > limits.output) return {fmt::format("wrote more than {} bytes", limits.output), "", 0};
  }
  run.failure = ending(child.status, complaint);
  run.cpu_seconds = seconds(child.usage.ru_utime) + seconds(child.usage.ru_stime);
  return run;
}

}  // namespace manyone
