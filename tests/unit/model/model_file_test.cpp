// SPDX-License-Identifier: Apache-2.0
//
// Saving and loading a Model: bit-exact round trips, and files that must be refused. What a safetensors container
// itself refuses is in safetensors_test.cpp.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include <nlohmann/json.hpp>

#include "backend/runtime.hpp"
#include "model/model.hpp"
#include "model/safetensors.hpp"
#include "tests/problems.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

namespace fs = std::filesystem;

/// A path of its own for each test and process; the file goes with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name = "model")
      : path_(testing::TempDir() + "manyone-" + std::to_string(getpid()) + "-" + name + ".safetensors") {}
  ~TemporaryFile() { fs::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }
  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::string path_;
};

Model trained(const Dataset& data, const Recipe& recipe = {}) {
  const Runtime runtime(1);
  return train(runtime.execution(), data, recipe, 0.7, 0.1);
}

Model round_trip(const Model& model) {
  const TemporaryFile file;
  model.save(file.path());
  return Model::load(file.path());
}

template <class T>
bool same_bits(const T& a, const T& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0);
}

bool same_centres(const Features& a, const Features& b) {
  if (a.sparse() != b.sparse()) return false;
  if (!a.sparse()) return same_bits(a.dense(), b.dense());
  return a.csr().nonZeros() == b.csr().nonZeros() && a.features() == b.features() &&
         same_bits(Matrix(a.csr()), Matrix(b.csr()));
}

void expect_same_schema(const Schema& a, const Schema& b) {
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t k = 0; k < a.columns.size(); ++k) {
    EXPECT_EQ(a.columns[k].name, b.columns[k].name);
    EXPECT_EQ(a.columns[k].nominal, b.columns[k].nominal);
    EXPECT_EQ(a.columns[k].values, b.columns[k].values);
    EXPECT_EQ(a.columns[k].missing_feature, b.columns[k].missing_feature);
    EXPECT_EQ(a.columns[k].means, b.columns[k].means);
  }
  EXPECT_EQ(a.target, b.target);
  EXPECT_EQ(a.target_position, b.target_position);
  EXPECT_EQ(a.fold, b.fold);
  EXPECT_EQ(a.named, b.named);
  EXPECT_EQ(a.plain, b.plain);
  EXPECT_EQ(a.missing, b.missing);
  EXPECT_EQ(a.plain_features, b.plain_features);
}

void expect_same(const Model& a, const Model& b) {
  EXPECT_EQ(a.machine, b.machine);
  EXPECT_EQ(a.search, b.search);
  EXPECT_EQ(a.ridge, b.ridge);
  EXPECT_EQ(a.bias, b.bias);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.temperature, b.temperature);
  EXPECT_EQ(a.trained_rows, b.trained_rows);
  EXPECT_EQ(a.scaling.kind, b.scaling.kind);
  EXPECT_TRUE(same_bits(a.scaling.offset, b.scaling.offset));
  EXPECT_TRUE(same_bits(a.scaling.factor, b.scaling.factor));
  EXPECT_EQ(a.labelbook, b.labelbook);
  EXPECT_EQ(a.label_kernel, b.label_kernel);
  EXPECT_EQ(a.decoder.entry, b.decoder.entry);
  EXPECT_EQ(a.decoder.meaning, b.decoder.meaning);
  EXPECT_TRUE(same_bits(a.decoder.code, b.decoder.code));
  EXPECT_EQ(a.expansion.kernel.entry, b.expansion.kernel.entry);
  EXPECT_EQ(a.expansion.kernel.sigma, b.expansion.kernel.sigma);
  EXPECT_EQ(a.expansion.kernel.degree, b.expansion.kernel.degree);
  EXPECT_EQ(a.expansion.kernel.offset, b.expansion.kernel.offset);
  EXPECT_TRUE(same_bits(a.expansion.coefficients, b.expansion.coefficients));
  EXPECT_TRUE(same_bits(a.expansion.bias, b.expansion.bias));
  EXPECT_TRUE(same_centres(a.expansion.centres, b.expansion.centres));
  ASSERT_EQ(a.cv.has_value(), b.cv.has_value());
  if (a.cv) {
    EXPECT_EQ(a.cv->folds, b.cv->folds);
    EXPECT_EQ(a.cv->repeats, b.cv->repeats);
    EXPECT_EQ(a.cv->error, b.cv->error);
    EXPECT_EQ(a.cv->std, b.cv->std);
    EXPECT_EQ(a.cv->rows, b.cv->rows);
  }
  expect_same_schema(a.schema, b.schema);
}

