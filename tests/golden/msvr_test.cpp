// SPDX-License-Identifier: Apache-2.0
//
// Coding and regression on iris against the numbers of an independent implementation: codes x full, reduced and PCA
// columns x both decoders.
#include <gtest/gtest.h>

#include "backend/runtime.hpp"
#include "decoder/discriminant.hpp"
#include "model/reduced.hpp"
#include "tests/golden_files.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

struct Case {
  std::string mode;
  std::string code;
  std::string book;
};

class MsvrGolden : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const Json data = golden("iris_data");
    rows_ = matrix(data.at("X"));
    queries_ = matrix(data.at("queries"));
    labels_ = data.at("y").get<std::vector<int>>();
    golden_ = golden("iris_mSVR_" + GetParam().mode + "_" + GetParam().code);
    Recipe recipe;
    recipe.machine = "msvr";
    recipe.labelbook = GetParam().book;
    recipe_ = recipe;
  }

  /// Columns, sums and the fit as train_reduced() makes them, but with the centres of the golden file.
  void fit() {
    const Execution execution = runtime_.execution();
    const Kernel kernel{&kGaussian, golden_.at("sigma").get<double>(), 3, 1};
    Features centres = rows_;
    RegressionChoice choice;
    if (GetParam().mode == "reduced") {
      const auto chosen = golden_.at("reduced_set").get<std::vector<Index>>();
      centres = Features(rows_).select(chosen);
    }
    if (GetParam().mode == "pca10") choice.components = 10;
    columns_ = std::make_unique<KernelColumns>(kernel, centres);
    const Vector shift = column_shift(execution, *columns_);
    FoldSums sums(execution, *columns_, shift, 3, 1);
    sums.add(Features(rows_), labels_, std::vector<int>(labels_.size(), 0), {});
    const GroupedSums all = sums.finish().front();
    const Msvr machine(execution, choice, *columns_, all, shift);
    seen_ = machine.seen(all);
    ASSERT_TRUE(machine.fit(seen_, 1 / golden_.at("C").get<double>(), fit_));
  }

  Matrix outputs(const Matrix& rows) const {
    return columns_->expansion(fit_.A, fit_.b).evaluate(runtime_.backend(), Features(rows));
  }

  Decoder decoder(const DecoderEntry* entry, const Matrix& code) {
    recipe_.decode = entry;
    const ReducedDecoding decoding(recipe_, std::vector<Index>{50, 50, 50});
    return decoding.decoder(runtime_.backend(), fit_, code, seen_, outputs(rows_), labels_, {});
  }

  Runtime runtime_{2};
  Json golden_;
  Matrix rows_;
  Matrix queries_;
  std::vector<int> labels_;
  Recipe recipe_;
  std::unique_ptr<KernelColumns> columns_;
  GroupedSums seen_;
  ReducedFit fit_;
};

TEST_P(MsvrGolden, CodeOutputsAndDecoders) {
  fit();
  const Matrix code = ReducedDecoding(recipe_, std::vector<Index>{50, 50, 50}).code(fit_);
  const Matrix theta = matrix(golden_.at("Theta"));
  EXPECT_LT((code - theta).cwiseAbs().maxCoeff(), 1e-9);
  const Matrix eta = outputs(queries_) * code;
  EXPECT_LT((eta - matrix(golden_.at("eta_query"))).cwiseAbs().maxCoeff(), 1e-9);

  const Decoder flda = decoder(&decoder_from_name("flda"), code);
  const Matrix scores = flda.scores(eta);
  const Matrix distances = matrix(golden_.at("flda_dist2_query"));
  for (Index i = 0; i < scores.rows(); ++i) {
    for (Index c = 0; c < 3; ++c) {
      const double distance = -2 * (scores(i, c) - flda.log_priors[c]);
      EXPECT_NEAR(distance, distances(i, c), 1e-7 * (1 + distances(i, c))) << i << ", " << c;
    }
  }
  EXPECT_EQ(argmax_classes(scores), golden_.at("flda_query_pred").get<std::vector<int>>());
  const Matrix posterior = softmax(scores, 1);
  EXPECT_LT((posterior - matrix(golden_.at("flda_posterior_query"))).cwiseAbs().maxCoeff(), 1e-7);

  const Decoder ssvm = decoder(&decoder_from_name("ssvm"), code);
  EXPECT_EQ(argmax_classes(ssvm.scores(eta)), golden_.at("ssvm_query_pred").get<std::vector<int>>());
  const auto wrong = [&](const Decoder& one) {
    const auto found = argmax_classes(one.scores(outputs(rows_) * code));
    double count = 0;
    for (std::size_t i = 0; i < found.size(); ++i) count += found[i] != labels_[i];
    return count / 150;
  };
  EXPECT_NEAR(wrong(flda), golden_.at("flda_train_error").get<double>(), 1e-12);
  EXPECT_NEAR(wrong(ssvm), golden_.at("ssvm_train_error").get<double>(), 1e-12);
}

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const std::string mode : {"full", "reduced", "pca10"}) {
    for (const auto& [code, book] : std::vector<std::pair<std::string, std::string>>{{"IS", "indicator"},
                                                                                     {"1B", "one-vs-baseline"},
                                                                                     {"3W", "three-way"},
                                                                                     {"EX", "exhaustive"},
                                                                                     {"BS", "balanced"},
                                                                                     {"OS", "optimal"}}) {
      out.push_back({mode, code, book});
    }
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Iris, MsvrGolden, testing::ValuesIn(cases()),
                         [](const auto& tested) { return tested.param.mode + "_" + tested.param.code; });

}  // namespace
}  // namespace manyone::test
