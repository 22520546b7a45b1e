// SPDX-License-Identifier: Apache-2.0
//
// Text of unknown origin, fit for a terminal. Messages, notes and tables quote file names, labels and cells of a user;
// those may hold control bytes that move the cursor, bytes that are no UTF-8, or a megabyte without a blank.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace manyone {

/// Length of the UTF-8 sequence at the start of `text`; 0 if there is none (overlong forms and surrogates included).
std::size_t utf8_length(std::string_view text);

/// `text` with control characters and bytes that are no UTF-8 written as \x1b.
std::string escaped(std::string_view text);

/// One line for people: escaped() text in which a word longer than 200 characters keeps its two ends, and which is
/// itself not longer than a screen.
std::string printable_line(std::string_view text);

/// Lines for people: each escaped().
std::string printable_lines(std::string_view text);

}  // namespace manyone
