// SPDX-License-Identifier: Apache-2.0
#include "cli/prediction.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <utility>

#include "manyone/base/errors.hpp"

namespace manyone::cli {

void PredictionInput::declare(CLI::App& command) {
  command.add_option("MODEL", model, "Model file")->required();
  command.add_option("DATA", path, "Table: CSV, TSV, LIBSVM, ARFF or IDX, also .gz; - for stdin")->required();
  command.add_option("--format", format, "auto, csv, libsvm, arff or idx")
      ->check(CLI::IsMember({"auto", "csv", "libsvm", "arff", "idx"}))
      ->group("Table");
  command.add_option("--header", header, "Has the CSV a header line? auto, yes or no")
      ->check(CLI::IsMember({"auto", "yes", "no"}))
      ->group("Table");
}

namespace {

// Numbers of a model up to which rows are scored in small blocks side by side: it is prepared for each block anew, and
// stays in cache. With larger ones nearly all time goes into scoring, which is divided inside a block.
constexpr Index kSmallModel = Index{1} << 17;
// Rows of a small block: whole tiles of the backend, so that rows are scored as they would be in a large one.
constexpr Index kSmallBlock = 2048;

bool is_small(const Expansion& model) {
  return model.coefficients.rows() * (model.centres.features() + model.coefficients.cols()) <= kSmallModel;
}

/// Blocks on their way from the file to the consumer: read one after the other, scored side by side, consumed in their
/// order. What goes wrong with a block ends the work behind it, none before it.
class BlockLine {
 public:
  using Score = std::function<Matrix(Block&)>;
  using Consume = std::function<void(const Block&, const Matrix& scores, double progress)>;

  BlockLine(BlockReader& reader, Score score, Consume consume)
      : reader_(reader), score_(std::move(score)), consume_(std::move(consume)) {}

  void run(const Backend& backend) {
    backend.parallel_for(static_cast<std::size_t>(backend.threads()), [&](std::size_t) {
      while (handle_one()) {
      }
    });
    if (error_) std::rethrow_exception(error_);
  }

 private:
  /// False when there are no more.
  bool handle_one() {
    Block block;
    std::size_t k = 0;
    double progress = 0;
    {
      const std::lock_guard lock(reading_);
      k = read_;
      if (end_ <= k) return false;
      try {
        if (!reader_.next(block)) end_at(k, nullptr);
      } catch (...) {
        end_at(k, std::current_exception());
      }
      if (end_ <= k) return false;
      ++read_;
      progress = reader_.progress();
    }
    try {
      const Matrix scores = score_(block);
      std::unique_lock lock(order_);
      turn_.wait(lock, [&] { return consumed_ == k || end_ <= k; });
      if (end_ <= k) return false;
      consume_(block, scores, progress);
      ++consumed_;
    } catch (...) {
      end_at(k, std::current_exception());
    }
    turn_.notify_all();
    return end_ > k;
  }

  /// Of several ends the first counts.
  void end_at(std::size_t k, std::exception_ptr error) {
    const std::lock_guard lock(order_);
    if (end_ <= k) return;
    end_ = k;
    error_ = std::move(error);
    turn_.notify_all();
  }

  BlockReader& reader_;
  Score score_;
  Consume consume_;
  std::mutex reading_;
  std::size_t read_ = 0;
  std::mutex order_;  // taken while reading_ is held, never the other way round
  std::condition_variable turn_;
  std::size_t consumed_ = 0;
  std::atomic<std::size_t> end_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr error_;
};

}  // namespace

void PredictionInput::for_each_block(const Program& program, const Classifier& classifier, BlockOptions options,
                                     const std::function<void(const Block&, const Matrix& scores)>& consume) const {
  options.format = format_from_name(format);
  options.header = header_from_name(header);
  const bool small = is_small(classifier.expansion);
  if (small) options.rows_per_block = std::min(options.rows_per_block, kSmallBlock);
  BlockReader reader(path, classifier.schema, options);
  program.observer().begin("predicting", 1);
  Index rows = 0;
  const auto score = [&](Block& block) {
    program.execution().interrupt.check();
    return classifier.scores(program.backend(), std::move(block.features));
  };
  const auto use = [&](const Block& block, const Matrix& scores, double progress) {
    consume(block, scores);
    rows += scores.rows() + block.dropped;
    program.observer().update(progress, "");
  };
  if (small) {
    BlockLine(reader, score, use).run(program.backend());
  } else {
    for (Block block; reader.next(block);) {
      const Matrix scores = score(block);
      use(block, scores, reader.progress());
    }
  }
  program.observer().end();
  if (rows == 0) throw InputError(Place{path}, "expected rows to predict, found none; check the file");
}

}  // namespace manyone::cli