TEST(ModelFile, DenseModelsComeBackBitForBit) {
  Model model = trained(clouds(40, 3, 3, 0.4, 1));
  model.temperature = 0.1 + 0.2;  // a number that decimal text likes to lose
  model.cv = CvSummary{10, 5, 1.0 / 3, 0.1 / 3, 40};
  expect_same(round_trip(model), model);
}

TEST(ModelFile, EveryKernelAndBookComesBack) {
  for (const KernelEntry* kind : {&kGaussian, &kLaplacian, &kPolynomial, &kLinear}) {
    for (const LabelbookInfo& info : labelbooks()) {
      Recipe recipe;
      recipe.kernel = kind;
      recipe.labelbook = info.name;
      recipe.bias = true;
      recipe.weights = WeightKind::balanced;
      const Model model = trained(clouds(20, 2, 4, 0.4, 2), recipe);
      expect_same(round_trip(model), model);
    }
  }
}

TEST(ModelFile, SparseCentresComeBackSparse) {
  std::vector<std::string> labels;
  for (int i = 0; i < 30; ++i) labels.push_back(i % 3 == 0 ? "a" : "b");
  const Model model = trained(label_rows(random_sparse(30, 50, 0.1, 3), labels, "sparse"));
  ASSERT_TRUE(model.expansion.centres.sparse());
  expect_same(round_trip(model), model);
}

TEST(ModelFile, PrecomputedKernelsComeBack) {
  const Matrix x = random_matrix(12, 2, 4);
  std::vector<std::string> labels;
  for (Index i = 0; i < 12; ++i) labels.push_back(x(i, 0) > 0 ? "right" : "left");
  Recipe recipe;
  recipe.kernel = &kPrecomputed;
  const Model model = trained(make_dataset(plain_gram(vector_kernels()[0], x, x), labels), recipe);
  expect_same(round_trip(model), model);
}

TEST(ModelFile, NominalColumnsWithMeansAndAFoldColumnComeBack) {
  ReadOptions options;
  options.missing = MissingPolicy::indicator;
  options.fold_column = "part";
  const Dataset data = dataset_from(
      "size,colour,part,class\n1,red,1,x\n?,blue,2,y\n3,red,1,x\n5,?,2,y\n0.3333333333333333,green,1,x\n", options);
  const Model model = trained(data);
  ASSERT_EQ(model.schema.fold, "part");
  ASSERT_FALSE(model.schema.columns.at(0).means.empty());
  expect_same(round_trip(model), model);
}

TEST(ModelFile, LabelsOfAnyUtf8TextComeBack) {
  Dataset data = clouds(24, 2, 6, 0.3, 5);
  data.classes = {
      "", " blank ", "\"quoted\"\\ and\nbroken", "Grüße, 世界", "\xf0\x9f\x8c\x8d", std::string("nul\0byte", 8)};
  const Model model = trained(data);
  EXPECT_EQ(round_trip(model).classes, data.classes);
}

TEST(ModelFile, LabelsThatAreNotUtf8AreRefusedWithTheReason) {
  Model model = trained(clouds(10, 2, 2, 0.3, 6));
  model.classes[0] = "\xff\xfe";
  const TemporaryFile file;
  EXPECT_THROW(model.save(file.path()), InputError);
  expect_contains(message_of([&] { model.save(file.path()); }), "UTF-8");
  EXPECT_FALSE(fs::exists(file.path()));
}

TEST(ModelFile, SavedTwiceGivesTheSameBytes) {
  const Model model = trained(clouds(30, 3, 3, 0.4, 7));
  const TemporaryFile first("first");
  const TemporaryFile second("second");
  model.save(first.path());
  round_trip(model).save(second.path());
  EXPECT_EQ(first.bytes(), second.bytes());
  EXPECT_FALSE(first.bytes().empty());
}

TEST(ModelFile, NumberOfThreadsDoesNotChangeAByte) {
  const Dataset data = clouds(400, 5, 4, 0.4, 8);
  std::string expected;
  for (const int threads : {1, 2, 3}) {
    const Runtime runtime(threads);
    const TemporaryFile file;
    train(runtime.execution(), data, {}, 0.7, 0.1).save(file.path());
    if (expected.empty()) expected = file.bytes();
    EXPECT_TRUE(file.bytes() == expected) << threads << " threads";
  }
}

