// SPDX-License-Identifier: Apache-2.0
#include "model/reduced.hpp"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "backend/runtime.hpp"
#include "data/rows/table_stream.hpp"
#include "manyone/errors.hpp"
#include "selection/fit.hpp"
#include "selection/reduced_rows.hpp"
#include "tests/complaints.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

Recipe msvr(const std::string& centres = "", double sigma = 0.6, double cost = 50) {
  Recipe recipe;
  recipe.machine = "msvr";
  recipe.reduction.centres = centres;
  recipe.sigma = sigma;
  recipe.ridge = 1 / cost;
  return recipe;
}

/// Passes the rows of a dataset in blocks of another size.
class OtherBlocks final : public RowSource {
 public:
  OtherBlocks(const Dataset& data, Index size) : data_(data), rows_(data), size_(size) {}
  void pass(const Use& use) const override {
    for (Index first = 0; first < data_.rows(); first += size_) {
      std::vector<Index> block;
      std::vector<int> labels;
      for (Index i = first; i < std::min(data_.rows(), first + size_); ++i) {
        block.push_back(i);
        labels.push_back(data_.labels[static_cast<std::size_t>(i)]);
      }
      use(data_.features.select(block), labels, first);
    }
  }
  const Schema& schema() const override { return rows_.schema(); }
  const std::vector<std::string>& classes() const override { return rows_.classes(); }
  std::vector<Index> class_counts() const override { return rows_.class_counts(); }
  const std::string& name() const override { return rows_.name(); }
  bool sparse() const override { return rows_.sparse(); }
  Index dropped() const override { return 0; }
  std::vector<std::string> folds() const override { return {}; }

 private:
  const Dataset& data_;
  DatasetRows rows_;
  Index size_;
};

TEST(Reduced, BlocksAndThreadsDoNotChangeAByte) {
  const Dataset data = clouds(3000, 4, 3, 0.4, 1);
  Recipe recipe = msvr("40");
  recipe.weights = WeightKind::balanced;
  const std::string expected = fit(Runtime(1).execution(), DatasetRows(data), recipe).classifier.bytes();
  for (const int threads : {1, 3}) {
    const Runtime runtime(threads);
    for (const Index size : {1, 7, 1000, 5000}) {
      EXPECT_TRUE(fit(runtime.execution(), OtherBlocks(data, size), recipe).classifier.bytes() == expected)
          << threads << " threads, blocks of " << size;
    }
  }
}

TEST(Reduced, AStreamedTableGivesTheModelOfTheTableInMemory) {
  const std::string path = testing::TempDir() + "/reduced_stream.csv";
  {
    const Dataset data = clouds(2500, 3, 3, 0.4, 2);
    std::ofstream file(path);
    for (Index i = 0; i < data.rows(); ++i) {
      for (Index j = 0; j < 3; ++j) file << data.features.dense()(i, j) << ',';
      file << data.classes[static_cast<std::size_t>(data.labels[static_cast<std::size_t>(i)])] << '\n';
    }
  }
  const Runtime runtime(2);
  const Dataset whole = read_dataset(path, {});
  const TableStream stream(path, {});
  for (const auto decode : {&decoder_from_name("flda"), &kArgmax}) {
    Recipe recipe = msvr("30");
    recipe.decode = decode;
    EXPECT_TRUE(fit(runtime.execution(), StreamedRows(stream), recipe).classifier.bytes() ==
                fit(runtime.execution(), whole, recipe).classifier.bytes());
  }
  std::filesystem::remove(path);
}

TEST(Reduced, AllRowsAsCentresWithTheFunctionsPenaltyAreKernelRidgeRegression) {
  const Runtime runtime(2);
  const Dataset data = clouds(120, 3, 3, 0.5, 3);
  for (const bool bias : {false, true}) {
    Recipe exact;
    exact.machine = "onelsm";
    exact.bias = bias;
    exact.sigma = 0.6;
    exact.ridge = 0.2;
    Recipe reduced = exact;
    reduced.reduction.centres = "100%";
    const Matrix queries = random_matrix(50, 3, 4);
    const Matrix expected = fit(runtime.execution(), data, exact).classifier.scores(runtime.backend(), queries);
    const Matrix found = fit(runtime.execution(), data, reduced).classifier.scores(runtime.backend(), queries);
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-6) << bias;
  }
}

