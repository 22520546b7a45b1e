// SPDX-License-Identifier: Apache-2.0
#include "cli/datasets.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/numbers.hpp"
#include "cli/commands.hpp"
#include "cli/listing.hpp"

namespace manyone::cli {

namespace {

namespace fs = std::filesystem;

/// Where tables are looked for: ./data, the cache that `./dev data` fills, $MANYONE_DATA, those that are installed with
/// the tool or lie in the tree in which it was built.
std::vector<fs::path> folders() {
  std::vector<fs::path> out = {"data"};
  if (const char* cache = std::getenv("XDG_CACHE_HOME")) {
    out.push_back(fs::path(cache) / "manyone");
  } else if (const char* home = std::getenv("HOME")) {
    out.push_back(fs::path(home) / ".cache" / "manyone");
  }
  if (const char* own = std::getenv("MANYONE_DATA")) out.emplace_back(own);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path above = program.parent_path().parent_path();
    out.push_back(above / "share" / "manyone");
    out.push_back(above.parent_path() / "data");  // of build/release
  }
  return out;
}

constexpr std::array kEndings = {".csv", ".tsv", ".svm", ".libsvm", ".arff", "images-idx3-ubyte"};

bool is_table(const std::string& name) {
  const std::string plain = name.size() > 3 && name.ends_with(".gz") ? name.substr(0, name.size() - 3) : name;
  for (const char* ending : kEndings) {
    if (plain.ends_with(ending)) return true;
  }
  return false;
}

Listing found() {
  Listing listing{{"name", "size", "file"}, {}};
  std::set<fs::path> seen;
  for (const fs::path& folder : folders()) {
    std::error_code error;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.is_regular_file(error) && is_table(entry.path().filename().string())) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      if (!seen.insert(fs::weakly_canonical(file, error)).second) continue;
      const std::string name = file.filename().string();
      listing.rows.push_back({name.substr(0, name.find(name.find("-idx") != std::string::npos ? "-images" : ".")),
                              format_bytes(fs::file_size(file, error)), file.string()});
    }
  }
  return listing;
}

}  // namespace

std::optional<std::string> find_table(const std::string& name) {
  std::vector<fs::path> places = folders();
  if (const char* own = std::getenv("MANYONE_DATA")) places.insert(places.begin(), own);
  for (const fs::path& folder : places) {
    for (const char* ending : kEndings) {
      for (const char* packed : {"", ".gz"}) {
        const fs::path file = folder / (name + ending + packed);
        std::error_code error;
        if (fs::is_regular_file(file, error)) return file.string();
      }
    }
  }
  return std::nullopt;
}

void add_datasets(Tool& app) {
  add_listing(app, "datasets", "Tables found in ./data, the data cache and $MANYONE_DATA, and the bundled ones",
              "MANYONE_DATA=~/tables manyone datasets", found);
}

}  // namespace manyone::cli
