// SPDX-License-Identifier: Apache-2.0
//
// A program at the door: it sees <manyone/manyone.hpp>, and Eigen's matrices where it has any.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <manyone/eigen.hpp>
#include <manyone/manyone.hpp>
#include <sstream>
#include <thread>
#include <type_traits>

namespace {

const std::string kData = std::string(MANYONE_SOURCE) + "/data/";

const manyone::Matrix kPoints{{0, 0}, {0, 1}, {1, 0}, {5, 5}, {5, 6}, {6, 5}};
const std::vector<std::string> kLabels = {"near", "near", "near", "far", "far", "far"};
const std::vector<int> kClasses = {1, 1, 1, 0, 0, 0};  // far, near

manyone::Classifier small() {
  return manyone::fit(manyone::Table::of(kPoints, kLabels), {.sigma = 1, .ridge = 0.1}).classifier;
}

/// A file that is gone after the test, in a folder of this process.
struct File {
  explicit File(const std::string& name, const std::string& text = {})
      : folder(testing::TempDir() + "manyone-door-" + std::to_string(getpid())), path(folder + "/" + name) {
    std::filesystem::create_directories(folder);
    if (!text.empty()) std::ofstream(path) << text;
  }
  ~File() {
    std::error_code in_use;
    std::filesystem::remove(path, in_use);
    std::filesystem::remove(folder, in_use);
  }
  std::string text() const {
    std::stringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
  }
  std::string folder;
  std::string path;
};

TEST(Program, FitsWhatIsInMemoryAndWithGivenParametersSearchesNothing) {
  const manyone::Table table = manyone::Table::of(kPoints, kLabels);
  EXPECT_EQ(table.rows(), 6);
  EXPECT_EQ(table.features(), 2);
  EXPECT_EQ(table.classes(), (std::vector<std::string>{"far", "near"}));
  EXPECT_EQ(std::vector<int>(table.labels().begin(), table.labels().end()), kClasses);
  const manyone::FitResult result = manyone::fit(table, {.sigma = 1, .ridge = 0.1});
  EXPECT_FALSE(result.search);
  EXPECT_FALSE(result.classifier.error());
  EXPECT_EQ(result.classifier.sigma(), 1);
  EXPECT_EQ(result.classifier.ridge(), 0.1);
  EXPECT_EQ(result.classifier.machine(), "onelsm");
  EXPECT_EQ(result.classifier.kernel(), "gaussian");
  EXPECT_EQ(result.classifier.features(), 2);
  EXPECT_EQ(result.classifier.trained_rows(), 6);
  EXPECT_EQ(result.classifier.predict(kPoints), kClasses);
  EXPECT_EQ(result.classifier.predict(table), kClasses);
}

TEST(Program, IsToldTheErrorOfWhatWasSearched) {
  const manyone::FitResult result = manyone::fit(manyone::Table::read(kData + "wine.csv"));
  ASSERT_TRUE(result.search && result.classifier.error());
  EXPECT_EQ(result.classifier.error()->error, result.search->error.error);
  EXPECT_EQ(result.classifier.error()->kind, "cross-validation");
  EXPECT_EQ(result.classifier.error()->folds, 10);
  EXPECT_EQ(result.classifier.sigma(), result.search->sigma);
  EXPECT_FALSE(result.search->tried.empty());
  EXPECT_EQ(result.search->searched_rows, 178);
  EXPECT_LT(result.search->error.error, 0.05);
}

TEST(Program, SeesTheSameRowsThroughAnyStrides) {
  const manyone::Classifier classifier = small();
  const std::vector<double> by_columns = {0, 0, 1, 5, 5, 6, 0, 1, 0, 5, 6, 5};
  const std::vector<double> with_gaps = {0, 0, -9, 0, 1, -9, 1, 0, -9, 5, 5, -9, 5, 6, -9, 6, 5, -9};
  std::vector<double> backwards(kPoints.data(), kPoints.data() + 12);
  std::reverse(backwards.begin(), backwards.end());
  const manyone::Matrix expected = classifier.scores(kPoints);
  for (const manyone::MatrixView view :
       {manyone::MatrixView(by_columns.data(), 6, 2, 1, 6), manyone::MatrixView(with_gaps.data(), 6, 2, 3),
        manyone::MatrixView(&backwards.back(), 6, 2, -2, -1)}) {
    const manyone::Matrix found = classifier.scores(view);
    for (int i = 0; i < 6; ++i) {
      EXPECT_EQ(view(i, 1), kPoints(i, 1));
      for (int c = 0; c < 2; ++c) EXPECT_EQ(found(i, c), expected(i, c));
    }
    EXPECT_EQ(manyone::fit(manyone::Table::of(view, kLabels), {.sigma = 1, .ridge = 0.1}).classifier.bytes(),
              classifier.bytes());
  }
}

TEST(Program, SeesEigensMatricesWhereTheyAre) {
  const manyone::Classifier classifier = small();
  const Eigen::MatrixXd by_columns = manyone::map(kPoints);
  const Eigen::Matrix<double, 6, 2, Eigen::RowMajor> by_rows = manyone::map(kPoints);
  Eigen::MatrixXd larger = Eigen::MatrixXd::Constant(8, 4, -9);
  larger.block(1, 2, 6, 2) = by_columns;
  EXPECT_EQ(manyone::view(by_columns).data, by_columns.data());
  EXPECT_EQ(classifier.predict(manyone::view(by_columns)), kClasses);
  EXPECT_EQ(classifier.predict(manyone::view(by_rows)), kClasses);
  EXPECT_EQ(classifier.predict(manyone::view(larger.block(1, 2, 6, 2))), kClasses);
  EXPECT_EQ(classifier.predict(manyone::view(Eigen::MatrixXd(by_columns.colwise().reverse()))),
            std::vector<int>(kClasses.rbegin(), kClasses.rend()));
  const manyone::Matrix p = classifier.probabilities(kPoints);
  EXPECT_TRUE(manyone::map(p).rowwise().sum().isApproxToConstant(1));
}

TEST(Program, PredictsTheSameWithAnyNumberOfThreadsAndOnAnyDeviceNearlySo) {
  const manyone::Table table = manyone::Table::read(kData + "digits.train.csv");
  const manyone::Classifier classifier = manyone::fit(table, {.sigma = 1, .ridge = 0.1}, {.threads = 1}).classifier;
  EXPECT_EQ(manyone::fit(table, {.sigma = 1, .ridge = 0.1}, {.threads = 3}).classifier.bytes(), classifier.bytes());
  const manyone::Matrix one = classifier.scores(table, {.threads = 1});
  const manyone::Matrix three = classifier.scores(table, {.threads = 3});
  EXPECT_EQ(manyone::map(one), manyone::map(three));
  const manyone::Matrix slow = classifier.scores(table, {.device = "reference"});
  EXPECT_TRUE(manyone::map(slow).isApprox(manyone::map(one), 1e-9));
}

TEST(Program, SharesAHandleAmongThreads) {
  static_assert(std::is_nothrow_move_constructible_v<manyone::Classifier>);
  static_assert(sizeof(manyone::Classifier) == sizeof(std::shared_ptr<void>) &&
                sizeof(manyone::Table) == sizeof(std::shared_ptr<void>));
  const manyone::Classifier classifier = small();
  const manyone::Classifier copy = classifier;
  EXPECT_EQ(&copy.classes(), &classifier.classes());  // of one model
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([classifier, &right] {
        for (int round = 0; round < 50; ++round) right += classifier.predict(kPoints, {.threads = 2}) == kClasses;
      });
    }
  }
  EXPECT_EQ(right, 200);
}

