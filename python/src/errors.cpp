// SPDX-License-Identifier: Apache-2.0
#include "python/src/errors.hpp"

#include <algorithm>
#include <cctype>
#include <exception>
#include <functional>
#include <map>
#include <regex>
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

/// What only a command line would say, and what stands for it here.
struct Phrase {
  std::string_view said;
  std::string_view meant;
};
constexpr Phrase kPhrases[] = {
    {"use --ignore to leave it out", "leave it out"},
    {"leave the cell empty if the value is missing", "use NaN if the value is missing"},
    {"leave it empty if the model takes missing values", "use NaN if the model takes missing values"},
    {"write more digits, or the mean of both", "use the mean of both"},
    {"--machines onelsm,svm-ovo", "['onelsm', 'svm-ovo']"},
    {"; write one on each line", ""},
};

std::string with_phrases(std::string text) {
  for (const Phrase& phrase : kPhrases) {
    const std::size_t at = text.find(phrase.said);
    if (at != std::string::npos) text.replace(at, phrase.said.size(), phrase.meant);
  }
  return text;
}

/// Options that are functions here.
std::string name_in_python(const std::string& option) {
  static const std::map<std::string, std::string> functions = {
      {"onnx", "export_onnx"}, {"cpp", "export_cpp"}, {"libsvm", "export_libsvm"}};
  const auto found = functions.find(option);
  return found == functions.end() ? option : found->second;
}

/// nominal=['floor'] of a column with that name, nominal=[2] of the third.
std::string nominal_list(const std::string& column, const std::string& message) {
  static const std::regex position("[1-9][0-9]{0,14}");
  if (!std::regex_match(column, position) || message.find(fmt::format("column '{}'", column)) != std::string::npos) {
    return fmt::format("=['{}']", column);
  }
  return fmt::format("=[{}]", std::stoul(column) - 1);
}

/// The numbers that `pattern` captures, each less one.
std::string counted_from_zero(const std::string& text, const char* pattern) {
  const std::regex numbers(pattern);
  std::string out;
  std::size_t copied = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), numbers), end; match != end; ++match) {
    for (std::size_t g = 1; g < match->size(); ++g) {
      const auto at = static_cast<std::size_t>(match->position(g));
      out += text.substr(copied, at - copied) + std::to_string(std::stoul((*match)[g].str()) - 1);
      copied = at + static_cast<std::size_t>(match->length(g));
    }
  }
  return out + text.substr(copied);
}

/// Files and tables are counted from 1, arrays from 0. Our own messages say "row 3 of X", and count from 0 already.
std::string with_places_of_arrays(std::string text) {
  text = counted_from_zero(text, R"(\brow ([1-9]\d{0,14})\b(?!'| of X))");
  text = std::regex_replace(text, std::regex(R"(\brow (\d+)\b(?!'| of X))"), "row $1 of X");
  text = counted_from_zero(text, R"(\bcolumn ([1-9]\d{0,14})\b(?!'))");
  text = counted_from_zero(text, R"((?:^given:.*codewords|\bclasses) ([1-9]\d{0,8}) and ([1-9]\d{0,8}) are equal)");
  text = counted_from_zero(
      text, R"(entry \(([1-9]\d{0,14}), ([1-9]\d{0,14})\) is .* but \(([1-9]\d{0,14}), ([1-9]\d{0,14})\))");
  return std::regex_replace(text, std::regex(R"(grid (\w+)=LOW:HIGH)"), "grid={'$1': (low, high)}");
}

/// Numbers of a program are "given" in models, where a file would have its name; what is wrong with them is told of the
/// parameter.
std::string with_given_parameters(const std::string& text) {
  const std::regex place("^given:(?:[0-9]+:)?");
  if (!std::regex_search(text, place))
    return std::regex_replace(text, std::regex("those of given "), "those of labelbook ");
  const auto says = [&](const char* words) { return text.find(words) != std::string::npos; };
  const bool gram = says("Gram") || says("one row per class");
  return std::regex_replace(text, place, gram ? "label_kernel:" : says("numbers above 0") ? "priors:" : "labelbook:");
}

/// "--missing mean" is missing='mean'.
std::string with_parameters(const std::string& message) {
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
    out += name_in_python(option);
    if (k == message.size() || message[k] != ' ') continue;
    const std::size_t end = std::min(message.find_first_of(" ,;)", k + 1), message.size());
    const std::string value = message.substr(k + 1, end - k - 1);
    if (option == "nominal") {
      out += nominal_list(value, message);
    } else if (is_value(value)) {
      out += '=' + quoted(value);
    } else {
      continue;
    }
    k = end;
  }
  return out;
}

}  // namespace

std::string in_python(const std::string& message) {
  return with_given_parameters(with_places_of_arrays(with_parameters(with_phrases(message))));
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
