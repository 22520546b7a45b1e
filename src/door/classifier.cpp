// SPDX-License-Identifier: Apache-2.0
#include "manyone/classifier.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/atomic_file.hpp"
#include "data/bytes/byte_source.hpp"
#include "decoder/decoder.hpp"
#include "door/inside.hpp"
#include "manyone/errors.hpp"
#include "model/cpp_header.hpp"
#include "model/libsvm_model.hpp"
#include "model/onnx.hpp"
#include "statistics/metrics.hpp"
#include "statistics/wilson.hpp"

namespace manyone::door {

abi_0::Estimate for_program(const CvSummary& estimate) {
  abi_0::Estimate out{.error = estimate.error,
                      .kind = std::string(name_of(estimate.kind)),
                      .folds = estimate.folds,
                      .repeats = estimate.repeats,
                      .std = estimate.std,
                      .interval = {},
                      .rows = estimate.rows,
                      .trained_rows = estimate.train_rows,
                      .majority_error = estimate.majority_error};
  if (estimate.kind == EstimateKind::held_out) {
    const Interval interval = wilson(estimate.error, estimate.rows);
    out.interval = {interval.low, interval.high};
  }
  return out;
}

}  // namespace manyone::door

namespace manyone::abi_0 {

namespace {

// Rows of which kernel values and copies are made at a time.
constexpr Index kBlock = 8192;

void require_features(const Model& model, Index features) {
  if (features == model.expansion.features()) return;
  throw InputError(fmt::format("expected rows of {} features, as the classifier was trained on, found {}",
                               model.expansion.features(), features));
}

/// Scores of rows, block by block: `features` gives those of some, `use` takes their first row and their scores.
template <class Features, class Use>
void for_each_block(const Model& model, Index rows, const Run& run, const Features& features, const Use& use) {
  const Index centres = model.expansion.centres.rows();
  const auto backend = backend_of(run, static_cast<double>(rows) * static_cast<double>(centres));
  for (Index first = 0; first < rows; first += kBlock) {
    if (run.stop.stop_requested()) throw Interrupted();
    use(first, model.scores(*backend, features(first, std::min(kBlock, rows - first))));
  }
}

template <class Use>
void for_each_block(const Model& model, MatrixView rows, const Run& run, const Use& use) {
  check(rows);
  require_features(model, rows.columns);
  for_each_block(
      model, rows.rows, run, [&](Index first, Index count) { return rows_of(rows, first, count); }, use);
}

template <class Use>
void for_each_block(const Model& model, const Table& table, const Run& run, const Use& use) {
  const Features& rows = table.inside().data.features;
  require_features(model, rows.features());
  const Schema& schema = table.inside().data.schema;
  if (!schema.plain && !model.schema.plain && schema.feature_names() != model.schema.feature_names()) {
    throw InputError(fmt::format(
        "the columns of {} are not those that the classifier was trained on, or not in their order; read the file with "
        "Classifier::read, which finds them",
        table.inside().data.source));
  }
  const auto some = [&](Index first, Index count) {
    if (!rows.sparse()) return Features::borrowed(rows.view().row(first).data(), count, rows.features());
    return Features(SparseMatrix(rows.csr().middleRows(first, count)));
  };
  for_each_block(model, rows.rows(), run, some, use);
}

template <class Rows>
std::vector<int> predicted(const Model& model, const Rows& rows, const Run& run) {
  std::vector<int> out;
  for_each_block(model, rows, run, [&](Index, const manyone::Matrix& scores) {
    const std::vector<int> classes = finite_classes(scores);
    out.insert(out.end(), classes.begin(), classes.end());
  });
  return out;
}

Index count_of(MatrixView rows) {
  check(rows);
  return rows.rows;
}
Index count_of(const Table& table) { return table.rows(); }

/// `map` takes scores to what is wanted of them.
template <class Rows, class Map>
Matrix mapped_scores(const Model& model, const Rows& rows, const Run& run, const Map& map) {
  const auto classes = std::ssize(model.classes);
  Matrix out(count_of(rows), classes);
  for_each_block(model, rows, run, [&](Index first, const manyone::Matrix& scores) {
    Eigen::Map<manyone::Matrix>(out.data() + first * classes, scores.rows(), classes) = map(scores);
  });
  return out;
}

/// Rows and their labels as they come, to an evaluation.
class Judge {
 public:
  explicit Judge(const Model& model)
      : names_(model.classes), collector_(static_cast<int>(model.classes.size())), classes_(model.classes.size()) {}

  void add(const std::string& label, int predicted) {
    const auto known = names_.find(label);
    if (!known) {
      ++unknown_[label];
    } else if (predicted < 0) {
      collector_.add_unanswered(*known);
    } else {
      collector_.add(std::span(&*known, 1), std::span(&predicted, 1));
    }
  }

  Evaluation result(Index dropped) {
    long unknown = 0;
    for (const auto& [name, rows] : unknown_) unknown += rows;
    collector_.add_unknown(unknown, static_cast<int>(unknown_.size()));
    const Metrics metrics = collector_.result();
    Evaluation out{.rows = metrics.rows,
                   .unknown = metrics.unknown,
                   .unanswered = metrics.unanswered,
                   .dropped = dropped,
                   .error = metrics.error,
                   .balanced_error = metrics.balanced_error,
                   .majority_error = metrics.majority_error,
                   .counts = std::vector<std::int64_t>(classes_ * classes_)};
    std::copy(metrics.confusion.data(), metrics.confusion.data() + metrics.confusion.size(), out.counts.begin());
    return out;
  }

