// SPDX-License-Identifier: Apache-2.0
//
// Dataset: a labelled table, ready for learning. read_dataset() makes one from a file; programs may fill one by hand.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/features.hpp"
#include "data/schema.hpp"
#include "manyone/words.hpp"

namespace manyone {

struct Dataset {
  Features features;                 ///< n x d, unscaled
  std::vector<int> labels;           ///< class index of each row, in 0..L-1
  std::vector<std::string> classes;  ///< the user's names; numeric order if all are numbers, else byte order
  Schema schema;
  std::vector<std::string> folds;  ///< text of the fold column for each row, empty if none was asked for
  std::string source;              ///< file name, for messages
  std::vector<Words> notes;        ///< what the reader decided that may not be what was meant
  Index dropped = 0;               ///< rows left out by MissingPolicy::drop
  std::vector<Index> kept;         ///< with dropped > 0: the 0-based file row of each row that was kept

  Index rows() const { return features.rows(); }
  int class_count() const { return static_cast<int>(classes.size()); }
};

/// Distinct names in class order: by value when all are numbers (equal values by bytes), else by bytes.
std::vector<std::string> class_order(std::vector<std::string> names);

/// Where a class stands in a list. "1.0" is the class "1" where only that is known.
class ClassIndex {
 public:
  /// The names outlive it.
  explicit ClassIndex(const std::vector<std::string>& classes);
  std::optional<int> find(const std::string& name) const;

 private:
  std::unordered_map<std::string_view, int> exact_;
  std::unordered_map<std::string, int> canonical_;  ///< -1: two classes are the same number
};

/// Throws InputError unless there are two at least; `source` is for the message.
void require_two_classes(const std::vector<std::string>& classes, const std::string& source);

/// A dataset from numbers in memory: labels become classes by class_order(). Throws InputError when sizes differ,
/// a value is not finite or fewer than two classes occur.
Dataset make_dataset(Matrix features, const std::vector<std::string>& labels);

/// A dataset from features that are known to be finite; `source` is for messages. Throws as make_dataset().
Dataset label_rows(Features features, const std::vector<std::string>& labels, const std::string& source);

}  // namespace manyone
