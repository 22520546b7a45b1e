// SPDX-License-Identifier: Apache-2.0
//
// The files that a command line names: those to write can be written, and none of them is one to read or another one to
// write, by whatever name. Checked for every command before it reads anything (Tool in commands.hpp).
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace manyone::cli {

/// Says that an option names a file to write; others with FILE in their type name are files to read.
CLI::Option* writes_file(CLI::Option* option);

/// The file is what standard output goes to, by whatever name. ("-" has become a name of it when a command sees it.)
bool is_standard_output(const std::string& path);

/// A file, and the option or argument that names it.
struct NamedFile {
  std::string option;
  std::string path;
};

/// Two names of one file to read; devices and pipes are never the same.
bool same_file(const std::string& first, const std::string& second);

/// As far as they were given. Not const: see describe().
std::vector<NamedFile> files_to_read(CLI::App& command);
std::vector<NamedFile> files_to_write(CLI::App& command);

/// Throws ConfigError where a file to write is one to read, or there twice. Names are compared by what is behind them:
/// links, "-" for standard input. Devices and pipes may be there as often as one likes.
void refuse_overwriting(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read);

/// All of this for a command whose options are known.
void check_files(CLI::App& command);

}  // namespace manyone::cli
