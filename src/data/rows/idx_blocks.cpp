// SPDX-License-Identifier: Apache-2.0
//
// Blocks of IDX files.
#include <utility>

#include <fmt/format.h>

#include "data/records/idx_reader.hpp"
#include "data/rows/block_source.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

class IdxBlocks final : public BlockSource {
 public:
  IdxBlocks(ByteWindow images, std::unique_ptr<ByteSource> labels, const Schema& schema, const BlockOptions& options)
      : images_(std::move(images)), labelled_(options.labels) {
    check_images(images_);
    const Index expected = numbered_features(schema, images_.name());
    if (images_.width() != expected) {
      throw InputError(
          Place{images_.name()},
          fmt::format("expected {} features as in the model, found {} bytes in each row", expected, images_.width()));
    }
    if (labels) {
      labels_ = std::make_unique<IdxReader>(ByteWindow(std::move(labels)));
      check_labels(images_, *labels_);
    }
    require_target(options, has_target(), images_.name());
    rows_ = block_rows(options, images_.width());
  }

  bool next(Block& block) override {
    block.first_row = row_;
    block.dropped.clear();
    block.labels.clear();
    bytes_.clear();
    label_bytes_.clear();
    Index count = 0;
    while (count < rows_ && images_.next(bytes_)) {
      ++count;
      if (labels_) labels_->next(label_bytes_);
    }
    if (count < rows_ && labels_) labels_->next(label_bytes_);  // checks that it ends here too
    row_ += count;
    if (!labelled_) label_bytes_.clear();
    for (const std::uint8_t label : label_bytes_) block.labels.push_back(std::to_string(label));
    block.features = as_matrix(bytes_, count, images_.width());
    return count > 0;
  }

  bool has_target() const override { return labels_ != nullptr; }
  double progress() const override { return images_.progress(); }

 private:
  IdxReader images_;
  std::unique_ptr<IdxReader> labels_;
  bool labelled_;
  Index rows_ = 1;
  Index row_ = 0;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint8_t> label_bytes_;
};

}  // namespace

std::unique_ptr<BlockSource> idx_blocks(ByteWindow images, std::unique_ptr<ByteSource> labels, const Schema& schema,
                                        const BlockOptions& options) {
  return std::make_unique<IdxBlocks>(std::move(images), std::move(labels), schema, options);
}

}  // namespace manyone