TEST(Program, GetsAModelBackAsItWas) {
  const manyone::Classifier classifier = small();
  const File file("door.safetensors");
  classifier.save(file.path);
  EXPECT_EQ(file.text(), classifier.bytes());
  EXPECT_EQ(manyone::Classifier::load(file.path).bytes(), classifier.bytes());
  EXPECT_EQ(manyone::Classifier::from_bytes(classifier.bytes()).bytes(), classifier.bytes());
}

TEST(Program, WritesModelsForOtherPrograms) {
  const File onnx("door.onnx");
  const File single("door-32.onnx");
  const File header("manyone_door.hpp");
  const File libsvm("door.model");
  small().write_onnx(onnx.path);
  small().write_onnx(single.path, true);
  EXPECT_GT(onnx.text().size(), single.text().size());
  small().write_cpp(header.path);
  EXPECT_NE(header.text().find("namespace manyone_door"), std::string::npos);
  EXPECT_THROW(small().write_libsvm(libsvm.path), manyone::ConfigError);
  const manyone::Table table = manyone::Table::read(kData + "iris.csv");
  const manyone::Classifier pairs =
      manyone::fit(table, {.machine = "svm-ovo", .sigma = 1, .ridge = 0.1, .scale = "none"}).classifier;
  pairs.write_libsvm(libsvm.path);
  EXPECT_EQ(manyone::Classifier::from_libsvm(libsvm.path).predict(table), pairs.predict(table));
}