RC_GTEST_PROP(ModelFile, AnyDoubleComesBack, (std::vector<double> numbers)) {
  Model model = trained(clouds(10, 2, 2, 0.3, 9));
  Index k = 0;
  for (const double number : numbers) {
    if (std::isfinite(number)) model.expansion.coefficients.data()[k++ % model.expansion.coefficients.size()] = number;
  }
  model.expansion.coefficients(0, 0) = -0.0;
  model.expansion.coefficients(0, 1) = std::numeric_limits<double>::denorm_min();
  RC_ASSERT(same_bits(round_trip(model).expansion.coefficients, model.expansion.coefficients));
}

/// A tensor that can be changed.
struct Tensor {
  std::string name;
  Dtype dtype;
  Shape shape;
  std::vector<std::byte> data;
};

struct Content {
  Metadata metadata;
  std::vector<Tensor> tensors;

  Tensor& tensor(std::string_view name) {
    return *std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.name == name; });
  }
  void set(std::string_view name, std::size_t at, double value) {
    std::memcpy(tensor(name).data.data() + at * sizeof(double), &value, sizeof(double));
  }
  void change_description(const std::function<void(nlohmann::json&)>& change) {
    auto json = nlohmann::json::parse(metadata.at("model"));
    change(json);
    metadata["model"] = json.dump();
  }
};

/// Saves a good model, changes what is in the file (the checksum is made anew), loads it, and returns the refusal.
std::string refusal(const std::function<void(Content&)>& change, bool sparse = false) {
  const TemporaryFile file("changed");
  const std::vector<std::string> labels = {"a", "b", "a", "b", "a"};
  trained(sparse ? label_rows(random_sparse(5, 4, 0.5, 10), labels, "t")
                 : make_dataset(random_matrix(5, 4, 10), labels))
      .save(file.path());
  Content content;
  {
    const SafetensorsFile saved = SafetensorsFile::open(file.path());
    content.metadata = saved.metadata();
    for (const auto& [name, view] : saved.tensors()) {
      content.tensors.push_back({name, view.dtype, view.shape, {view.data.begin(), view.data.end()}});
    }
  }
  change(content);
  std::vector<TensorToWrite> tensors;
  for (const Tensor& t : content.tensors) tensors.push_back({t.name, t.dtype, t.shape, t.data});
  write_safetensors(file.path(), content.metadata, tensors);
  const auto load = [&] { Model::load(file.path()); };
  EXPECT_THROW(load(), InputError);
  const std::string message = message_of(load);
  expect_contains(message, file.path());
  return message;
}

void remove_tensor(Content& content, std::string_view name) {
  std::erase_if(content.tensors, [&](const Tensor& t) { return t.name == name; });
}

/// Cuts the last `bytes` bytes; the shape becomes `shape`.
void reshape(Content& content, std::string_view name, Shape shape) {
  Tensor& t = content.tensor(name);
  std::size_t count = 1;
  for (const std::size_t n : shape) count *= n;
  t.data.resize(count * size_of(t.dtype));
  t.shape = std::move(shape);
}

TEST(ModelFile, ANewerVersionIsNamed) {
  expect_contains(refusal([](Content& c) { c.metadata["version"] = "999"; }), "version 999");
  const std::string path = invalid_file("model-newer-version.safetensors");
  EXPECT_THROW(Model::load(path), InputError);
  const std::string message = message_of([&] { Model::load(path); });
  expect_contains(message, "model-newer-version.safetensors");
  expect_contains(message, "use a newer manyone");
}

TEST(ModelFile, AForeignSafetensorsFileIsNotAModel) {
  const std::string path = invalid_file("model-of-another-program.safetensors");
  EXPECT_NO_THROW(SafetensorsFile::open(path));  // the container is fine
  EXPECT_THROW(Model::load(path), InputError);
  const std::string message = message_of([&] { Model::load(path); });
  expect_contains(message, "model-of-another-program.safetensors");
  expect_contains(message, "not a manyone model");
  expect_contains(refusal([](Content& c) { c.metadata.erase("format"); }), "not a manyone model");
}

TEST(ModelFile, AChangedByteBreaksTheChecksum) {
  const TemporaryFile file;
  trained(clouds(10, 2, 2, 0.3, 11)).save(file.path());
  std::string bytes = file.bytes();
  bytes[bytes.size() - 3] ^= 1;
  std::ofstream(file.path(), std::ios::binary) << bytes;
  const auto load = [&] { Model::load(file.path()); };
  EXPECT_THROW(load(), InputError);
  expect_contains(message_of(load), "checksum");
  expect_contains(message_of(load), file.path());
}

TEST(ModelFile, AMissingFileIsAnInputError) {
  EXPECT_THROW(Model::load("no-such-model.safetensors"), InputError);
  expect_contains(message_of([] { Model::load("no-such-model.safetensors"); }), "no-such-model.safetensors");
}

