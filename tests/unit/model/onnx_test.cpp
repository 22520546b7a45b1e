// SPDX-License-Identifier: Apache-2.0
//
// What is in an exported file. That runtimes compute our scores from it is tests/export's business.
#include "model/onnx.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "backend/runtime.hpp"
#include "tests/complaints.hpp"
#include "tests/problems.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

Model trained(const Recipe& recipe = {}) {
  const Runtime runtime(1);
  return train(runtime.execution(), clouds(20, 2, 3, 0.4, 1), recipe, 0.7, 0.1);
}

template <class T>
std::string raw(T number) {
  std::string out(sizeof(T), '\0');
  std::memcpy(out.data(), &number, sizeof(T));
  return out;
}

TEST(Onnx, NamesWhatGoesInAndOut) {
  const std::string bytes = onnx_bytes(trained(), {false, "1.2.3"});
  EXPECT_EQ(bytes.substr(0, 2), "\x08\x08");  // version 8 of the file format
  for (const std::string name :
       {"manyone", "1.2.3", "features", "label", "scores", "probabilities", "onelsm", "rows"}) {
    expect_contains(bytes, name);
  }
  expect_contains(bytes, R"(["c0","c1","c2"])");
}

TEST(Onnx, NumbersAreThereBitForBit) {
  const Model model = trained();
  const std::string bytes = onnx_bytes(model, {});
  for (const double number : {model.expansion.coefficients(3, 1), model.scaling.factor[1], model.temperature}) {
    expect_contains(bytes, raw(number));
  }
  const std::string narrow = onnx_bytes(model, {true, ""});
  expect_contains(narrow, raw(static_cast<float>(model.expansion.coefficients(3, 1))));
  EXPECT_LT(narrow.size(), bytes.size());
}

TEST(Onnx, TheSameModelGivesTheSameBytes) {
  EXPECT_EQ(onnx_bytes(trained(), {}), onnx_bytes(Model::from_bytes(trained().bytes(), "model"), {}));
}

TEST(Onnx, ALinearKernelNeedsNoCentres) {
  Recipe recipe;
  recipe.kernel = &kLinear;
  const Model model = trained(recipe);
  const std::string bytes = onnx_bytes(model, {});
  expect_contains(bytes, "weights");
  EXPECT_EQ(bytes.find("centres"), std::string::npos);
}

TEST(Onnx, ClassesAreIntegersOnlyWhenAllAreInTheirPlainSpelling) {
  Model model = trained();
  EXPECT_FALSE(has_integer_classes(model));
  model.classes = {"-1", "0", "10"};
  EXPECT_TRUE(has_integer_classes(model));
  for (const std::string other : {"01", "+1", "1.0", "", "99999999999999999999"}) {
    model.classes = {"1", "2", other};
    EXPECT_FALSE(has_integer_classes(model)) << other;
  }
}

TEST(Onnx, NumbersBeyondFloat32AreRefused) {
  Model model = trained();
  model.expansion.coefficients(0, 0) = 1e200;
  EXPECT_NO_THROW(onnx_bytes(model, {}));
  expect_complaint([&] { onnx_bytes(model, {true, ""}); }, Fault::usage, "float32", "leave float32 out");
}

TEST(Onnx, ModelsBeyondTwoGigabytesAreRefusedBeforeTheyAreBuilt) {
  Model model = trained();
  SparseMatrix wide(model.expansion.coefficients.rows(), 20'000'000);
  model.expansion.centres = Features(wide);
  EXPECT_THROW(onnx_bytes(model, {}), ConfigError);
  expect_contains(message_of([&] { onnx_bytes(model, {}); }), "2 GB");
}

TEST(Onnx, CodesWithOtherEntriesAreRefused) {
  Model model = trained();
  model.decoder.entry = &decoder_from_name("hamming");
  model.decoder.code(0, 0) = 0.5;
  expect_contains(message_of([&] { onnx_bytes(model, {}); }), "-1, 0 and 1");
}

}  // namespace
}  // namespace manyone::test
