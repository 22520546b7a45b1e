// SPDX-License-Identifier: Apache-2.0
//
// Replacing a file as a whole. Whoever reads the path, even after a kill or a power cut in the middle of a save, sees
// the complete old file or the complete new one. The bytes go to a temporary file beside the target, named
// "<path>.tmp-<process>-<number>", which a kill can leave behind and anyone may delete.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace manyone {

/// Writes the pieces one after the other. An existing file keeps its permissions, a symbolic link stays a link.
/// Throws ConfigError when the path cannot be written (no such folder, no permission, not a regular file) and
/// InputError when writing fails midway (disk full); the old file is then untouched and no temporary stays behind.
void write_file_atomically(const std::string& path, std::span<const std::span<const std::byte>> pieces);
void write_file_atomically(const std::string& path, std::string_view text);

}  // namespace manyone
