// SPDX-License-Identifier: Apache-2.0
//
// Which format a table has: by the extension of its name, else by its first bytes.
#pragma once

#include <memory>
#include <string>

#include "data/bytes/byte_window.hpp"
#include "data/table_reader.hpp"

namespace manyone {

/// Never automatic. `wanted` wins if it is not automatic.
TableFormat find_format(TableFormat wanted, ByteWindow& window);

/// Name of the label file that belongs to an IDX image file ("images" -> "labels", "idx3" -> "idx1"); "" if the name
/// has no such part.
std::string idx_label_path(const std::string& image_path);

/// That file, packed or not; nothing if there is none.
std::unique_ptr<ByteSource> open_idx_labels(const std::string& image_path);

}  // namespace manyone
