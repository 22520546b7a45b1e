// SPDX-License-Identifier: Apache-2.0
//
// The errors a caller can make or meet. Each kind maps to one exit code of the command line (exit_code()).
// Numerical outcomes ("did not converge", "not positive definite") are values, not exceptions.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace manyone {

/// Exit codes promised by the command line.
enum class ExitCode : int { done = 0, usage = 2, input = 3, backend = 4, memory = 5, interrupted = 130 };

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode exit_code() const { return code_; }

 private:
  ExitCode code_;
};

/// A place in a file. Line and column are 1-based; 0 means "not known" and is left out of the text.
struct Place {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;  ///< field number in tables, token number in LIBSVM files

  /// "file", "file:line" or "file:line:column".
  std::string text() const;
};

/// Bad input data or a bad model file.
class InputError : public Error {
 public:
  InputError(const Place& place, std::string_view message);
  explicit InputError(const std::string& message) : Error(ExitCode::input, message) {}
};

/// A parameter or an option with a value that cannot be used; the message says which values can.
class ConfigError : public Error {
 public:
  explicit ConfigError(const std::string& message) : Error(ExitCode::usage, message) {}
};

/// A numerical library or a device failed.
class BackendError : public Error {
 public:
  explicit BackendError(const std::string& message) : Error(ExitCode::backend, message) {}
};

/// Something would not fit into the memory budget; thrown before anything is allocated.
class MemoryError : public Error {
 public:
  explicit MemoryError(const std::string& message) : Error(ExitCode::memory, message) {}
};

/// The user asked to stop.
class Interrupted : public Error {
 public:
  Interrupted() : Error(ExitCode::interrupted, "interrupted") {}
};

}  // namespace manyone
