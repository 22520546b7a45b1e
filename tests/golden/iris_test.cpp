// SPDX-License-Identifier: Apache-2.0
//
// The least-squares machines on iris against numbers of an independent numpy implementation (SPEC section 12):
// coefficients, outputs, scores, predictions, and held-out scores of 10-fold and leave-one-out. Features in the golden
// files are already scaled.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <tuple>

#include <nlohmann/json.hpp>

#include "backend/runtime.hpp"
#include "data/scaling.hpp"
#include "decoder/decoder.hpp"
#include "model/model.hpp"
#include "selection/kernel_rows.hpp"
#include "tests/golden_files.hpp"
#include "tests/machines.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

Matrix row(const Json& values) { return matrix(Json::array({values})); }

/// The machine of a golden file, by our name and with our parameter.
Recipe recipe(const Json& json) {
  static const std::map<std::string, std::string> names = {
      {"oneLSM", "onelsm"},           {"vo-LSSVM", "vo-lssvm"}, {"vo-LSSVM-bias", "vo-lssvm"},
      {"vo-RLS-beta", "vo-rls-beta"}, {"vo-RLS-f", "vo-rls-f"}, {"LS-OvA", "ls-ova"},
      {"LS-OvO", "ls-ovo"},           {"SBC-LS", "sbc-ls"},     {"ECOC", "ls-ecoc"}};
  const std::string machine = json["machine"];
  Recipe out;
  out.machine = names.at(machine);
  out.bias = machine == "vo-LSSVM-bias";
  out.labelbook = json.value("labelbook", "");
  out.sigma = json["sigma"];
  const double gamma = json.contains("ridge") ? json["ridge"] : json["gamma"];
  out.ridge = out.machine == "vo-lssvm" ? 1 / gamma : gamma;  // gamma is a cost there
  out.scaling = ScalingKind::none;
  return out;
}

/// Scores of the golden file's queries, predictions of queries and training rows, training error.
void expect_predictions(const Model& model, const Runtime& runtime, const Dataset& data, const Json& json,
                        double tolerance) {
  const Matrix queries = matrix(golden("iris_data")["queries"]);
  expect_close(model.scores(runtime.backend(), queries), matrix(json["query_scores"]), tolerance);
  EXPECT_EQ(model.predict(runtime.backend(), queries), integers(json["query_pred"]));
  const auto predicted = model.predict(runtime.backend(), data.features);
  EXPECT_EQ(predicted, integers(json["train_pred"]));
  double wrong = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) wrong += predicted[i] != data.labels[i];
  EXPECT_DOUBLE_EQ(wrong / static_cast<double>(data.rows()), json["train_error"].get<double>());
}

TEST(IrisGolden, RangeScalingIsTheGoldenScaling) {
  const Json json = golden("iris_data");
  Features x = matrix(json["X_raw"]);
  Scaling::fit(ScalingKind::range, x).apply(x);
  expect_close(x.dense(), matrix(json["X"]), kRounding);
}

TEST(IrisGolden, BooksAreTheGoldenBooks) {
  const Json json = golden("labelbooks");
  for (const std::string name : {"pm1", "indicator", "alignment", "consistency", "mincorr"}) {
    for (const int L : {3, 4, 6}) {
      expect_close(make_labelbook(name, L).codewords, matrix(json[name + "_L" + std::to_string(L)]), kRounding, name);
    }
  }
}

class IrisKernels : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, IrisKernels, testing::ValuesIn(backend_names()),
                         [](const auto& instance) { return instance.param; });

TEST_P(IrisKernels, GramMatricesAreTheGoldenOnes) {
  const Json json = golden("iris_data");
  const auto backend = make_backend(GetParam());
  const Features x = matrix(json["X"]);
  const auto gram = [&](const Kernel& kernel) {
    Matrix K(x.rows(), x.rows());
    backend->pair_statistics(kernel.statistic(), x, K, Interrupt());
    backend->apply_kernel(kernel, K, K);
    return K;
  };
  const Matrix K = gram({&kGaussian, json["sigma"], 3, 1});
  expect_close(K.topRows(1), row(json["K_first_row"]), kProduct);
  EXPECT_NEAR(K.sum() / json["K_sum"].get<double>(), 1, kProduct);
  EXPECT_NEAR((K * K).trace() / json["K_trace_K2"].get<double>(), 1, kProduct);
  expect_close(gram({&kPolynomial, 1, 2, 1}).topRows(1), row(json["poly_c1_p2_first_row"]), kProduct);
  expect_close(gram({&kLinear, 1, 3, 1}).topRows(1), row(json["linear_first_row"]), kProduct);
}

/// Backend, book, ridge as in the file name.
class IrisOneLsm : public testing::TestWithParam<std::tuple<std::string, std::string, std::string>> {};
INSTANTIATE_TEST_SUITE_P(All, IrisOneLsm,
                         testing::Combine(testing::ValuesIn(backend_names()),
                                          testing::Values("pm1", "indicator", "alignment", "consistency", "mincorr"),
                                          testing::Values("0.25", "2")),
                         [](const auto& instance) {
                           return std::get<0>(instance.param) + "_" + std::get<1>(instance.param) + "_ridge" +
                                  (std::get<2>(instance.param) == "2" ? "2" : "quarter");
                         });

