// SPDX-License-Identifier: Apache-2.0
//
// Models of LIBSVM as classifiers and back. A C-SVC is an expansion with one output for each pair of classes: the
// coefficients of a support vector stand in the columns of its class's pairs, the bias is -rho, and votes decide with
// ties to the class that comes first in the file (decoder votes:first). Features are neither scaled nor named.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "data/bytes/byte_source.hpp"
#include "model/model.hpp"

namespace manyone {

struct LibsvmModel {
  Model classifier;  ///< predicts what svm-predict does; its cost is the largest coefficient, as the file has none
  bool probabilities = false;  ///< the file had sigmoids for probabilities, which are left out
};

/// `features`: how many a row has; 0: the largest index of a support vector. Throws InputError with the line for
/// everything that is not a C-SVC with a linear, polynomial or RBF kernel; MemoryError.
LibsvmModel read_libsvm_model(std::unique_ptr<ByteSource> source, const MemoryBudget& memory, Index features = 0);

/// A model for svm-predict over scaled features (`manyone convert --scale-by`), classes in our order and called as
/// libsvm_labels() says. Throws ConfigError unless the model decodes pairs of classes by votes and has a kernel that
/// LIBSVM knows.
std::string libsvm_model_text(const Model& model);

}  // namespace manyone
