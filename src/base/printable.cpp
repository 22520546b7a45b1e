// SPDX-License-Identifier: Apache-2.0
#include "base/printable.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace manyone {

namespace {

/// Control characters beyond those of ASCII: the second block of them (one of which is a terminal's escape), and the
/// marks that change the direction of what follows.
bool controls(std::string_view character) {
  if (character.size() == 1) return static_cast<unsigned char>(character[0]) < 0x20 || character[0] == 0x7F;
  if (character.size() == 2) return character >= "\xC2\x80" && character <= "\xC2\x9F";
  return (character >= "\xE2\x80\xAA" && character <= "\xE2\x80\xAE") ||
         (character >= "\xE2\x81\xA6" && character <= "\xE2\x81\xA9");
}

/// `text` with its middle left out if it has more than `most` characters; the end is kept because places of errors and
/// endings of file names are there. Precondition: UTF-8.
std::string without_middle(std::string_view text, std::size_t most) {
  const auto starts = [](char c) { return (c & 0xC0) != 0x80; };
  const auto count = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts));
  if (count <= most) return std::string(text);
  const auto position = [&](std::size_t character) {
    std::size_t at = 0;
    for (std::size_t seen = 0; at < text.size(); ++at) {
      if (starts(text[at]) && seen++ == character) break;
    }
    return at;
  };
  const std::size_t end = most / 4;
  const std::size_t start = most - end - 3;
  return std::string(text.substr(0, position(start))) + "..." + std::string(text.substr(position(count - end)));
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F)) return 0;
    return continues(1) && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if ((lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) return 0;
    return continues(1) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    const std::string_view character = text.substr(i, std::max<std::size_t>(length, 1));
    if (length == 0 || controls(character)) {
      for (const char c : character) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += character;
    }
    i += character.size();
  }
  return out;
}

std::string printable_line(std::string_view text) {
  constexpr std::size_t kLongestWord = 200;
  constexpr std::size_t kLongestLine = 2000;
  const std::string whole = escaped(text);
  std::string out;
  for (std::size_t i = 0; i < whole.size();) {
    const std::size_t blank = std::min(whole.find(' ', i), whole.size());
    out += without_middle(std::string_view(whole).substr(i, blank - i), kLongestWord);
    i = std::min(whole.find_first_not_of(' ', blank), whole.size());
    out.append(i - blank, ' ');
  }
  return without_middle(out, kLongestLine);
}

std::string printable_lines(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find('\n', i), text.size());
    out += escaped(text.substr(i, end - i));
    if (end < text.size()) out += '\n';
    i = end + 1;
  }
  return out;
}

}  // namespace manyone
