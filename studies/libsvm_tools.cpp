// SPDX-License-Identifier: Apache-2.0
#include "studies/libsvm_tools.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "base/other_program.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

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

/// CPU seconds of a program; nothing when it fails.
std::optional<double> timed(std::vector<std::string> words) {
  const ProgramRun run = run_other_program(std::move(words), "", {});
  return run.failure.empty() ? std::optional(run.cpu_seconds) : std::nullopt;
}

}  // namespace

LibsvmTools::LibsvmTools() : train_(program_on_path("svm-train")), predict_(program_on_path("svm-predict")) {}

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