 private:
  ClassIndex names_;
  MetricsCollector collector_;
  std::size_t classes_;
  std::map<std::string, long> unknown_;
};

}  // namespace

Classifier::Classifier(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}

Classifier Classifier::load(const std::string& file) {
  return Classifier(std::make_shared<const Inside>(Inside{Model::load(file)}));
}

Classifier Classifier::from_bytes(std::string bytes, const std::string& name) {
  return Classifier(std::make_shared<const Inside>(Inside{Model::from_bytes(std::move(bytes), name)}));
}

Classifier Classifier::from_libsvm(const std::string& file, std::int64_t features) {
  LibsvmModel read = read_libsvm_model(open_bytes(file), MemoryBudget(), features);
  return Classifier(std::make_shared<const Inside>(Inside{std::move(read.classifier)}));
}

std::vector<int> Classifier::predict(MatrixView rows, const Run& run) const {
  return predicted(inside_->model, rows, run);
}

std::vector<int> Classifier::predict(const Table& table, const Run& run) const {
  return predicted(inside_->model, table, run);
}

Matrix Classifier::scores(MatrixView rows, const Run& run) const {
  return mapped_scores(inside_->model, rows, run, [](const manyone::Matrix& scores) { return scores; });
}

Matrix Classifier::scores(const Table& table, const Run& run) const {
  return mapped_scores(inside_->model, table, run, [](const manyone::Matrix& scores) { return scores; });
}

Matrix Classifier::probabilities(MatrixView rows, const Run& run) const {
  const double temperature = inside_->model.temperature;
  return mapped_scores(inside_->model, rows, run, [&](const manyone::Matrix& s) { return softmax(s, temperature); });
}

Matrix Classifier::probabilities(const Table& table, const Run& run) const {
  const double temperature = inside_->model.temperature;
  return mapped_scores(inside_->model, table, run, [&](const manyone::Matrix& s) { return softmax(s, temperature); });
}

Matrix Classifier::read(const std::string& file, const FileForm& form, const Run& run) const {
  BlockOptions options = for_library(form, run);
  options.labels = false;
  options.drop_missing = false;  // rows stay those of the file
  BlockReader reader(file, inside_->model.schema, options);
  std::vector<manyone::Matrix> parts;
  Index rows = 0;
  for (Block block; reader.next(block);) {
    rows += block.features.rows();
    // Twice: in parts, and together.
    options.memory.require(2.0 * sizeof(double) * static_cast<double>(rows) * static_cast<double>(features()),
                           fmt::format("{} as numbers", file), "give it in parts");
    parts.push_back(block.features.dense_rows(0, block.features.rows()));
  }
  tell(run, reader.notes());
  Matrix out(rows, features());
  double* next = out.data();
  for (const manyone::Matrix& part : parts) next = std::copy(part.data(), part.data() + part.size(), next);
  return out;
}

Evaluation Classifier::evaluate(const std::string& file, const FileForm& form, const Run& run) const {
  const Model& model = inside_->model;
  BlockOptions options = for_library(form, run);
  options.require_target = true;
  BlockReader reader(file, model.schema, options);
  const auto backend = backend_of(run);
  Judge judge(model);
  Index dropped = 0;
  for (Block block; reader.next(block);) {
    if (run.stop.stop_requested()) throw Interrupted();
    const std::vector<int> classes = model.predict(*backend, std::move(block.features));
    for (std::size_t i = 0; i < classes.size(); ++i) judge.add(block.labels[i], classes[i]);
    dropped += std::ssize(block.dropped);
  }
  tell(run, reader.notes());
  return judge.result(dropped);
}

Evaluation Classifier::evaluate(const Table& table, const Run& run) const {
  const std::vector<int> classes = predict(table, run);
  Judge judge(inside_->model);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    judge.add(table.classes()[static_cast<std::size_t>(table.labels()[i])], classes[i]);
  }
  return judge.result(0);
}

const std::vector<std::string>& Classifier::classes() const { return inside_->model.classes; }

std::int64_t Classifier::features() const { return inside_->model.expansion.features(); }

std::vector<std::string> Classifier::feature_names() const { return inside_->model.schema.feature_names(); }

std::string Classifier::machine() const { return inside_->model.machine; }

std::string Classifier::kernel() const { return std::string(inside_->model.expansion.kernel.name()); }

std::optional<double> Classifier::sigma() const {
  const Kernel& kernel = inside_->model.expansion.kernel;
  return kernel.entry->sigma ? std::optional(kernel.sigma) : std::nullopt;
}

double Classifier::ridge() const { return inside_->model.ridge; }

std::int64_t Classifier::trained_rows() const { return inside_->model.trained_rows; }

std::optional<Estimate> Classifier::error() const {
  const auto& cv = inside_->model.cv;
  return cv ? std::optional(for_program(*cv)) : std::nullopt;
}

void Classifier::save(const std::string& file) const { inside_->model.save(file); }

std::string Classifier::bytes() const { return inside_->model.bytes(); }

void Classifier::write_onnx(const std::string& file, bool single) const {
  write_file_atomically(file, onnx_bytes(inside_->model, {single, MANYONE_VERSION}));
}

void Classifier::write_cpp(const std::string& file) const {
  write_file_atomically(file, cpp_header(inside_->model, {cpp_namespace(file), MANYONE_VERSION}));
}

void Classifier::write_libsvm(const std::string& file) const {
  write_file_atomically(file, libsvm_model_text(inside_->model));
}

}  // namespace manyone::abi_0
