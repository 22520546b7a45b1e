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

/// The library names options as the command line does; here they are parameters: "use --missing mean" becomes
/// "use missing='mean'", "leave --label-kernel out" becomes "leave label_kernel out". Rows and columns count from 0.
std::string in_python(const std::string& message);

}  // namespace manyone::python
