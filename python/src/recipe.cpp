// SPDX-License-Identifier: Apache-2.0
#include "python/src/recipe.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "manyone/errors.hpp"
#include "python/src/errors.hpp"

namespace manyone::python {

namespace py = pybind11;

namespace {

constexpr const char* kGiven = "given";  // what a model calls numbers that came from a program

std::string shown(const py::handle& value) { return py::repr(value).cast<std::string>(); }

[[noreturn]] void refuse(const Parameter& parameter, std::string_view expected, const py::handle& value) {
  throw ConfigError::must_be(std::string(parameter.name), std::string(expected), shown(value), without(parameter));
}

bool flag_from(const Parameter& parameter, const py::handle& value) {
  // numpy's bool_ is no Python bool; both are taken, numbers are not.
  if (!py::isinstance<py::bool_>(value) &&
      shown(py::type::of(value).attr("__name__")).find("bool") == std::string::npos) {
    refuse(parameter, "True or False", value);
  }
  return value.cast<bool>();
}

double number_from(const Parameter& parameter, const py::handle& value, std::string_view expected) {
  if (py::isinstance<py::str>(value) || py::isinstance<py::bool_>(value) || PyNumber_Check(value.ptr()) == 0) {
    refuse(parameter, expected, value);
  }
  return py::float_(py::reinterpret_borrow<py::object>(value)).cast<double>();
}

double in_range(const Parameter& parameter, const py::handle& value, double number) {
  if (!parameter.range.has(number)) refuse(parameter, expected_of(parameter, "'"), value);
  return number;
}

std::int64_t count_from(const Parameter& parameter, const py::handle& value) {
  const double out = number_from(parameter, value, "an integer");
  if (out != std::floor(out) || !(std::abs(out) < 9e15)) refuse(parameter, "an integer", value);
  return static_cast<std::int64_t>(in_range(parameter, value, out));
}

bool is_word(const py::handle& value, const char* word) {
  return py::isinstance<py::str>(value) && value.cast<std::string>() == word;
}

ParameterValue open_or_number_from(const Parameter& parameter, const py::handle& value) {
  if (parameter.takes_word("auto") && is_word(value, "auto")) return {};
  return in_range(parameter, value, number_from(parameter, value, expected_of(parameter, "'")));
}

/// One number for each row, or rows of numbers.
NamedNumbers numbers_from(const Parameter& parameter, const py::handle& value) {
  const auto array = value.cast<py::array_t<double, py::array::c_style | py::array::forcecast>>();
  if (array.ndim() != 1 && array.ndim() != 2) refuse(parameter, "text or an array", value);
  return {kGiven, Eigen::Map<const Matrix>(array.data(), array.shape(0), array.ndim() == 2 ? array.shape(1) : 1)};
}

ParameterValue text_from(const Parameter& parameter, const py::handle& value) {
  if (parameter.dimensions > 0 && !py::isinstance<py::str>(value)) return numbers_from(parameter, value);
  if (!py::isinstance<py::str>(value)) refuse(parameter, "text", value);
  const auto out = value.cast<std::string>();
  if (parameter.closed && !parameter.takes_word(out)) refuse(parameter, expected_of(parameter, "'"), value);
  return value_from_word(parameter, out);
}

/// {"sigma": (-4, 4), "ridge": (-8, 2, 0.5)}: low, high[, step] as powers of two.
std::vector<GridAxis> grid_from(const Parameter& parameter, const py::handle& value) {
  if (!py::isinstance<py::dict>(value)) {
    refuse(parameter, "a dict such as {'sigma': (-4, 4), 'ridge': (-8, 2)}", value);
  }
  std::vector<GridAxis> axes;
  for (const auto& [key, range] : py::reinterpret_borrow<py::dict>(value)) {
    if (!py::isinstance<py::str>(key)) refuse(parameter, "a dict by 'sigma', 'ridge' or 'cost'", value);
    std::vector<double> numbers;
    try {
      numbers = range.cast<std::vector<double>>();
    } catch (const py::cast_error&) {
      numbers.clear();
    }
    if (numbers.size() < 2 || numbers.size() > 3)
      refuse(parameter, "low, high and perhaps a step for each axis", range);
    axes.push_back({key.cast<std::string>(), {numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 1}});
  }
  return axes;
}

ParameterValue folds_from(const Parameter& parameter, const py::handle& value) {
  if (is_word(value, "loo")) return value.cast<std::string>();
  if (py::isinstance<py::str>(value)) refuse(parameter, "a number, 'loo' or an array with a fold for each row", value);
  if (py::isinstance<py::array>(value)) return value.cast<std::vector<int>>();
  return count_from(parameter, value);
}

ParameterValue value_from(const Parameter& parameter, const py::handle& value) {
  switch (parameter.type) {
    case ParameterType::flag: return flag_from(parameter, value);
    case ParameterType::count: return count_from(parameter, value);
    case ParameterType::number: return open_or_number_from(parameter, value);
    case ParameterType::text: return text_from(parameter, value);
    case ParameterType::weights:
      if (py::isinstance<py::str>(value) && !is_word(value, "balanced")) {
        refuse(parameter, "'balanced' or an array", value);
      }
      return text_from(parameter, value);
    case ParameterType::ranges: return grid_from(parameter, value);
    case ParameterType::folds: return folds_from(parameter, value);
    case ParameterType::groups: break;
  }
  return value.cast<std::vector<int>>();
}

py::dict described(const Parameter& parameter) {
  py::dict out;
  out["name"] = parameter.name;
  out["type"] = name_of(parameter.type);
  out["takes"] = parameter.takes;
  out["default"] = parameter.standard;
  out["dimensions"] = parameter.dimensions;
  out["text"] = parameter.text;
  py::list machine_names;
  for (const MachineEntry& entry : machines()) {
    if (parameter.of_machine == nullptr || parameter.of_machine(entry)) machine_names.append(entry.name);
  }
  out["machines"] = machine_names;
  out["in_model"] = parameter.in_model;
  return out;
}

}  // namespace

Recipe recipe_from(const py::dict& given, Index rows, std::vector<int> groups) {
  std::vector<Setting> settings;
  for (const auto& [key, value] : given) {
    if (value.is_none()) continue;
    const auto name = key.cast<std::string>();
    const Parameter* parameter = find_parameter(name);
    if (parameter == nullptr) throw ConfigError(fmt::format("parameter '{}' is not known", name));
    settings.push_back({parameter, value_from(*parameter, value)});
  }
  if (!groups.empty()) settings.push_back({find_parameter("groups"), std::move(groups)});
  Recipe out = recipe_from_settings(settings, rows);
  out.validate();
  return out;
}

void declare_parameters(py::module_& module) {
  module.def("parameters", [] {
    py::list out;
    for (const Parameter& parameter : parameters()) out.append(described(parameter));
    return out;
  });
}

}  // namespace manyone::python
