// SPDX-License-Identifier: Apache-2.0
//
// The margin machines on iris against numbers of an independent numpy implementation (SPEC section 12). Outputs are
// compared: where rows are equal the coefficients are not unique.
#include <gtest/gtest.h>

#include <tuple>

#include <nlohmann/json.hpp>

#include "backend/runtime.hpp"
#include "decoder/decoder.hpp"
#include "machine/registry.hpp"
#include "model/model.hpp"
#include "tests/golden_files.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

Recipe recipe_for(const std::string& machine, const Json& json, double cost) {
  Recipe out;
  out.machine = machine;
  out.sigma = json["sigma"];
  out.ridge = 1 / cost;
  out.scaling = ScalingKind::none;
  out.solver.accuracy = 1e-11;
  return out;
}

Matrix queries() { return matrix(golden("iris_data")["queries"]); }

class IrisVoSvm : public testing::TestWithParam<std::tuple<std::string, std::string>> {};
INSTANTIATE_TEST_SUITE_P(All, IrisVoSvm,
                         testing::Combine(testing::Values("pm1", "indicator", "alignment", "consistency", "mincorr"),
                                          testing::Values("0.25", "2")),
                         [](const auto& instance) {
                           return std::get<0>(instance.param) +
                                  (std::get<1>(instance.param) == "2" ? "_cost2" : "_quarter");
                         });

TEST_P(IrisVoSvm, ScoresAndPredictionsAreTheGoldenOnes) {
  const auto& [book, cost] = GetParam();
  const Json json = golden("iris_vo-SVM_" + book + "_g" + cost);
  const Dataset data = iris();
  const Runtime runtime;
  Recipe recipe = recipe_for("vo-svm", json, json["gamma"]);
  recipe.labelbook = book;
  const Model model = train(runtime.execution(), data, recipe, *recipe.sigma, *recipe.ridge);
  expect_close(model.scores(runtime.backend(), queries()), matrix(json["query_scores"]), kGoldenScore);
  EXPECT_EQ(model.predict(runtime.backend(), queries()), integers(json["query_pred"]));
  EXPECT_EQ(model.predict(runtime.backend(), data.features), integers(json["train_pred"]));
}

TEST(IrisVoSvm, WithABiasScoresAreTheGoldenOnes) {
  for (const std::string book : {"alignment", "consistency", "mincorr"}) {
    for (const std::string cost : {"0.25", "2"}) {
      const Json json = golden("iris_vo-SVM-bias_" + book + "_g" + cost);
      Recipe recipe = recipe_for("vo-svm", json, json["gamma"]);
      recipe.labelbook = book;
      recipe.bias = true;
      const Runtime runtime;
      const Model model = train(runtime.execution(), iris(), recipe, *recipe.sigma, *recipe.ridge);
      expect_close(model.scores(runtime.backend(), queries()), matrix(json["query_scores"]), kGoldenScore, book + cost);
      EXPECT_EQ(model.predict(runtime.backend(), queries()), integers(json["query_pred"])) << book << cost;
    }
  }
}

class IrisCodedSvm : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, IrisCodedSvm, testing::Values("OVA", "AVA", "COMPLETE", "DENSE", "SPARSE", "BCH"),
                         [](const auto& instance) { return instance.param; });

/// A machine on the code of a golden file, and its outputs for the queries.
struct CodedMachine {
  std::unique_ptr<Machine> machine;
  Matrix outputs;

  CodedMachine(const std::string& name, const Json& json, const Dataset& data) {
    const Runtime runtime;
    LabelSpace labels;
    labels.book = {"code", matrix(json["M"])};
    labels.gamma = labels.book.gram();
    SolverChoice exact;
    exact.accuracy = 1e-11;
    machine = make_machine(name, labels, false, exact);
    const Kernel kernel{&kGaussian, json["sigma"], 3, 1};
    const Coefficients found =
        machine->fit(runtime.execution(), FeatureGram(runtime.execution(), kernel, data.features),
                     LabelledRows{data.labels, 3, {}}, 1 / json["C"].get<double>());
    outputs.resize(10, labels.book.length());
    runtime.backend().expand(kernel, queries(), data.features, found.A, found.b, outputs);
  }
};

TEST_P(IrisCodedSvm, OutputsOfTheColumnsAreTheGoldenOnes) {
  const Json json = golden("iris_ECOC_" + GetParam());
  const CodedMachine coded("svm-ecoc", json, iris());
  expect_close(coded.outputs, matrix(json["svm_query_outputs"]), kGoldenScore);
  const auto losses = [&](const DecoderEntry* entry) {
    return Matrix(
        -make_decoder(machine_from_name("svm-ecoc"), coded.machine->output_code(), entry).scores(coded.outputs));
  };
  expect_close(losses(&decoder_from_name("hamming")), matrix(json["svm_hamming"]), kGoldenScore);
  expect_close(losses(&decoder_from_name("loss:hinge")), matrix(json["svm_hinge"]), kGoldenScore);
}

TEST(IrisSbc, ScoresAreTheGoldenOnes) {
  for (const auto& [file, name] : {std::pair{"SBC-SINGLE", "sbc-single"}, std::pair{"SBC-IDENTITY", "sbc-identity"},
                                   std::pair{"SBC-KERNEL", "sbc-kernel"}}) {
    const Json json = golden(std::string("iris_") + file);
    const Runtime runtime;
    const Recipe recipe = recipe_for(name, json, json["C"]);
    const Model model = train(runtime.execution(), iris(json["subset"]), recipe, *recipe.sigma, *recipe.ridge);
    expect_close(model.scores(runtime.backend(), queries()), matrix(json["query_scores"]), kGoldenScore, name);
    EXPECT_EQ(model.predict(runtime.backend(), queries()), integers(json["query_pred"])) << name;
    EXPECT_NEAR(model.expansion.bias[0], json["bias"].get<double>(), 1e-8) << name;
  }
}

TEST(IrisSbc, SignalsOfTheCodeAreTheGoldenOnes) {
  const Json json = golden("iris_SBC-ECOC");
  const CodedMachine coded("sbc-ecoc", json, iris(json["subset"]));
  expect_close(coded.outputs, matrix(json["query_signals"]), kGoldenScore);
  const Decoder decoder = make_decoder(machine_from_name("sbc-ecoc"), coded.machine->output_code(), {});
  EXPECT_EQ(argmax_classes(decoder.scores(coded.outputs)), integers(json["query_pred"]));
}

}  // namespace
}  // namespace manyone::test