TEST(Program, ReadsFilesAsAModelsRows) {
  const manyone::Classifier classifier =
      manyone::fit(manyone::Table::read(
                       File("train.csv", "size,colour,class\n1.5,red,a\n2.5,blue,b\n1.25,red,a\n2.75,blue,b\n").path),
                   {.sigma = 1, .ridge = 0.1})
          .classifier;
  EXPECT_EQ(classifier.feature_names().size(), 3U);
  const File rows("rows.csv", "size,colour\n2.5,blue\n1.5,red\n");
  const manyone::Matrix read = classifier.read(rows.path);
  EXPECT_EQ(read.rows(), 2);
  EXPECT_EQ(read.columns(), 3);
  EXPECT_EQ(classifier.predict(read), (std::vector<int>{1, 0}));
}

TEST(Program, FitsAFileThatStaysOnDisk) {
  const manyone::Recipe recipe{.machine = "msvr", .centers = "50"};
  const std::string digits = kData + "digits.train.csv";
  const manyone::Classifier streamed = manyone::fit_streamed(digits, {}, recipe).classifier;
  EXPECT_EQ(streamed.bytes(), manyone::fit(manyone::Table::read(digits), recipe).classifier.bytes());
  EXPECT_THROW(manyone::fit_streamed(digits, {}, {.machine = "svm-ovo"}), manyone::ConfigError);
}

TEST(Program, IsRefusedATableWhoseColumnsAreOthers) {
  const File one("one.csv", "size,colour,class\n1.5,red,a\n2.5,blue,b\n1.25,red,a\n2.75,blue,b\n");
  const File other("other.csv", "size,colour,class\n1.5,green,a\n2.5,blue,b\n1.25,green,a\n2.75,blue,b\n");
  const manyone::Classifier classifier =
      manyone::fit(manyone::Table::read(one.path), {.sigma = 1, .ridge = 0.1}).classifier;
  EXPECT_EQ(classifier.predict(manyone::Table::read(one.path)), (std::vector<int>{0, 1, 0, 1}));
  EXPECT_THROW(classifier.predict(manyone::Table::read(other.path)), manyone::InputError);
}

TEST(Program, IsToldHowPredictionsCompareWithLabels) {
  const manyone::Table table = manyone::Table::read(kData + "iris.csv");
  const manyone::Classifier classifier = manyone::fit(table, {.sigma = 0.5, .ridge = 0.1}).classifier;
  const manyone::Evaluation of_table = classifier.evaluate(table);
  const manyone::Evaluation of_file = classifier.evaluate(kData + "iris.csv");
  EXPECT_EQ(of_table.rows, 150);
  EXPECT_EQ(of_table.error, of_file.error);
  EXPECT_EQ(of_table.counts, of_file.counts);
  ASSERT_EQ(of_table.counts.size(), 9U);
  EXPECT_NEAR(of_table.error,
              1 - static_cast<double>(of_table.counts[0] + of_table.counts[4] + of_table.counts[8]) / 150, 1e-12);
  EXPECT_NEAR(of_table.majority_error, 2.0 / 3, 1e-12);
  const manyone::Evaluation strangers =
      small().evaluate(manyone::Table::of(kPoints, {"near", "near", "other", "far", "far", "other"}));
  EXPECT_EQ(strangers.unknown, 2);
  EXPECT_NEAR(strangers.error, 2.0 / 6, 1e-12);
}

TEST(Program, KeepsTheFoldsOfAColumn) {
  const File file("folds.csv", "x,part,class\n0.1,i,a\n0.9,ii,b\n0.2,ii,a\n0.8,i,b\n0.3,iii,a\n0.7,iii,b\n");
  const manyone::Table table = manyone::Table::read(file.path, {.fold_column = "part"});
  EXPECT_EQ(table.fold_ids(), (std::vector<int>{0, 1, 1, 0, 2, 2}));
  EXPECT_EQ(manyone::tune(table, {.given_folds = table.fold_ids()}).search.error.folds, 3);
  EXPECT_THROW(manyone::Table::of(kPoints, kLabels).fold_ids(), manyone::ConfigError);
}

TEST(Program, KnowsWhichRowsOfAFileWereKept) {
  const File file("missing.csv", "x,class\n0.1,a\n,b\n0.2,a\n0.8,b\n");
  EXPECT_THROW(manyone::Table::read(file.path), manyone::InputError);
  const manyone::Table table = manyone::Table::read(file.path, {.missing = "drop"});
  EXPECT_EQ(std::vector<std::int64_t>(table.kept().begin(), table.kept().end()), (std::vector<std::int64_t>{0, 2, 3}));
  EXPECT_EQ(table.numbers(1, 2)(1, 0), 0.8);
  EXPECT_THROW(table.numbers(2, 2), manyone::InputError);
}

