// SPDX-License-Identifier: Apache-2.0
#include "cli/named_files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "base/atomic_file.hpp"
#include "cli/definition.hpp"
#include "cli/printing.hpp"
#include "data/bytes/table_format.hpp"
#include "manyone/errors.hpp"

namespace manyone::cli {

namespace {

constexpr const char* kStandardOutput = "/dev/stdout";
constexpr const char* kWritten = "names a file to write";  // a check that passes everything and marks the option

bool is_written(CLI::Option& option) {
  try {
    return option.get_validator(kWritten) != nullptr;
  } catch (const CLI::OptionNotFound&) {
    return false;
  }
}

/// What two names of one file have in common: the file, or for one to be made its folder and its name there.
using Identity = std::tuple<dev_t, ino_t, std::string>;

std::optional<Identity> identity(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return Identity{status.st_dev, status.st_ino, ""};
}

std::optional<Identity> identity_of_stream(int descriptor) {
  struct stat status = {};
  return ::fstat(descriptor, &status) == 0 ? identity(status) : std::nullopt;
}

std::optional<Identity> identity_of_input(const std::string& path) {
  if (path == "-") return identity_of_stream(STDIN_FILENO);
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 ? identity(status) : std::nullopt;
}

std::optional<Identity> identity_of_output(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0) return identity(status);
  const std::filesystem::path made = behind_links(path);
  const std::string folder = made.has_parent_path() ? made.parent_path().string() : ".";
  if (::stat(folder.c_str(), &status) != 0) return std::nullopt;
  return Identity{status.st_dev, status.st_ino, made.filename().string()};
}

/// The files that one value names: an image table in IDX format has another with its labels.
std::vector<std::string> files_behind(const std::string& value) {
  std::vector<std::string> out = {value};
  const std::string labels = idx_label_path(value);
  if (!labels.empty()) out.insert(out.end(), {labels, labels + ".gz"});
  return out;
}

std::vector<NamedFile> named_files(CLI::App& command, bool written) {
  std::vector<NamedFile> out;
  for (CLI::Option* option : command.get_options([](CLI::Option*) { return true; })) {
    if (option->count() == 0 || is_written(*option) != written) continue;
    const OptionText text = describe(*option);
    if (!text.values.files) continue;
    for (const std::string& value : option->results()) {
      if (std::ranges::count(text.values.words, value) > 0) continue;
      if (written) {
        out.push_back({text.names.back(), value});
      } else {
        for (std::string& path : files_behind(value)) out.push_back({text.names.back(), std::move(path)});
      }
    }
  }
  return out;
}

void check_writable(const std::string& path, const std::string& option, bool may_be_folder) {
  std::error_code error;
  if (path.empty() || (!may_be_folder && std::filesystem::is_directory(path, error))) {
    throw ConfigError(fmt::format("{} must name a file, found '{}'", option, path));
  }
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !may_be_folder && !std::filesystem::is_directory(folder, error)) {
    throw ConfigError(fmt::format("the folder of {} does not exist; create it first", path));
  }
}

}  // namespace

bool is_standard_output(const std::string& path) {
  if (path == kStandardOutput || path == "/dev/fd/1" || path == "/proc/self/fd/1") return true;
  const auto printed = identity_of_stream(STDOUT_FILENO);
  return printed && identity_of_output(path) == printed;
}

bool same_file(const std::string& first, const std::string& second) {
  const auto found = identity_of_input(first);
  return found && found == identity_of_input(second);
}

CLI::Option* writes_file(CLI::Option* option) {
  return option->transform(CLI::Validator(
      [](std::string& path) {
        if (path == "-") path = kStandardOutput;
        return std::string();
      },
      "", kWritten));
}

std::vector<NamedFile> files_to_read(CLI::App& command) { return named_files(command, false); }
std::vector<NamedFile> files_to_write(CLI::App& command) { return named_files(command, true); }

void refuse_overwriting(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read) {
  for (std::size_t k = 0; k < written.size(); ++k) {
    const auto& [option, path] = written[k];
    const auto mine = path == "-" ? std::nullopt : identity_of_output(path);
    if (!mine) continue;
    for (const NamedFile& input : read) {
      if (identity_of_input(input.path) != mine) continue;
      throw ConfigError(fmt::format("{} {} is the file that {} reads ({}) and would be lost; give another file", option,
                                    path, input.option, input.path));
    }
    for (std::size_t j = 0; j < k; ++j) {
      if (identity_of_output(written[j].path) != mine) continue;
      throw ConfigError(fmt::format("{} {} and {} {} are the same file; give each its own", written[j].option,
                                    written[j].path, option, path));
    }
  }
  const auto printed = identity_of_stream(STDOUT_FILENO);
  for (const NamedFile& input : read) {
    if (!printed || identity_of_input(input.path) != printed) continue;
    throw ConfigError(fmt::format("standard output goes to the file that {} reads ({}); give another file",
                                  input.option, input.path));
  }
}

void check_files(CLI::App& command) {
  const std::vector<NamedFile> written = files_to_write(command);
  if (std::ranges::any_of(written, [](const NamedFile& file) { return is_standard_output(file.path); }))
    text_stream() = stderr;
  for (const auto& [option, path] : written) {
    const OptionText text = describe(*command.get_option(option));
    check_writable(path, option, text.values.folders);
  }
  refuse_overwriting(written, files_to_read(command));
}

}  // namespace manyone::cli