TEST(Reduced, WithAllRowsAsCentresTheLeastSquaresMachinesAreThemselves) {
  const Runtime runtime(2);
  const Dataset data = clouds(90, 2, 3, 0.5, 33);
  const Matrix queries = random_matrix(40, 2, 34);
  for (const auto& [machine, book, label_kernel] :
       std::vector<std::array<std::string, 3>>{{"onelsm", "alignment", "linear"},
                                               {"onelsm", "indicator", "gaussian:0.9"},
                                               {"ls-ova", "", "linear"},
                                               {"ls-ecoc", "dense", "linear"},
                                               {"ls-ecoc", "sparse", "linear"},
                                               {"ls-ovo", "", "linear"},
                                               {"vo-rls-beta", "indicator", "linear"},
                                               {"vo-rls-beta", "consistency", "linear"},
                                               {"vo-rls-f", "indicator", "linear"},
                                               {"vo-rls-f", "alignment", "gaussian:0.9"},
                                               {"vo-lssvm", "indicator", "linear"},
                                               {"vo-lssvm", "alignment", "linear"},
                                               {"vo-lssvm", "mincorr", "linear"},
                                               {"vo-lssvm with bias", "alignment", "linear"},
                                               {"vo-lssvm with bias", "mincorr", "linear"},
                                               {"sbc-ls", "indicator", "linear"},
                                               {"sbc-ls", "alignment", "gaussian:0.9"}}) {
    Recipe exact;
    exact.machine = machine.substr(0, machine.find(' '));
    exact.bias = machine.ends_with("bias");
    exact.labelbook = book;
    exact.label_kernel = label_kernel;
    exact.sigma = 0.6;
    exact.ridge = 0.2;
    Recipe reduced = exact;
    reduced.reduction.centres = "100%";
    const Matrix expected = fit(runtime.execution(), data, exact).classifier.scores(runtime.backend(), queries);
    const Matrix found = fit(runtime.execution(), data, reduced).classifier.scores(runtime.backend(), queries);
    // vo-rls-f leans on directions that |f|^2 hardly sees, of which squares keep half the digits.
    const double tolerance = machine == "vo-rls-f" ? 1e-4 : 1e-6;
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), tolerance * expected.cwiseAbs().maxCoeff())
        << machine << " " << book;
  }
}

TEST(Reduced, CodesOfFullLengthDecideAlike) {  // Theorems 4 and 5 of Chen et al.
  const Runtime runtime(2);
  const Dataset data = clouds(150, 3, 4, 0.5, 5);
  const Matrix queries = random_matrix(200, 3, 6);
  for (const auto decode : {&decoder_from_name("flda"), &decoder_from_name("ssvm")}) {
    for (const std::string centres : {"", "25"}) {
      Recipe recipe = msvr(centres);
      recipe.decode = decode;
      const auto expected = fit(runtime.execution(), data, recipe).classifier.predict(runtime.backend(), queries);
      for (const std::string book : {"one-vs-baseline", "three-way", "exhaustive", "balanced", "optimal", "pm1"}) {
        recipe.labelbook = book;
        const auto model = fit(runtime.execution(), data, recipe).classifier;
        EXPECT_EQ(model.predict(runtime.backend(), queries), expected) << book << ", " << decode->name;
      }
    }
  }
}

