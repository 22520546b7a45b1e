// SPDX-License-Identifier: Apache-2.0
//
// The errors a caller can make or meet. What is wrong is a value, a Complaint, whose parts name parameters as recipes
// do; a front end says it in its own words (complaint().words().in(spelling)), what() in those of a program. Each kind
// maps to one exit code of the command line. Numerical outcomes ("did not converge", "not positive definite") are
// values, not exceptions.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <manyone/words.hpp>

namespace manyone {

/// Exit codes promised by the command line.
enum class ExitCode : int { done = 0, usage = 2, input = 3, backend = 4, memory = 5, interrupted = 130 };

/// Whose fault it is: how the program was called, what it was given, a library or device, the memory, or the user who
/// asked to stop.
enum class Fault { usage, input, backend, memory, interrupted };

/// A place in a file. Line and column are 1-based; 0 means "not known" and is left out of the text.
struct Place {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;  ///< field number in tables, token number in LIBSVM files

  /// "file", "file:line" or "file:line:column".
  std::string text() const;
};

/// What is wrong, either as a whole (`problem`) or as what was expected and found; and what to do about it.
struct Complaint {
  Fault fault = Fault::usage;
  std::string parameter = {};  ///< the one at fault, by its name in recipes; empty: none
  Words problem = {};          ///< a sentence; empty where the next two say it
  Words expected = {};         ///< "a number above 0 or auto"
  std::string found = {};      ///< as it was given; empty where that is no text
  Words remedy = {};
  Place place = {};

  /// "PLACE: PROBLEM; REMEDY", or "`PARAMETER` must be EXPECTED, found FOUND; REMEDY".
  Words words() const;
};

/// "usage", "input", "backend", "memory" or "interrupted".
const char* name_of(Fault fault);

class Error : public std::runtime_error {
 public:
  explicit Error(Complaint complaint);
  const Complaint& complaint() const { return *complaint_; }
  ExitCode exit_code() const;

 private:
  std::shared_ptr<const Complaint> complaint_;  // exceptions are copied, and copying them must not throw
};

/// Bad input data or a bad model file.
class InputError : public Error {
 public:
  InputError(Place place, Words problem, Words remedy = {}, std::string parameter = {});
  explicit InputError(Words problem) : InputError(Place{}, std::move(problem)) {}
};

/// A parameter with a value that cannot be used, or not with the others.
class ConfigError : public Error {
 public:
  ConfigError(std::string parameter, Words problem, Words remedy);
  /// Of a front end, about what only it has.
  explicit ConfigError(Words problem) : ConfigError({}, std::move(problem), {}) {}
  /// "`parameter` must be `expected`, found `found`; `remedy`".
  static ConfigError must_be(std::string parameter, Words expected, std::string found, Words remedy);

 private:
  explicit ConfigError(Complaint complaint) : Error(std::move(complaint)) {}
};

/// A numerical library or a device failed.
class BackendError : public Error {
 public:
  explicit BackendError(Words problem, Words remedy = {}, std::string parameter = {});
};

/// Something would not fit into the memory budget; thrown before anything is allocated.
class MemoryError : public Error {
 public:
  explicit MemoryError(Words problem, Words remedy = {});
};

/// The user asked to stop.
class Interrupted : public Error {
 public:
  Interrupted();
};

}  // namespace manyone
