// SPDX-License-Identifier: Apache-2.0
#include "python/src/errors.hpp"

#include <algorithm>
#include <cctype>
#include <exception>
#include <functional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"
#include "manyone/base/printable.hpp"
#include "manyone/machine/registry.hpp"

namespace manyone::python {

namespace {

PyObject* exception_of(ExitCode code) {
  switch (code) {
    case ExitCode::memory: return PyExc_MemoryError;
    case ExitCode::interrupted: return PyExc_KeyboardInterrupt;
    case ExitCode::backend: return PyExc_RuntimeError;
    case ExitCode::done:
    case ExitCode::usage:
    case ExitCode::input: break;
  }
  return PyExc_ValueError;
}

bool in_option(char letter) { return std::islower(static_cast<unsigned char>(letter)) != 0 || letter == '-'; }

/// Does this word behind an option say what to give it? Options are also followed by verbs.
bool is_value(std::string_view word) {
  static const std::set<std::string, std::less<>> others = {
      "auto",   "loo",      "drop",      "mean",     "indicator", "range",      "standard", "maxabs", "none",  "grid",
      "design", "greedy",   "halving",   "direct",   "cg",        "stratified", "random",   "kmeans", "pca",   "rkhs",
      "argmax", "identity", "hamming",   "leverage", "uniform",   "data",       "balanced", "loss",   "votes", "dag",
      "flda",   "ssvm",     "published", "simplex",  "linear",    "mincorr",    "gaussian"};
  if (word.empty()) return false;
  if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) return true;
  const std::string_view head = word.substr(0, word.find_first_of(":|"));
  const auto all = machines();
  return others.contains(head) ||
         std::any_of(all.begin(), all.end(), [&](const MachineEntry& info) { return info.name == head; });
}

/// As Python writes it: 5, 'mean', and "drop|mean" as 'drop' or 'mean'.
std::string quoted(const std::string& value) {
  if (std::isdigit(static_cast<unsigned char>(value[0])) != 0) return value;
  std::string out = "'";
  for (const char letter : value) {
    if (letter == '|') {
      out += "' or '";
    } else {
      out += letter;
    }
  }
  return out + "'";
}

}  // namespace

std::string in_python(const std::string& message) {
  std::string out;
  std::size_t k = 0;
  while (k < message.size()) {
    const bool starts = k == 0 || std::isalnum(static_cast<unsigned char>(message[k - 1])) == 0;
    if (!starts || message.compare(k, 2, "--") != 0) {
      out += message[k++];
      continue;
    }
    std::string option;
    for (k += 2; k < message.size() && in_option(message[k]); ++k) option += message[k] == '-' ? '_' : message[k];
    out += option;
    if (k == message.size() || message[k] != ' ') continue;
    const std::size_t end = std::min(message.find_first_of(" ,;)", k + 1), message.size());
    const std::string value = message.substr(k + 1, end - k - 1);
    if (option == "nominal") {
      out += fmt::format("=['{}']", value);
    } else if (is_value(value)) {
      out += '=' + quoted(value);
    } else {
      continue;
    }
    k = end;
  }
  return out;
}

void translate_errors(pybind11::module_&) {
  pybind11::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& error) {
      PyErr_SetString(exception_of(error.exit_code()), in_python(printable_line(error.what())).c_str());
    }
  });
}

}  // namespace manyone::python