TEST(Reduced, IntegerWeightsAreRepeatedRows) {
  const Runtime runtime(2);
  const Dataset data = clouds(60, 2, 3, 0.4, 7);
  Recipe recipe = msvr();
  recipe.reduction.centres = CentreChoice("centres.csv", random_matrix(12, 2, 8));
  recipe.scaling = ScalingKind::none;
  std::vector<Index> repeated;
  for (Index i = 0; i < 60; ++i) {
    const Index times = 1 + i % 3;
    recipe.row_weights.push_back(static_cast<double>(times));
    for (Index t = 0; t < times; ++t) repeated.push_back(i);
  }
  Dataset copies = data;
  copies.features = data.features.select(repeated);
  copies.labels.clear();
  for (const Index i : repeated) copies.labels.push_back(data.labels[static_cast<std::size_t>(i)]);
  Recipe plain = recipe;
  recipe.weights = WeightKind::given;
  const Matrix queries = random_matrix(40, 2, 9);
  plain.decode = recipe.decode = &kArgmax;
  const Matrix weighted = fit(runtime.execution(), data, recipe).classifier.scores(runtime.backend(), queries);
  const Matrix expected = fit(runtime.execution(), copies, plain).classifier.scores(runtime.backend(), queries);
  EXPECT_LT((weighted - expected).cwiseAbs().maxCoeff(), 1e-9);
}

/// Rows in no fold but this one, and all others.
struct Parts {
  std::vector<Index> test;
  std::vector<Index> train;
};
std::vector<Parts> parts_of(const Folds& folds) {
  std::vector<Parts> out;
  for (const auto& test : folds.rows()) {
    Parts parts{test, {}};
    const int fold = folds.fold_of_row[static_cast<std::size_t>(test.front())];
    for (Index i = 0; i < std::ssize(folds.fold_of_row); ++i) {
      if (folds.fold_of_row[static_cast<std::size_t>(i)] != fold) parts.train.push_back(i);
    }
    out.push_back(std::move(parts));
  }
  return out;
}

TEST(Reduced, HeldOutRowsAreNoCentresWhereCoefficientsArePenalised) {  // so held-out scores are those of a refit
  const Runtime runtime(2);
  const Execution execution = runtime.execution();
  const Dataset data = clouds(90, 3, 3, 0.6, 10);
  Dataset rounded = data;  // with equal rows in different folds; where centres have a class, of other classes
  rounded.features = Features(Matrix(data.features.dense().array().round()));
  FoldPlan plan;
  plan.count = 4;
  const Folds folds = make_folds(plan, data.labels, 1, 0);
  for (const auto decode : {&decoder_from_name("flda"), &decoder_from_name("ssvm"), &kArgmax}) {
    for (const std::string machine : {"msvr", "vo-rls-beta"}) {
      Recipe recipe = msvr("100%");
      recipe.machine = machine;
      const DatasetRows rows(machine == "msvr" ? rounded : data);
      recipe.scaling = ScalingKind::none;
      if (machine == "msvr") recipe.decode = decode;
      ReducedRows tuning(execution, recipe, prepare(execution, rows, recipe));
      const CellParameters at{0.6, 0.02};
      const Matrix found = CellScorer(execution, tuning, {folds}).heldout_at(at).first();
      for (const auto& [test, train] : parts_of(folds)) {
        const Matrix refit = tuning.refit_scores(train, test, at);
        const Matrix closed = found(test, Eigen::all);
        EXPECT_LT((closed - refit).cwiseAbs().maxCoeff(), 1e-6 * (1 + refit.cwiseAbs().maxCoeff())) << machine;
        EXPECT_EQ(argmax_classes(closed), argmax_classes(refit)) << machine << ", " << decode->name;
      }
      if (machine != "msvr" || decode != &kArgmax) continue;
      recipe.reduction.centres_from_all = true;  // what Chen et al. did
      ReducedRows transductive(execution, recipe, prepare(execution, rows, recipe));
      EXPECT_GT((CellScorer(execution, transductive, {folds}).heldout_at(at).first() - found).cwiseAbs().maxCoeff(),
                1e-3);
    }
  }
}

