// SPDX-License-Identifier: Apache-2.0
#include "python/src/errors.hpp"

#include <cctype>
#include <exception>

#include "manyone/base/errors.hpp"

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

}  // namespace

std::string as_parameters(const std::string& message) {
  std::string out;
  for (std::size_t k = 0; k < message.size(); ++k) {
    const bool starts = k == 0 || std::isalnum(static_cast<unsigned char>(message[k - 1])) == 0;
    if (!starts || message.compare(k, 2, "--") != 0) {
      out += message[k];
      continue;
    }
    for (k += 2; k < message.size() && (std::islower(static_cast<unsigned char>(message[k])) != 0 || message[k] == '-');
         ++k) {
      out += message[k] == '-' ? '_' : message[k];
    }
    --k;
  }
  return out;
}

void translate_errors(pybind11::module_&) {
  pybind11::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& error) {
      PyErr_SetString(exception_of(error.exit_code()), as_parameters(error.what()).c_str());
    }
  });
}

}  // namespace manyone::python
