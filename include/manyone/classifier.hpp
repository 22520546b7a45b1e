// SPDX-License-Identifier: Apache-2.0
//
// Classifier: a trained model. It predicts, says what it is and what error to expect, and goes to files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <manyone/matrix.hpp>
#include <manyone/run.hpp>
#include <manyone/table.hpp>

namespace manyone::abi_0 {

struct Interval {
  double low = 0;
  double high = 0;
};

/// An error rate, what it is about, and what it was found from.
struct Estimate {
  double error = 0;
  /// "cross-validation": of the classifier, every row was left out in turn. "held-out": of the classifier, some rows
  /// were judged by machines trained on the others. "subset": of a machine trained on fewer rows.
  std::string kind = {};
  int folds = 0;  ///< 0: leave one out
  int repeats = 1;
  std::optional<double> std = {};             ///< over repeats; not set for a single one
  std::optional<Interval> interval = {};      ///< 95 %, of a held-out estimate, whose rows chose nothing
  std::int64_t rows = 0;                      ///< that were judged
  std::int64_t trained_rows = 0;              ///< behind each judgement; 0: not known
  std::optional<double> majority_error = {};  ///< of always guessing the most frequent class
};

/// How predictions of labelled rows compare with their labels.
struct Evaluation {
  std::int64_t rows = 0;
  std::int64_t unknown = 0;     ///< rows among them of classes that the classifier does not know: wrong
  std::int64_t unanswered = 0;  ///< rows among them without a finite score: wrong
  std::int64_t dropped = 0;     ///< rows besides them, left out for missing values
  double error = 0;
  double balanced_error = 0;              ///< mean over the classes that occur
  double majority_error = 0;              ///< of always guessing the most frequent class
  std::vector<std::int64_t> counts = {};  ///< rows of true class r that were given class c, at r x classes + c
};

/// A handle: copies are cheap, and threads may share one, since nothing changes it.
class Classifier {
 public:
  /// Throws InputError for a file that is damaged, no model, or of a newer version.
  static Classifier load(const std::string& file);
  /// From what bytes() gave; `name` stands for the file in errors.
  static Classifier from_bytes(std::string bytes, const std::string& name = "the bytes");
  /// A model that LIBSVM trained. `features`: of a row; 0: the largest index of a support vector.
  static Classifier from_libsvm(const std::string& file, std::int64_t features = 0);

  /// The class of every row, an index into classes(); -1 where no score is finite. Rows are not scaled before: the
  /// classifier does that. Throws InputError for other features. Of `run` the threads, the device and the stop count.
  std::vector<int> predict(MatrixView rows, const Run& run = {}) const;
  std::vector<int> predict(const Table& table, const Run& run = {}) const;
  /// A row for each row, a column for each class: larger is more likely.
  Matrix scores(MatrixView rows, const Run& run = {}) const;
  Matrix scores(const Table& table, const Run& run = {}) const;
  /// The same, calibrated: every row sums to 1.
  Matrix probabilities(MatrixView rows, const Run& run = {}) const;
  Matrix probabilities(const Table& table, const Run& run = {}) const;

  /// Rows of a file, with or without labels, as this classifier's features; words become the numbers that they were in
  /// training.
  Matrix read(const std::string& file, const FileForm& form = {}, const Run& run = {}) const;
  /// On a labelled file, block by block: memory does not grow with it.
  Evaluation evaluate(const std::string& file, const FileForm& form = {}, const Run& run = {}) const;
  Evaluation evaluate(const Table& table, const Run& run = {}) const;

  const std::vector<std::string>& classes() const;
  std::int64_t features() const;
  std::vector<std::string> feature_names() const;
  std::string machine() const;
  std::string kernel() const;
  /// Not set for a kernel that has none.
  std::optional<double> sigma() const;
  double ridge() const;
  std::int64_t trained_rows() const;
  /// Not set where nothing was searched.
  std::optional<Estimate> error() const;

  /// Files are written as a whole or not at all. Throw InputError where they cannot be.
  void save(const std::string& file) const;
  std::string bytes() const;
  /// `single`: in single precision.
  void write_onnx(const std::string& file, bool single = false) const;
  /// C++ without dependencies, in a namespace called as the file. Throws ConfigError for a large model.
  void write_cpp(const std::string& file) const;
  /// Throws ConfigError unless the machine is one-vs-one, decoded by votes, with a kernel that LIBSVM knows.
  void write_libsvm(const std::string& file) const;

  struct Inside;  ///< the library's own
  explicit Classifier(std::shared_ptr<const Inside> inside);
  const Inside& inside() const { return *inside_; }

 private:
  std::shared_ptr<const Inside> inside_;
};

}  // namespace manyone::abi_0
