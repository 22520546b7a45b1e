// SPDX-License-Identifier: Apache-2.0
//
// Keys that other tools rely on (docs/file-formats.md).
#include "result/result_json.hpp"

#include <gtest/gtest.h>

#include "backend/runtime.hpp"
#include "model/parameters.hpp"
#include "tests/problems.hpp"

namespace manyone::test {
namespace {

void expect_keys(const Json& json, const std::vector<std::string>& keys) {
  for (const auto& key : keys) EXPECT_TRUE(json.contains(key)) << key << " in " << json.dump().substr(0, 300);
}

Recipe small_grid() {
  Recipe recipe;
  recipe.search = SearchKind::grid;
  recipe.sigma_range = {-1, 1, 1};
  recipe.ridge_range = LogRange{-2, 0, 1};
  recipe.folds.count = 3;
  return recipe;
}

TEST(ResultJson, FitHoldsThePromisedKeys) {
  const Dataset data = clouds(30, 2, 3, 0.3, 1);
  const Runtime runtime(1);
  const Recipe recipe = small_grid();
  const Fit result = fit(runtime.execution(), data, recipe);
  const Json json = fit_json(DatasetRows(data), recipe, result, "m.safetensors", {0.1, 0.2});
  expect_keys(json,
              {"machine", "labelbook", "kernel", "ridge", "cv", "surface", "seconds", "n", "d", "classes", "model"});
  expect_keys(json["kernel"], {"name", "sigma"});
  expect_keys(json["cv"], {"folds", "repeats", "error", "std"});
  expect_keys(json["seconds"], {"read", "kernel", "solve", "select", "total"});
  EXPECT_EQ(json["surface"].size(), 9U);
  expect_keys(json["surface"][0], {"sigma", "ridge", "error"});
  EXPECT_EQ(json["n"], 30);
  EXPECT_EQ(json["d"], 2);
  EXPECT_EQ(json["classes"], (std::vector<std::string>{"c0", "c1", "c2"}));
  EXPECT_EQ(json["model"], "m.safetensors");
  EXPECT_TRUE(json["cv"]["std"].is_null()) << "a single repeat has no spread";
  EXPECT_EQ(json["seconds"]["read"], 0.1);
}

TEST(ResultJson, TuneHoldsThePromisedKeys) {
  const Dataset data = clouds(30, 2, 3, 0.3, 2);
  const Runtime runtime(1);
  Recipe recipe = small_grid();
  recipe.repeats = 2;
  const Json json =
      tuning_json(DatasetRows(data), recipe, tune(runtime.execution(), data, recipe, {.nested = true}), {});
  expect_keys(json,
              {"machine", "labelbook", "kernel", "ridge", "cv", "nested", "surface", "seconds", "n", "d", "classes"});
  EXPECT_TRUE(json["cv"]["std"].is_number());
  EXPECT_EQ(json["cv"]["repeats"], 2);
  EXPECT_EQ(json["nested"]["folds"], 3);
  EXPECT_EQ(json["nested"]["chosen"].size(), 3U);
  EXPECT_EQ(json["search"], "grid");
}

TEST(ResultJson, FixedParametersHaveNoSurface) {
  const Dataset data = clouds(20, 2, 2, 0.3, 3);
  const Runtime runtime(1);
  Recipe recipe;
  recipe.kernel = &kPolynomial;
  recipe.ridge = 1;
  const Json json = fit_json(DatasetRows(data), recipe, fit(runtime.execution(), data, recipe), "m", {});
  EXPECT_EQ(json["search"], "fixed");
  EXPECT_TRUE(json["cv"].is_null());
  EXPECT_TRUE(json["surface"].empty());
  expect_keys(json["kernel"], {"name", "degree", "offset"});
  EXPECT_FALSE(json["kernel"].contains("sigma"));
}

TEST(ResultJson, LeaveOneOutIsSpelledOut) {
  const Dataset data = clouds(12, 2, 2, 0.3, 4);
  const Runtime runtime(1);
  Recipe recipe = small_grid();
  recipe.folds.count = 0;
  const Json json = tuning_json(DatasetRows(data), recipe, tune(runtime.execution(), data, recipe), {});
  EXPECT_EQ(json["cv"]["folds"], "loo");
}

TEST(ResultJson, EvaluateHoldsThePromisedKeys) {
  MetricsCollector collector(2);
  collector.add(std::vector<int>{0, 1, 1}, std::vector<int>{1, 1, 1});
  const Json json = metrics_json(collector.result(), {"a", "b"});
  expect_keys(json, {"n", "error", "balanced_error", "confusion", "per_class"});
  EXPECT_EQ(json["confusion"]["labels"], (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(json["confusion"]["counts"], (std::vector<std::vector<int>>{{0, 1}, {0, 2}}));
  EXPECT_EQ(json["per_class"][1]["recall"], 1);
  EXPECT_TRUE(json["per_class"][0]["precision"].is_null());
}

TEST(ResultJson, ModelIsDescribed) {
  const Dataset data = clouds(20, 3, 2, 0.3, 5);
  const Runtime runtime(1);
  const Json json = model_json(train(runtime.execution(), data, {}, 0.5, 0.25));
  expect_keys(json, {"machine", "labelbook", "kernel", "ridge", "scale", "classes", "features", "centres", "n", "d"});
  EXPECT_EQ(json["features"], (std::vector<std::string>{"f1", "f2", "f3"}));
  EXPECT_EQ(json["kernel"]["sigma"], 0.5);
}

TEST(ResultJson, ModelIsDescribedByTheParametersThatTheTableSaysItHas) {
  const Dataset data = clouds(20, 3, 2, 0.3, 5);
  const Runtime runtime(1);
  Recipe polynomial;
  polynomial.kernel = &kPolynomial;
  Json all = model_json(train(runtime.execution(), data, {}, 0.5, 0.25));
  all["kernel"].update(model_json(train(runtime.execution(), data, polynomial, 1, 0.25))["kernel"]);
  for (const Parameter& parameter : parameters()) {
    const std::string name(parameter.name);
    EXPECT_EQ(all.contains(name) || all["kernel"].contains(name), parameter.in_model) << name;
  }
}

TEST(ResultJson, BytesThatAreNotUtf8AreReplacedNotFatal) {
  EXPECT_NE(dump(Json{{"label", "\xff"}}).find("\xef\xbf\xbd"), std::string::npos);
}

}  // namespace
}  // namespace manyone::test
