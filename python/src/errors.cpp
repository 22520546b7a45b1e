// SPDX-License-Identifier: Apache-2.0
#include "python/src/errors.hpp"

#include <algorithm>
#include <cctype>
#include <exception>
#include <string_view>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "manyone/errors.hpp"

namespace manyone::python {

namespace {

PyObject* exception_of(Fault fault) {
  switch (fault) {
    case Fault::memory: return PyExc_MemoryError;
    case Fault::interrupted: return PyExc_KeyboardInterrupt;
    case Fault::backend: return PyExc_RuntimeError;
    case Fault::usage:
    case Fault::input: break;
  }
  return PyExc_ValueError;
}

/// What is called otherwise here, or is no parameter of an estimator.
struct OtherName {
  std::string_view of_recipes;
  std::string_view here;
};
constexpr OtherName kOtherNames[] = {
    {"onnx", "export_onnx"},     {"cpp", "export_cpp"},
    {"libsvm", "export_libsvm"}, {"ignore", "a selection of columns"},
    {"json", "fit or compare"},  {"resume", "journal"},
};

/// As Python writes it: 5, 'mean', and "drop|mean" as 'drop' or 'mean'.
std::string quoted(std::string_view value) {
  if (parse_double(value)) return std::string(value);
  std::string out = "'";
  for (const char letter : value) out += letter == '|' ? std::string("' or '") : std::string(1, letter);
  return out + "'";
}

/// The places of arrays count from 0.
std::string place_of_array(std::string_view name, std::string_view number) {
  const std::string index = std::to_string(parse_integer(number).value_or(1) - 1);
  if (name.empty()) return index;
  if (name == "nominal") return fmt::format("nominal=[{}]", index);
  return fmt::format("{} {}{}", name, index, name == "row" ? " of X" : "");
}

std::string as_parameter(std::string_view name, std::string_view value) {
  if (value.starts_with('#')) return place_of_array(name, value.substr(1));
  const auto* const other = std::ranges::find(kOtherNames, name, &OtherName::of_recipes);
  const std::string here(other != std::end(kOtherNames) ? other->here : name);
  if (value.empty()) return here;
  value.remove_prefix(1);
  if (name == "grid") return fmt::format("grid={{'{}': (low, high)}}", value.substr(0, value.find('=')));
  if (name == "nominal") return fmt::format("nominal=['{}']", value);
  if (name == "machines") {
    std::string list;
    for (const char letter : value) list += letter == ',' ? std::string("', '") : std::string(1, letter);
    return fmt::format("['{}']", list);
  }
  return here + '=' + quoted(value);
}

}  // namespace

std::string in_python(const Words& words) { return printable_line(words.in(as_parameter)); }

void translate_errors(pybind11::module_&) {
  pybind11::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& error) {
      Complaint complaint = error.complaint();
      if (complaint.place.file == kGiven && !complaint.parameter.empty()) complaint.place = Place{complaint.parameter};
      PyErr_SetString(exception_of(complaint.fault), in_python(complaint.words()).c_str());
    }
  });
}

}  // namespace manyone::python
