// SPDX-License-Identifier: Apache-2.0
//
// The oracle: every verb as the plain loop of its definition, one thread, no library. Slow on purpose.
#pragma once

#include "backend/backend.hpp"

namespace manyone {

class ReferenceBackend final : public Backend {
 public:
  std::string_view name() const override { return "reference"; }
  int threads() const override { return 1; }
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) const override;
  void pair_statistics(PairStatistic statistic, const Features& x, const Features& z, View out) const override;
  void pair_statistics(PairStatistic statistic, const Features& x, View out, const Interrupt& interrupt) const override;
  void apply_kernel(const Kernel& kernel, ConstView statistics, View out) const override;
  void gram_lower(const Kernel& kernel, const Features& x, View out, const Interrupt& interrupt) const override;
  void expand(const Kernel& kernel, const Features& x, const Features& z, ConstView A, const Vector& b,
              View out) const override;
  void multiply(double alpha, ConstView A, Transpose transpose_a, ConstView B, Transpose transpose_b, double beta,
                View C) const override;
  void multiply(float alpha, ConstFloatView A, Transpose transpose_a, ConstFloatView B, Transpose transpose_b,
                float beta, FloatView C) const override;
  void add_squares(ConstView X, View C) const override;
  bool cholesky(View A, const Interrupt& interrupt) const override;
  void triangular_solve(ConstView L, Transpose transpose, View B) const override;
  void solve_rows(ConstView L, View B) const override;
  bool solve(FloatView A, FloatView B, const Interrupt& interrupt) const override;
  bool invert(View A, const Interrupt& interrupt) const override;
  bool invert(FloatView A, const Interrupt& interrupt) const override;
  void eigen(View A, Vector& values, const Interrupt& interrupt) const override;
};

}  // namespace manyone
