// SPDX-License-Identifier: Apache-2.0
//
// Printing that never fails where it stands: what cannot be written to standard error is lost, what cannot be written
// to standard output is noticed at the end of the program (main.cpp), when all else is done.
#pragma once

#include <cstdio>
#include <string_view>

namespace manyone::cli {

/// Where text for people goes: standard output, unless an output of the command goes there.
inline std::FILE*& text_stream() {
  static std::FILE* stream = stdout;
  return stream;
}

inline void print(std::FILE* stream, std::string_view text) { (void)!std::fwrite(text.data(), 1, text.size(), stream); }

}  // namespace manyone::cli
