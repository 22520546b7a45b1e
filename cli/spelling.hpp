// SPDX-License-Identifier: Apache-2.0
//
// The library names parameters as recipes do; here they are options.
#pragma once

#include <string>
#include <string_view>

#include "manyone/errors.hpp"

namespace manyone::cli {

/// "centers_from" is --centers-from, "scale=range" is --scale range.
std::string as_option(std::string_view name, std::string_view value);

/// What an error says, as one line for people.
std::string message_of(const Error& error);

}  // namespace manyone::cli
