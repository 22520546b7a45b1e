// SPDX-License-Identifier: Apache-2.0
#include "decoder/class_pairs.hpp"

namespace manyone {

std::vector<ClassPair> class_pairs(const Matrix& code) {
  const Index L = code.rows();
  std::vector<ClassPair> out;
  if (code.cols() != L * (L - 1) / 2) return {};
  Matrix seen = Matrix::Zero(L, L);
  for (Index k = 0; k < code.cols(); ++k) {
    ClassPair pair;
    if (code.col(k).maxCoeff(&pair.first) != 1 || code.col(k).minCoeff(&pair.second) != -1 ||
        code.col(k).cwiseAbs().sum() != 2)
      return {};
    seen(pair.first, pair.second) += 1;
    seen(pair.second, pair.first) += 1;
    out.push_back(pair);
  }
  for (Index a = 0; a < L; ++a) {
    for (Index b = 0; b < a; ++b) {
      if (seen(a, b) != 1) return {};
    }
  }
  return out;
}

}  // namespace manyone
