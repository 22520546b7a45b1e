// SPDX-License-Identifier: Apache-2.0
#include "manyone/base/errors.hpp"

namespace manyone {

std::string Place::text() const {
  std::string out = file;
  if (line > 0) out.append(":").append(std::to_string(line));
  if (line > 0 && column > 0) out.append(":").append(std::to_string(column));
  return out;
}

InputError::InputError(const Place& place, std::string_view message)
    : Error(ExitCode::input, place.text() + ": " + std::string(message)) {}

}  // namespace manyone
