// SPDX-License-Identifier: Apache-2.0
//
// LIBSVM's own svm-train and svm-predict, where they are on the PATH, timed on given rows. They are started directly,
// without a shell, on files in a temporary folder that is removed afterwards.
#pragma once

#include <optional>
#include <string>

#include "data/dataset.hpp"

namespace manyone {

struct LibsvmTimes {
  double train = 0;  ///< CPU seconds, with reading the rows and writing the model
  double test = 0;   ///< CPU seconds, with reading the rows and the model
  double error = 0;  ///< on the test rows
};

class LibsvmTools {
 public:
  LibsvmTools();
  bool present() const { return !train_.empty() && !predict_.empty(); }
  /// One training and one testing by a gaussian kernel; rows are used as they are, which is to say scaled. Nothing when
  /// a tool fails. Throws InputError when a file cannot be written. Precondition: present().
  std::optional<LibsvmTimes> run(const Dataset& train, const Dataset& test, double gamma, double cost) const;

 private:
  std::string train_;  // paths; empty: not there
  std::string predict_;
};

}  // namespace manyone
