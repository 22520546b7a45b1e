// SPDX-License-Identifier: Apache-2.0
#include "model/libsvm_model_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "data/records/cell.hpp"
#include "data/records/libsvm_reader.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

constexpr std::string_view kExpected = "expected a model that svm-train wrote";
constexpr std::array<std::string_view, 13> kKeys = {
    "svm_type", "kernel_type", "degree", "gamma", "coef0", "nr_class",          "total_sv",
    "rho",      "label",       "probA",  "probB", "nr_sv", "prob_density_marks"};

}  // namespace

LibsvmModelText::LibsvmModelText(std::unique_ptr<ByteSource> source) : lines_(ByteWindow(std::move(source))) {
  std::string_view text;
  while (lines_.next(text)) {
    text = trim(text);
    const std::string key(take_libsvm_token(text));
    if (key == "SV") {
      header_end_ = lines_.line();
      return;
    }
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
      fail(lines_.line(), fmt::format("{}, found {} at the start of a line", kExpected, shown(key)));
    }
    Entry values{{}, lines_.line()};
    while (!text.empty()) values.values.emplace_back(take_libsvm_token(text));
    if (!header_.emplace(key, std::move(values)).second) fail(lines_.line(), fmt::format("{} is given twice", key));
  }
  fail(lines_.line(), fmt::format("{}, found the end of the file before the line SV", kExpected));
}

void LibsvmModelText::fail(std::size_t line, const std::string& message, std::size_t token) const {
  throw InputError(Place{lines_.name(), line, token}, message);
}

void LibsvmModelText::fail_at(const std::string& key, const std::string& message) const { fail(line_of(key), message); }

const LibsvmModelText::Entry& LibsvmModelText::entry(const std::string& key) const {
  const auto found = header_.find(key);
  if (found == header_.end()) fail(header_end_, fmt::format("{}, found no line {} above SV", kExpected, key));
  return found->second;
}

const std::string& LibsvmModelText::word(const std::string& key) const { return list(key, 1).front(); }

std::int64_t LibsvmModelText::integer(const std::string& key) const {
  const auto value = parse_integer(word(key));
  if (!value) fail_at(key, fmt::format("expected a whole number behind {}, found {}", key, shown(word(key))));
  return *value;
}

double LibsvmModelText::number(const std::string& key) const { return number_from(word(key), line_of(key), 2); }

const std::vector<std::string>& LibsvmModelText::list(const std::string& key, std::size_t count) const {
  const auto& values = entry(key).values;
  if (values.size() != count) {
    fail_at(key,
            fmt::format("expected {} value{} behind {}, found {}", count, count == 1 ? "" : "s", key, values.size()));
  }
  return values;
}

double LibsvmModelText::number_from(std::string_view text, std::size_t line, std::size_t token) const {
  const auto value = parse_double(text);
  if (!value || !std::isfinite(*value)) fail(line, fmt::format("expected a number, found {}", shown(text)), token);
  return *value;
}

bool LibsvmModelText::next(std::string_view& text) {
  while (lines_.next(text)) {
    text = trim(text);
    if (!text.empty()) return true;
  }
  return false;
}

}  // namespace manyone