TEST(Reduced, HeldOutScoresWithCentresFromAllRowsAreThoseOfTheSameCentres) {
  const Runtime runtime(2);
  const Execution execution = runtime.execution();
  const Dataset data = clouds(90, 3, 3, 0.6, 10);
  const DatasetRows rows(data);
  for (const auto decode : {&decoder_from_name("flda"), &decoder_from_name("ssvm"), &kArgmax}) {
    Recipe recipe = msvr("15");
    recipe.reduction.centres_from_all = true;
    recipe.decode = decode;
    const PreparedTable table = prepare(execution, rows, recipe);
    FoldPlan plan;
    plan.count = 4;
    const Folds folds = make_folds(plan, data.labels, 1, 0);
    ReducedRows tuning(execution, recipe, table);
    const Matrix found = CellScorer(execution, tuning, {folds}).heldout_at({0.6, 0.02}).first();
    // By hand: the same centres, the sums of the other rows alone.
    const KernelColumns columns = columns_for(execution, recipe, 0.6, table);
    const Vector shift = column_shift(execution, columns);
    for (const auto& test : folds.rows()) {
      const int fold = folds.fold_of_row[static_cast<std::size_t>(test.front())];
      std::vector<Index> train;
      for (Index i = 0; i < 90; ++i) {
        if (folds.fold_of_row[static_cast<std::size_t>(i)] != fold) train.push_back(i);
      }
      PreparedTable part{rows, table.scaling, {}, {}, table.features.select(train), {}, table.class_counts};
      for (const Index i : train) {
        part.rows.push_back(i);
        part.labels.push_back(data.labels[static_cast<std::size_t>(i)]);
      }
      FoldSums sums(execution, columns, shift, 3, 1);
      sums.add(part.features, part.labels, std::vector<int>(train.size(), 0), {});
      const Model model = train_reduced(execution, recipe, part, {columns, shift, sums.finish()}, 0.02);
      const Matrix expected =
          model.decoder.scores(model.expansion.evaluate(runtime.backend(), table.features.select(test)));
      for (std::size_t i = 0; i < test.size(); ++i) {
        EXPECT_LT((found.row(test[i]) - expected.row(static_cast<Index>(i))).cwiseAbs().maxCoeff(),
                  1e-6 * (1 + expected.cwiseAbs().maxCoeff()))
            << decode->name;
      }
    }
  }
}

TEST(Reduced, EveryLeastSquaresMachineIsTunedOnItsSums) {  // held-out scores are those of a refit without the fold
  const Runtime runtime(2);
  const Execution execution = runtime.execution();
  const Dataset data = clouds(90, 3, 3, 0.6, 40);
  const DatasetRows rows(data);
  FoldPlan plan;
  plan.count = 3;
  const Folds folds = make_folds(plan, data.labels, 1, 0);
  for (const std::string machine : {"vo-rls-beta", "vo-rls-f", "vo-lssvm", "ls-ovo", "sbc-ls"}) {
    Recipe recipe = msvr("20");
    recipe.machine = machine;
    recipe.reduction.centres_from_all = true;
    recipe.weights = WeightKind::balanced;
    const PreparedTable table = prepare(execution, rows, recipe);
    const KernelColumns columns = columns_for(execution, recipe, 0.6, table);
    ReducedRows tuning(execution, recipe, table);
    const Matrix found = CellScorer(execution, tuning, {folds}).heldout_at({0.6, 0.02}).first();
    for (const auto& test : folds.rows()) {
      const int fold = folds.fold_of_row[static_cast<std::size_t>(test.front())];
      FoldSums sums(execution, columns, Vector::Zero(20), 3, 1);
      std::vector<Index> train;
      std::vector<int> labels;
      for (Index i = 0; i < 90; ++i) {
        if (folds.fold_of_row[static_cast<std::size_t>(i)] == fold) continue;
        train.push_back(i);
        labels.push_back(data.labels[static_cast<std::size_t>(i)]);
      }
      sums.add(table.features.select(train), labels, std::vector<int>(train.size(), 0), table.weights(train));
      const Model model = train_reduced(execution, recipe, table, {columns, Vector::Zero(20), sums.finish()}, 0.02);
      const Matrix expected =
          model.decoder.scores(model.expansion.evaluate(runtime.backend(), table.features.select(test)));
      EXPECT_LT((found(test, Eigen::all) - expected).cwiseAbs().maxCoeff(), 1e-6 * (1 + expected.cwiseAbs().maxCoeff()))
          << machine;
    }
  }
}