TEST(Program, MeetsErrorsAsManyonesOwn) {
  const auto exit_code = [](const auto& call) {
    try {
      call();
    } catch (const manyone::Error& error) {
      EXPECT_STRNE(error.what(), "");
      return static_cast<int>(error.exit_code());
    }
    return 0;
  };
  const manyone::Table table = manyone::Table::of(kPoints, kLabels);
  EXPECT_EQ(exit_code([] { manyone::Table::read("no-such.csv"); }), 3);
  EXPECT_EQ(exit_code([] { manyone::Table::read(kData + "iris.csv", {.missing = "ignore"}); }), 2);
  EXPECT_EQ(exit_code([] { manyone::Classifier::load(kData + "iris.csv"); }), 3);
  EXPECT_EQ(exit_code([] { manyone::Table::of(kPoints, {"one", "two"}); }), 3);
  EXPECT_EQ(exit_code([] { manyone::Table::of({nullptr, 6, 2}, kLabels); }), 3);
  EXPECT_EQ(exit_code([&] { manyone::fit(table, {.machine = "onelsn"}); }), 2);
  EXPECT_EQ(exit_code([&] { manyone::fit(table, {.sigma = -1}); }), 2);
  EXPECT_EQ(exit_code([] { manyone::Recipe{.kernel = "linear", .sigma = 1}.validate(); }), 2);
  EXPECT_EQ(exit_code([&] { manyone::fit(table, {}, {.device = "abacus"}); }), 2);
  EXPECT_EQ(exit_code([&] { manyone::fit(table, {}, {.threads = -1}); }), 2);
  EXPECT_EQ(exit_code([&] { manyone::fit(table, {.machine = "onelsm"}, {.memory = 10}); }), 5);
  EXPECT_EQ(exit_code([] { small().predict(manyone::Matrix(2, 3)); }), 3);
  EXPECT_EQ(exit_code([] { small().scores({nullptr, -1, 2}); }), 3);
  EXPECT_EQ(exit_code([] { manyone::Matrix{{1, 2}, {3}}; }), 3);
}

TEST(Program, GetsNoClassForARowThatOverflows) {
  const manyone::Classifier classifier =
      manyone::fit(manyone::Table::of(kPoints, kLabels), {.kernel = "polynomial", .ridge = 0.1}).classifier;
  const std::vector<int> classes = classifier.predict(manyone::Matrix{{1e200, -1e200}, {0, 0}});
  EXPECT_EQ(classes[0], -1);
  EXPECT_GE(classes[1], 0);
  EXPECT_FALSE(classifier.sigma());
}

class Listener : public manyone::Observer {
 public:
  void begin(std::string_view, double) override { ++begun; }
  void update(double done, std::string_view) override {
    if (source != nullptr && done >= 1) source->request_stop();
  }
  void note(const manyone::Words& message) override { notes.push_back(message.text()); }

  int begun = 0;
  std::vector<std::string> notes;
  std::stop_source* source = nullptr;
};

TEST(Program, HearsOfProgressAndNotes) {
  Listener listener;
  const manyone::Table table = manyone::Table::of(kPoints, {"near", "near", "near", "far", "far", "single"});
  const manyone::FitResult result = manyone::fit(table, {}, {.observer = &listener});
  EXPECT_GT(listener.begun, 0);
  ASSERT_FALSE(result.notes.empty());
  EXPECT_EQ(result.notes, listener.notes);
  EXPECT_TRUE(std::ranges::any_of(result.notes,
                                  [](const std::string& note) { return note.find("'single'") != std::string::npos; }));
}

TEST(Program, StopsWhatItHasStarted) {
  const manyone::Table table = manyone::Table::read(kData + "digits.train.csv");
  std::stop_source source;
  Listener listener;
  listener.source = &source;
  const manyone::Run run{.observer = &listener, .stop = source.get_token()};
  const manyone::TuneResult cut = manyone::tune(table, {.search = "grid"}, run);
  EXPECT_TRUE(cut.search.stopped);
  EXPECT_LT(cut.search.error.error, 0.9);  // what was tried is there
  EXPECT_THROW(manyone::fit(table, {}, run), manyone::Interrupted);
  EXPECT_THROW(small().predict(kPoints, run), manyone::Interrupted);
}

}  // namespace
