// SPDX-License-Identifier: Apache-2.0
//
// The library's errors as the exceptions that Python programs expect, in the words of Python: "use scale='maxabs'",
// "leave label_kernel out"; rows and columns count from 0.
#pragma once

#include <string>

#include <pybind11/pybind11.h>

#include "manyone/words.hpp"

namespace manyone::python {

/// What a recipe calls numbers that came from a program, where a file would have its name.
inline constexpr const char* kGiven = "given";

/// InputError and ConfigError become ValueError, MemoryError MemoryError, Interrupted KeyboardInterrupt and
/// BackendError RuntimeError.
void translate_errors(pybind11::module_& module);

/// One line for people.
std::string in_python(const Words& words);

}  // namespace manyone::python