TEST(Reduced, ModelsOfEveryDecoderComeBackFromAFile) {
  const Runtime runtime(2);
  const Dataset data = clouds(90, 3, 3, 0.5, 11);
  const Matrix queries = random_matrix(30, 3, 12);
  for (const auto decode : {&decoder_from_name("flda"), &decoder_from_name("ssvm"), &kArgmax}) {
    Recipe recipe = msvr("15");
    recipe.decode = decode;
    const Model model = fit(runtime.execution(), data, recipe).classifier;
    const Model back = Model::from_bytes(model.bytes(), "model");
    EXPECT_EQ(back.scores(runtime.backend(), queries), model.scores(runtime.backend(), queries));
    EXPECT_TRUE(back.bytes() == model.bytes());
  }
}

TEST(Reduced, RegressionOnFeaturesIsLinear) {
  const Runtime runtime(2);
  const Dataset data = clouds(90, 3, 3, 0.5, 13);
  Recipe recipe = msvr();
  recipe.kernel = &kLinear;
  recipe.sigma.reset();
  recipe.decode = &kArgmax;
  const Model model = fit(runtime.execution(), data, recipe).classifier;
  EXPECT_EQ(model.expansion.coefficients.rows(), 3);
  Matrix line(3, 3);
  line << 0, 0, 0, 0.5, 0.5, 0.5, 1, 1, 1;
  const Matrix s = model.scores(runtime.backend(), line);
  EXPECT_LT((s.row(1) - (s.row(0) + s.row(2)) / 2).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((s.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-10);
}

TEST(Reduced, ALargeTableIsTunedOnASampleAndTrainedOnAll) {
  const Runtime runtime(2);
  const Dataset data = clouds(kSampleRows + 5000, 3, 3, 0.3, 14);
  Recipe recipe = msvr("50");
  recipe.ridge.reset();
  const Fit result = fit(runtime.execution(), data, recipe);
  ASSERT_TRUE(result.tuning);
  EXPECT_EQ(result.classifier.trained_rows, kSampleRows + 5000);
  // The centres are trained on whatever is left out, and are not judged.
  EXPECT_NEAR(static_cast<double>(result.classifier.cv->rows), static_cast<double>(kSampleRows - 50), 3);
  EXPECT_LT(result.classifier.cv->error, 0.2);
}

TEST(Reduced, CentresOfAPassStayWhereverARowIsLeftOut) {  // so machines without a fold have all of them
  const Runtime runtime(2);
  const Execution execution = runtime.execution();
  const Index m = kTuneCentres + 40;
  const Dataset data = clouds(1500, 3, 3, 0.6, 15);
  const DatasetRows rows(data);
  Recipe recipe = msvr(std::to_string(m));
  recipe.ridge.reset();
  const Fit result = fit(execution, data, recipe);
  ASSERT_TRUE(result.tuning);
  const HeldOutRows& held_out = result.tuning->held_out;
  EXPECT_EQ(std::ssize(held_out.rows), 1500 - m);

  // By hand: the same columns, the sums of the centres and of the other folds' rows.
  const PreparedTable table = prepare(execution, rows, recipe);
  const KernelColumns columns = columns_for(execution, recipe, 0.6, table);
  const Vector shift = column_shift(execution, columns);
  const PassFolds folds(recipe, true);
  for (int fold = 0; fold < folds.count(); ++fold) {
    std::vector<Index> train;
    std::vector<int> labels;
    for (Index i = 0; i < 1500; ++i) {
      if (columns.centre_of_row()[static_cast<std::size_t>(i)] < 0 && folds.of(i) == fold) continue;
      train.push_back(i);
      labels.push_back(data.labels[static_cast<std::size_t>(i)]);
    }
    FoldSums sums(execution, columns, shift, 3, 1);
    sums.add(table.features.select(train), labels, std::vector<int>(train.size(), 0), {});
    const Model model =
        train_reduced(execution, recipe, table, {columns, shift, sums.finish()}, result.tuning->best.ridge);
    for (std::size_t i = 0; i < held_out.rows.size(); ++i) {
      if (folds.of(held_out.rows[i]) != fold) continue;
      const std::vector<Index> row{held_out.rows[i]};
      const Matrix expected =
          model.decoder.scores(model.expansion.evaluate(runtime.backend(), table.features.select(row)));
      EXPECT_LT((held_out.scores.row(static_cast<Index>(i)) - expected).cwiseAbs().maxCoeff(),
                1e-6 * (1 + expected.cwiseAbs().maxCoeff()));
    }
  }
}

class ReducedRefusals : public testing::Test {
 protected:
  void refuse(const Recipe& recipe, const std::string& parameter, const std::string& remedy) const {
    const Runtime runtime(1);
    expect_complaint([&] { fit(runtime.execution(), data_, recipe); }, Fault::usage, parameter, remedy);
  }
  Dataset data_ = clouds(60, 2, 3, 0.4, 20);
};

TEST_F(ReducedRefusals, ChoicesThatDoNotGoTogether) {
  refuse(msvr("2"), "centers", "centers=3");  // fewer centres than classes
  refuse(msvr("0"), "centers", "leave it out");
  refuse(msvr("150%"), "centers", "leave it out");
  refuse(msvr("nowhere.csv"), "centers", "leave it out");
  Recipe recipe = msvr("10");
  recipe.decode = &decoder_from_name("hamming");
  refuse(recipe, "decode", "argmax");
  recipe.decode = &kArgmax;
  recipe.labelbook = "three-way";
  refuse(recipe, "decode", "flda or ssvm");
  recipe = msvr("10");
  recipe.label_kernel = "gaussian:1";
  refuse(recipe, "label_kernel", "use a labelbook");
  recipe = msvr("10");
  recipe.reduction.kind = ReduceKind::pca;
  recipe.reduction.penalty = PenaltyKind::rkhs;
  refuse(recipe, "penalty", "leave penalty=rkhs out");
  recipe = Recipe();
  recipe.machine = "vo-svm";
  recipe.reduction.centres = "10";
  refuse(recipe, "centers", "leave them out");
  recipe = Recipe();
  recipe.priors = "data";
  refuse(recipe, "priors", "leave it out");
  for (const std::string machine : {"vo-rls-beta", "vo-rls-f", "vo-lssvm", "ls-ovo"}) {
    recipe = Recipe();
    recipe.machine = machine;
    recipe.reduction.centres = "10";
    recipe.reduction.penalty = PenaltyKind::identity;  // they have their own
    refuse(recipe, "penalty", "leave penalty out");
    recipe.reduction.penalty.reset();
    for (const auto kind : {ReduceKind::pca, ReduceKind::kmeans}) {  // whose centres belong to no class
      recipe.reduction.kind = kind;
      refuse(recipe, "reduce", "reduce=stratified");
    }
  }
  recipe = Recipe();
  recipe.machine = "onelsm";
  recipe.reduction.penalty = PenaltyKind::rkhs;
  refuse(recipe, "centers", "say how many");
}

TEST_F(ReducedRefusals, GivenCentresMustFitTheTable) {
  const Runtime runtime(1);
  for (const Matrix& rows : {Matrix{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, Matrix{{1, 2}, {3, 4}, {1, 2}}}) {
    Recipe recipe = msvr("10");
    recipe.reduction.centres = CentreChoice("centres.csv", rows);
    expect_complaint([&] { fit(runtime.execution(), data_, recipe); }, Fault::input, "centers", "");
  }
}

}  // namespace
}  // namespace manyone::test
