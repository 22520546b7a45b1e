// SPDX-License-Identifier: Apache-2.0
//
// The single machines on iris against numbers of an independent numpy implementation (SPEC sections 7 and 12): primal
// objective, scores and predictions; coefficients as far as they are unique (rows 101 and 142 are equal).
#include <gtest/gtest.h>

#include <algorithm>

#include "backend/runtime.hpp"
#include "decoder/decoder.hpp"
#include "machine/single_svm.hpp"
#include "tests/golden_files.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

struct GoldenCase {
  std::string file;
  SingleKind kind;
  bool bias;
};

class IrisSingle : public testing::TestWithParam<GoldenCase> {};
INSTANTIATE_TEST_SUITE_P(All, IrisSingle,
                         testing::Values(GoldenCase{"iris_WW_C0.5", SingleKind::ww, false},
                                         GoldenCase{"iris_WW_C5", SingleKind::ww, false},
                                         GoldenCase{"iris_WW_C0.5_bias", SingleKind::ww, true},
                                         GoldenCase{"iris_WW_C5_bias", SingleKind::ww, true},
                                         GoldenCase{"iris_CS_C0.5", SingleKind::cs, false},
                                         GoldenCase{"iris_CS_C5", SingleKind::cs, false},
                                         GoldenCase{"iris_LLW_lam0.01", SingleKind::llw, false},
                                         GoldenCase{"iris_LLW_lam0.001", SingleKind::llw, false}),
                         [](const auto& instance) {
                           std::string name = instance.param.file.substr(5);
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

/// The criteria as SPEC section 7 prints them.
double primal(SingleKind kind, double parameter, const Matrix& A, const Matrix& f, const Vector& b,
              const std::vector<int>& labels) {
  double penalty = 0;
  double loss = 0;
  const Index L = f.cols();
  for (Index i = 0; i < f.rows(); ++i) {
    const Index y = labels[static_cast<std::size_t>(i)];
    penalty += A.row(i).dot(f.row(i) - b.transpose());
    double worst = 0;
    for (Index j = 0; j < L; ++j) {
      if (j == y) continue;
      if (kind == SingleKind::ww) loss += std::max(0.0, 2 - (f(i, y) - f(i, j)));
      if (kind == SingleKind::llw) loss += std::max(0.0, f(i, j) + 1 / static_cast<double>(L - 1));
      worst = std::max(worst, 1 - (f(i, y) - f(i, j)));
    }
    if (kind == SingleKind::cs) loss += worst;
  }
  if (kind == SingleKind::llw) return loss / static_cast<double>(f.rows()) + parameter * penalty;
  return penalty + parameter * loss;
}

TEST_P(IrisSingle, ObjectiveScoresAndPredictionsAreTheGoldenOnes) {
  const auto& [file, kind, bias] = GetParam();
  const Json json = golden(file);
  const Json data = golden("iris_data");
  const Runtime runtime;
  const Features x = matrix(data["X"]);
  const Kernel kernel{&kGaussian, json["sigma"], 3, 1};
  const LabelledRows rows{data["y"].get<std::vector<int>>(), 3, {}};
  const double parameter = kind == SingleKind::llw ? json["lam"] : json["C"];
  const LabelSpace space{make_labelbook("indicator", 3), Matrix::Identity(3, 3), false};
  const SingleSvm machine(space, kind, bias, 1e-12);
  const Coefficients found = machine.fit(runtime.execution(), FeatureGram(runtime.execution(), kernel, x), rows,
                                         kind == SingleKind::llw ? 150 * parameter : 1 / parameter);

  const Expansion expansion{kernel, x, found.A, found.b};
  const Matrix queries = expansion.evaluate(runtime.backend(), matrix(data["queries"]));
  expect_close(queries, matrix(json["query_scores"]), kGoldenScore);
  const Matrix f = expansion.evaluate(runtime.backend(), x);
  EXPECT_NEAR(primal(kind, parameter, found.A, f, found.b, rows.labels) / json["primal"].get<double>(), 1,
              kGoldenScore);
  EXPECT_EQ(argmax_classes(queries), json["query_pred"].get<std::vector<int>>());
  EXPECT_EQ(argmax_classes(f), json["train_pred"].get<std::vector<int>>());
  if (bias) expect_close(found.b.transpose(), matrix(Json::array({json["b"]})), kGoldenScore);
  EXPECT_NEAR(found.b.sum(), 0, kRounding);
  const auto unique = [](Matrix A) {
    A.row(101) += A.row(142);
    A.row(142).setZero();
    return A;
  };
  expect_close(unique(found.A), unique(matrix(json["A"])), kGoldenCoefficient);
}

}  // namespace
}  // namespace manyone::test
