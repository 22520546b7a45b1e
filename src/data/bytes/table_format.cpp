// SPDX-License-Identifier: Apache-2.0
#include "data/bytes/table_format.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "base/numbers.hpp"

namespace manyone {

namespace {

TableFormat by_name(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  constexpr std::array<std::pair<std::string_view, TableFormat>, 9> endings = {{{".csv", TableFormat::csv},
                                                                                {".tsv", TableFormat::csv},
                                                                                {".tab", TableFormat::csv},
                                                                                {".svm", TableFormat::libsvm},
                                                                                {".libsvm", TableFormat::libsvm},
                                                                                {".svmlight", TableFormat::libsvm},
                                                                                {".arff", TableFormat::arff},
                                                                                {".idx", TableFormat::idx},
                                                                                {"-ubyte", TableFormat::idx}}};
  for (const auto& [ending, format] : endings) {
    if (name.ends_with(ending)) return format;
  }
  return TableFormat::automatic;
}

/// "label 3:0.5 ..." or "3:0.5 ...", without the delimiters of CSV.
bool looks_like_libsvm(std::string_view line) {
  line = trim(line.substr(0, line.find('#')));
  if (line.find_first_of(",;\t") != std::string_view::npos) return false;
  std::string_view token = line.substr(0, line.find(' '));
  if (token.size() < line.size()) {
    const std::string_view rest = trim(line.substr(token.size()));
    token = rest.substr(0, rest.find(' '));
  }
  const auto colon = token.find(':');
  return colon != std::string_view::npos && parse_integer(token.substr(0, colon)).has_value();
}

TableFormat by_content(std::string_view bytes) {
  if (bytes.starts_with(std::string_view("\0\0", 2))) return TableFormat::idx;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = trim(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '%' || line[0] == '@') return TableFormat::arff;
    return looks_like_libsvm(line) ? TableFormat::libsvm : TableFormat::csv;
  }
  return TableFormat::csv;
}

}  // namespace

TableFormat find_format(TableFormat wanted, ByteWindow& window) {
  if (wanted != TableFormat::automatic) return wanted;
  const TableFormat named = by_name(window.name());
  if (named != TableFormat::automatic) return named;
  constexpr std::size_t kLook = 4096;
  window.expect(kLook);
  return by_content(window.view().substr(0, kLook));
}

std::string idx_label_path(const std::string& image_path) {
  const auto slash = image_path.rfind('/');
  const std::size_t start = slash == std::string::npos ? 0 : slash + 1;
  std::string name = image_path.substr(start);
  const auto images = name.find("images");
  if (images == std::string::npos) return "";
  name.replace(images, 6, "labels");
  for (std::size_t at = name.find("idx"); at != std::string::npos; at = name.find("idx", at + 3)) {
    if (at + 3 < name.size() && std::isdigit(static_cast<unsigned char>(name[at + 3]))) name[at + 3] = '1';
  }
  return image_path.substr(0, start) + name;
}

std::unique_ptr<ByteSource> open_idx_labels(const std::string& image_path) {
  std::string path = idx_label_path(image_path);
  if (path.empty()) return nullptr;
  if (::access(path.c_str(), R_OK) != 0) {
    if (path.ends_with(".gz")) {
      path.resize(path.size() - 3);
    } else {
      path += ".gz";
    }
    if (::access(path.c_str(), R_OK) != 0) return nullptr;
  }
  return open_bytes(path);
}

}  // namespace manyone