TEST(ModelFile, EveryTensorIsNeeded) {
  for (const std::string name : {"parameters", "coefficients", "bias", "labelbook", "scaling.offset", "scaling.factor",
                                 "schema.means", "centres"}) {
    expect_contains(refusal([&](Content& c) { remove_tensor(c, name); }), name);
  }
}

TEST(ModelFile, EveryEntryOfTheDescriptionIsNeeded) {
  for (const std::string key : {"machine", "search", "weights", "bias", "classes", "labelbook", "kernel", "scaling",
                                "schema", "trained_rows"}) {
    expect_contains(refusal([&](Content& c) { c.change_description([&](auto& json) { json.erase(key); }); }),
                    "incomplete");
  }
  refusal([](Content& c) { c.metadata.erase("model"); });
  refusal([](Content& c) { c.metadata["model"] = "[]"; });
  refusal([](Content& c) { c.metadata["model"] = "{"; });
  refusal([](Content& c) { c.change_description([](auto& json) { json["classes"] = 3; }); });
  refusal([](Content& c) { c.change_description([](auto& json) { json["kernel"]["name"] = "sigmoid"; }); });
  refusal([](Content& c) { c.change_description([](auto& json) { json["schema"]["plain_features"] = -4; }); });
}

TEST(ModelFile, ShapesThatDoNotFitTogetherAreRefused) {
  expect_contains(refusal([](Content& c) {
                    reshape(c, "coefficients", {4, 2});
                  }),
                  "centres do not fit the coefficients");
  expect_contains(refusal([](Content& c) { reshape(c, "coefficients", {5, 1}); }), "labelbook");
  expect_contains(refusal([](Content& c) { reshape(c, "coefficients", {10}); }), "dimensions");
  expect_contains(refusal([](Content& c) { reshape(c, "bias", {1}); }), "bias");
  expect_contains(refusal([](Content& c) { reshape(c, "labelbook", {1, 2}); }), "labelbook");
  expect_contains(refusal([](Content& c) { reshape(c, "scaling.offset", {3}); }), "scaling");
  expect_contains(refusal([](Content& c) { reshape(c, "centres", {5, 3}); }), "fit the centres");
  expect_contains(refusal([](Content& c) { reshape(c, "parameters", {3}); }), "parameters");
  expect_contains(refusal([](Content& c) { reshape(c, "schema.means", {1}); }), "means");
  expect_contains(refusal([](Content& c) { reshape(c, "coefficients", {5, 0}); }), "empty");
  expect_contains(refusal([](Content& c) { c.change_description([](auto& json) { json["classes"] = {"a"}; }); }),
                  "classes");
}

TEST(ModelFile, SparseCentresThatDoNotFitTogetherAreRefused) {
  const auto set_start = [](Content& c, std::size_t at, std::int64_t value) {
    std::memcpy(c.tensor("centres.indptr").data.data() + at * 8, &value, 8);
  };
  const auto set_column = [](Content& c, std::size_t at, std::int32_t value) {
    std::memcpy(c.tensor("centres.indices").data.data() + at * 4, &value, 4);
  };
  for (const auto& change : std::vector<std::function<void(Content&)>>{
           [&](Content& c) { set_start(c, 0, 1); }, [&](Content& c) { set_start(c, 1, 1'000'000); },
           [&](Content& c) { set_start(c, 1, -1); }, [&](Content& c) { set_start(c, 5, 1); },
           [&](Content& c) { set_column(c, 0, -1); }, [&](Content& c) { set_column(c, 0, 4); },
           [&](Content& c) { reshape(c, "centres.values", {1}); }}) {
    expect_contains(refusal(change, true), "sparse centres");
  }
}

TEST(ModelFile, NumbersThatAreNotFiniteAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::string name : {"coefficients", "bias", "labelbook", "scaling.offset", "scaling.factor", "centres"}) {
    expect_contains(refusal([&](Content& c) { c.set(name, 1, nan); }), "not finite");
    expect_contains(refusal([&](Content& c) { c.set(name, 1, std::numeric_limits<double>::infinity()); }),
                    "not finite");
  }
  expect_contains(refusal([&](Content& c) { c.set("centres.values", 0, nan); }, true), "not finite");
  expect_contains(refusal([&](Content& c) { c.set("parameters", 0, nan); }), "sigma");
  expect_contains(refusal([&](Content& c) { c.set("parameters", 2, nan); }), "ridge");
  expect_contains(refusal([&](Content& c) { c.set("parameters", 3, 0); }), "temperature");
}

}  // namespace
}  // namespace manyone::test