TEST_P(IrisOneLsm, CoefficientsScoresAndPredictionsAreTheGoldenOnes) {
  const auto& [backend, book, ridge] = GetParam();
  const Json json = golden("iris_oneLSM_" + book + "_g" + ridge);
  const Matrix queries = matrix(golden("iris_data")["queries"]);
  const Dataset data = iris();
  const Runtime runtime(0, backend);
  const Recipe fixed = recipe(json);
  const Model model = train(runtime.execution(), data, fixed, *fixed.sigma, *fixed.ridge);

  expect_close(model.expansion.coefficients, matrix(json["coef"]), kGoldenCoefficient);
  expect_close(model.expansion.evaluate(runtime.backend(), queries), matrix(json["query_f"]), kGoldenScore);
  expect_predictions(model, runtime, data, json, kGoldenScore);
}

/// Machine, book, parameter as in the file name.
class IrisVectorOutput : public testing::TestWithParam<std::tuple<std::string, std::string, std::string>> {};
INSTANTIATE_TEST_SUITE_P(All, IrisVectorOutput,
                         testing::Combine(testing::Values("vo-LSSVM", "vo-LSSVM-bias", "vo-RLS-beta", "vo-RLS-f"),
                                          testing::Values("pm1", "indicator", "alignment", "consistency", "mincorr"),
                                          testing::Values("0.25", "2")),
                         [](const auto& instance) {
                           std::string name = std::get<0>(instance.param) + "_" + std::get<1>(instance.param) +
                                              (std::get<2>(instance.param) == "2" ? "_2" : "_quarter");
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(IrisVectorOutput, CoefficientsScoresAndPredictionsAreTheGoldenOnes) {
  const auto& [machine, book, parameter] = GetParam();
  const Json json = golden("iris_" + machine + "_" + book + "_g" + parameter);
  const Dataset data = iris();
  const Runtime runtime;
  const Recipe fixed = recipe(json);
  if (json.value("degenerate", false)) {  // a bias with a book that is not centred: refused (SPEC E000-7)
    EXPECT_THROW(train(runtime.execution(), data, fixed, *fixed.sigma, *fixed.ridge), ConfigError);
    return;
  }
  const Model model = train(runtime.execution(), data, fixed, *fixed.sigma, *fixed.ridge);
  expect_predictions(model, runtime, data, json, machine == "vo-RLS-f" ? kGoldenIllConditioned : kGoldenScore);
  if (json["coef_unique"]) {
    const Matrix beta = model.expansion.coefficients.rowwise().sum();
    expect_close(beta.transpose(), row(json["coef"]), kGoldenCoefficient);
  }
}

class IrisLabelKernel : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, IrisLabelKernel, testing::Values("oneLSM", "vo-LSSVM", "vo-RLS-beta", "vo-RLS-f"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(IrisLabelKernel, ScoresAndPredictionsAreTheGoldenOnes) {
  const Json json = golden("iris_" + GetParam() + "_labelkernel");
  Recipe fixed = recipe(json);
  fixed.label_kernel = "gaussian:1";
  const Runtime runtime;
  const Dataset data = iris();
  const Model model = train(runtime.execution(), data, fixed, *fixed.sigma, *fixed.ridge);
  expect_predictions(model, runtime, data, json, GetParam() == "vo-RLS-f" ? kGoldenIllConditioned : kGoldenScore);
}

TEST(IrisPairs, ValuesVotesAndDagAreTheGoldenOnes) {
  const Json json = golden("iris_LS-OvO");
  const Runtime runtime;
  const Dataset data = iris();
  Recipe fixed = recipe(json);
  const Matrix queries = matrix(golden("iris_data")["queries"]);
  const Model model = train(runtime.execution(), data, fixed, *fixed.sigma, *fixed.ridge);
  expect_close(model.expansion.evaluate(runtime.backend(), queries), matrix(json["query_pair_values"]), kGoldenScore);
  expect_predictions(model, runtime, data, json, kGoldenScore);
  fixed.decode = &decoder_from_name("dag");
  const Model dag = train(runtime.execution(), data, fixed, *fixed.sigma, *fixed.ridge);
  EXPECT_EQ(dag.predict(runtime.backend(), queries), integers(json["dag_query_pred"]));
  EXPECT_EQ(dag.predict(runtime.backend(), data.features), integers(json["dag_train_pred"]));
}

TEST(IrisSingleBinary, ScoresAreTheGoldenOnes) {
  const Json json = golden("iris_SBC-LS");
  const Dataset all = iris();
  std::vector<std::string> labels;
  std::vector<Index> rows;
  for (const int i : integers(json["subset"])) {
    rows.push_back(i);
    labels.push_back(all.classes[static_cast<std::size_t>(all.labels[static_cast<std::size_t>(i)])]);
  }
  const Dataset data = make_dataset(all.features.select(rows).dense(), labels);
  const Recipe fixed = recipe(json);
  const Runtime runtime;
  const Model model = train(runtime.execution(), data, fixed, *fixed.sigma, *fixed.ridge);
  expect_close(model.scores(runtime.backend(), matrix(golden("iris_data")["queries"])), matrix(json["query_scores"]),
               kGoldenScore);
}

class IrisCodes : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, IrisCodes, testing::Values("OVA", "AVA", "COMPLETE", "DENSE", "SPARSE", "BCH"),
                         [](const auto& instance) { return instance.param; });

TEST_P(IrisCodes, DistancesAndPredictionsAreTheGoldenOnes) {
  const Json json = golden("iris_ECOC_" + GetParam());
  const Runtime runtime;
  const Dataset data = iris();
  const Recipe fixed = recipe(json);
  const Matrix queries = matrix(golden("iris_data")["queries"]);
  const LabelSpace space{{"code", matrix(json["M"])}, Matrix::Identity(3, 3), false};
  const auto machine = make_machine("ls-ecoc", space, false);
  const LabelledRows rows{data.labels, 3, {}};
  const Kernel kernel{&kGaussian, *fixed.sigma, 3, 1};
  Coefficients solution =
      machine->fit(runtime.execution(), FeatureGram(runtime.execution(), kernel, data.features), rows, *fixed.ridge);
  const Expansion expansion{kernel, data.features, std::move(solution.A), std::move(solution.b)};
  const Matrix outputs = expansion.evaluate(runtime.backend(), queries);
  const auto decoded = [&](const DecoderEntry* entry, const Matrix& f) {
    return make_decoder(machine_from_name("ls-ecoc"), machine->output_code(), entry).scores(f);
  };
  expect_close(decoded(&decoder_from_name("hamming"), outputs), -matrix(json["rls_hamming"]), kGoldenScore);
  expect_close(decoded(&decoder_from_name("loss:square"), outputs), -matrix(json["rls_square"]), kGoldenScore);
  EXPECT_EQ(
      argmax_classes(decoded(&decoder_from_name("loss:square"), expansion.evaluate(runtime.backend(), data.features))),
      integers(json["rls_square_pred"]));
}

TEST(IrisOneVsAll, ScoresAndPredictionsAreTheGoldenOnes) {
  const Json json = golden("iris_LS-OvA");
  const Runtime runtime;
  const Dataset data = iris();
  const Recipe fixed = recipe(json);
  expect_predictions(train(runtime.execution(), data, fixed, *fixed.sigma, *fixed.ridge), runtime, data, json,
                     kGoldenScore);
}

class IrisHeldOut : public testing::TestWithParam<std::string> {
 protected:
  IrisHeldOut() : runtime_(0, GetParam()), execution_(runtime_.execution()) {
    const Dataset data = iris();
    cells_.labels = data.labels;
    cells_.classes = 3;
    cells_.statistics.resize(data.rows(), data.rows());
    runtime_.backend().pair_statistics(PairStatistic::squared_distance, data.features, cells_.statistics, Interrupt());
  }

  void expect_ten_folds(const Json& json) const {
    const Recipe fixed = recipe(json);
    const CellParameters at{*fixed.sigma, *fixed.ridge};
    MachineScorer scorer(execution_, cells_, fixed, {Folds{10, integers(json["fold"])}});
    const Matrix scores = scorer->heldout_at(at).first();
    expect_close(scores, matrix(json["heldout_scores"]), kGoldenScore);
    EXPECT_EQ(argmax_classes(scores), integers(json["heldout_pred"]));
    const auto cells = scorer->score(std::vector{at}, [](const Cell&) {});
    EXPECT_TRUE(cells[0].solved);
    EXPECT_NEAR(cells[0].error, json["fold_mean_error"].get<double>(), kRounding);
  }

  Runtime runtime_;
  Execution execution_;
  CellData cells_;
};
INSTANTIATE_TEST_SUITE_P(All, IrisHeldOut, testing::ValuesIn(backend_names()),
                         [](const auto& instance) { return instance.param; });

TEST_P(IrisHeldOut, TenFoldScoresAndErrorAreTheGoldenOnes) {
  for (const std::string machine : {"oneLSM", "vo-LSSVM"}) expect_ten_folds(golden("iris_cv_" + machine));
}

TEST_P(IrisHeldOut, LeaveOneOutOutputsAndErrorAreTheGoldenOnes) {
  const Json json = golden("iris_loo_oneLSM");
  const Recipe fixed = recipe(json);
  const CellParameters at{*fixed.sigma, *fixed.ridge};
  const Labelbook book = make_labelbook(fixed.labelbook, 3);
  FoldPlan plan;
  plan.count = 0;
  const Folds folds = make_folds(plan, cells_.labels, 1, 0);
  MachineScorer scorer(execution_, cells_, fixed, {folds});
  // The golden file holds outputs f; scores are B f.
  expect_close(scorer->heldout_at(at).first(), matrix(json["heldout_f"]) * book.codewords.transpose(), kGoldenScore);
  const auto cells = scorer->score(std::vector{at}, [](const Cell&) {});
  EXPECT_NEAR(cells[0].error, json["loo_error"].get<double>(), kRounding);
}

}  // namespace
}  // namespace manyone::test
