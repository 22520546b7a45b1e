// SPDX-License-Identifier: Apache-2.0
#include "machine/binary_problems.hpp"

#include <map>

namespace manyone {

std::vector<ProblemGroup> problem_groups(const Matrix& code, const LabelledRows& rows) {
  std::map<std::vector<bool>, std::vector<Index>> columns_of;
  for (Index k = 0; k < code.cols(); ++k) {
    std::vector<bool> zeros;
    for (Index c = 0; c < code.rows(); ++c) zeros.push_back(code(c, k) == 0);
    columns_of[zeros].push_back(k);
  }
  std::vector<ProblemGroup> out;
  for (const auto& [zeros, columns] : columns_of) {
    ProblemGroup group{columns, {}, {}};
    for (Index i = 0; i < rows.rows(); ++i) {
      if (!zeros[static_cast<std::size_t>(rows.labels[static_cast<std::size_t>(i)])]) group.rows.push_back(i);
    }
    group.T.resize(static_cast<Index>(group.rows.size()), static_cast<Index>(columns.size()));
    for (Index r = 0; r < group.T.rows(); ++r) {
      const Index i = group.rows[static_cast<std::size_t>(r)];
      group.T.row(r) = code.row(rows.labels[static_cast<std::size_t>(i)])(columns);
    }
    out.push_back(std::move(group));
  }
  return out;
}

Fingerprint code_problem(std::string_view kind, const Matrix& code, bool bias) {
  Fingerprint out;
  out.add(kind).add(code.rows()).add(static_cast<int>(bias));
  return out.add(std::span<const double>(code.data(), static_cast<std::size_t>(code.size())));
}

}  // namespace manyone
