// SPDX-License-Identifier: Apache-2.0
//
// The library's errors as the exceptions that Python programs expect.
#pragma once

#include <string>

#include <pybind11/pybind11.h>

namespace manyone::python {

/// InputError and ConfigError become ValueError, MemoryError MemoryError, Interrupted KeyboardInterrupt and
/// BackendError RuntimeError.
void translate_errors(pybind11::module_& module);

/// The library names options as the command line does: "--label-kernel" becomes "label_kernel".
std::string as_parameters(const std::string& message);

}  // namespace manyone::python
