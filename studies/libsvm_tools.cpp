// SPDX-License-Identifier: Apache-2.0
#include "studies/libsvm_tools.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"

extern char** environ;

namespace manyone {

namespace {

std::string on_path(const std::string& name) {
  const char* all = std::getenv("PATH");
  std::string_view rest = all != nullptr ? all : "";
  while (!rest.empty()) {
    const auto colon = rest.find(':');
    const std::string_view folder = rest.substr(0, colon);
    rest = colon == std::string_view::npos ? "" : rest.substr(colon + 1);
    if (folder.empty()) continue;
    std::string file = fmt::format("{}/{}", folder, name);
    if (access(file.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(file)) return file;
  }
  return "";
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "manyone-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw InputError(Place{pattern}, "expected a place for temporary files, found none");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// Classes are numbered from 1.
void write_rows(const Dataset& data, const std::string& path) {
  std::ofstream out(path);
  std::string line;
  for (Index i = 0; i < data.rows(); ++i) {
    const Matrix row = data.features.dense_rows(i, 1);
    line = fmt::format("{}", data.labels[static_cast<std::size_t>(i)] + 1);
    for (Index j = 0; j < row.cols(); ++j) {
      if (row(0, j) != 0) fmt::format_to(std::back_inserter(line), " {}:{:.9g}", j + 1, row(0, j));
    }
    out << line << '\n';
  }
  if (!out.flush()) throw InputError(Place{path}, "the temporary file cannot be written");
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// CPU seconds of a program that says nothing; nothing when it fails.
std::optional<double> timed(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failure = posix_spawn(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return std::nullopt;
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) return std::nullopt;
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

LibsvmTools::LibsvmTools() : train_(on_path("svm-train")), predict_(on_path("svm-predict")) {}

std::optional<LibsvmTimes> LibsvmTools::run(const Dataset& train, const Dataset& test, double gamma,
                                            double cost) const {
  const TemporaryFolder folder;
  const std::string rows = folder.file("train");
  const std::string others = folder.file("test");
  const std::string model = folder.file("model");
  const std::string classes = folder.file("classes");
  write_rows(train, rows);
  write_rows(test, others);
  const auto trained =
      timed({train_, "-q", "-g", fmt::format("{:.17g}", gamma), "-c", fmt::format("{:.17g}", cost), rows, model});
  const auto tested = trained ? timed({predict_, others, model, classes}) : std::nullopt;
  if (!tested) return std::nullopt;
  std::ifstream in(classes);
  double wrong = 0;
  for (const int label : test.labels) {
    double predicted = 0;
    if (!(in >> predicted)) return std::nullopt;
    wrong += predicted != label + 1 ? 1 : 0;
  }
  return LibsvmTimes{*trained, *tested, wrong / static_cast<double>(test.labels.size())};
}

}  // namespace manyone
