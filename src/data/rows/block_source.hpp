// SPDX-License-Identifier: Apache-2.0
//
// BlockSource: what a format does behind BlockReader. One implementation for tables of cells (CSV, ARFF), one for
// LIBSVM, one for IDX.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/bytes/byte_window.hpp"
#include "data/table_reader.hpp"
#include "manyone/words.hpp"

namespace manyone {

class BlockSource {
 public:
  virtual ~BlockSource() = default;
  virtual bool next(Block& block) = 0;
  virtual bool has_target() const = 0;
  virtual std::vector<Words> notes() const { return {}; }
  virtual std::vector<std::string> kept_names() const { return {}; }
  virtual double progress() const = 0;
};

/// Features of a model whose columns are all numbers, as LIBSVM and IDX need; InputError for another model.
Index numbered_features(const Schema& schema, const std::string& file);

/// Throws InputError when the target is required and absent.
void require_target(const BlockOptions& options, bool has_target, const std::string& file);

std::unique_ptr<BlockSource> csv_blocks(ByteWindow window, const Schema& schema, const BlockOptions& options);
std::unique_ptr<BlockSource> arff_blocks(ByteWindow window, const Schema& schema, const BlockOptions& options);
std::unique_ptr<BlockSource> libsvm_blocks(ByteWindow window, const Schema& schema, const BlockOptions& options);
std::unique_ptr<BlockSource> idx_blocks(ByteWindow images, std::unique_ptr<ByteSource> labels, const Schema& schema,
                                        const BlockOptions& options);

}  // namespace manyone
