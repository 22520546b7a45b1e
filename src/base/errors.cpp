// SPDX-License-Identifier: Apache-2.0
#include "manyone/errors.hpp"

#include <utility>

#include "base/worded.hpp"

namespace manyone {

std::string Place::text() const {
  std::string out = file;
  if (line > 0) out.append(":").append(std::to_string(line));
  if (line > 0 && column > 0) out.append(":").append(std::to_string(column));
  return out;
}

Words Complaint::words() const {
  Words out;
  if (!place.file.empty()) out += Words(place.text() + ": ");
  if (expected.empty()) {
    out += problem;
  } else {
    out += parameter.empty() ? Words("expected ") : worded("`{}` must be ", parameter);
    out += expected;
    if (!found.empty()) out += Words(", found " + found);
  }
  if (!remedy.empty()) out += "; " + remedy;
  return out;
}

const char* name_of(Fault fault) {
  switch (fault) {
    case Fault::usage: return "usage";
    case Fault::input: return "input";
    case Fault::backend: return "backend";
    case Fault::memory: return "memory";
    case Fault::interrupted: break;
  }
  return "interrupted";
}

Error::Error(Complaint complaint)
    : std::runtime_error(complaint.words().text()),
      complaint_(std::make_shared<const Complaint>(std::move(complaint))) {}

ExitCode Error::exit_code() const {
  switch (complaint_->fault) {
    case Fault::usage: return ExitCode::usage;
    case Fault::input: return ExitCode::input;
    case Fault::backend: return ExitCode::backend;
    case Fault::memory: return ExitCode::memory;
    case Fault::interrupted: break;
  }
  return ExitCode::interrupted;
}

InputError::InputError(Place place, Words problem, Words remedy, std::string parameter)
    : Error({.fault = Fault::input,
             .parameter = std::move(parameter),
             .problem = std::move(problem),
             .remedy = std::move(remedy),
             .place = std::move(place)}) {}

ConfigError::ConfigError(std::string parameter, Words problem, Words remedy)
    : Error({.fault = Fault::usage,
             .parameter = std::move(parameter),
             .problem = std::move(problem),
             .remedy = std::move(remedy)}) {}

ConfigError ConfigError::must_be(std::string parameter, Words expected, std::string found, Words remedy) {
  return ConfigError(Complaint{.fault = Fault::usage,
                               .parameter = std::move(parameter),
                               .expected = std::move(expected),
                               .found = std::move(found),
                               .remedy = std::move(remedy)});
}

BackendError::BackendError(Words problem, Words remedy, std::string parameter)
    : Error({.fault = Fault::backend,
             .parameter = std::move(parameter),
             .problem = std::move(problem),
             .remedy = std::move(remedy)}) {}

MemoryError::MemoryError(Words problem, Words remedy)
    : Error(
          {.fault = Fault::memory, .parameter = "memory", .problem = std::move(problem), .remedy = std::move(remedy)}) {
}

Interrupted::Interrupted() : Error({.fault = Fault::interrupted, .problem = "interrupted"}) {}

}  // namespace manyone
