// SPDX-License-Identifier: Apache-2.0
#include "base/json_text.hpp"

#include <string>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace manyone {
namespace {

std::string brackets(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(JsonText, DepthHasALimit) {
  EXPECT_TRUE(parse_json<nlohmann::json>(brackets(64)).is_array());
  EXPECT_TRUE(parse_json<nlohmann::json>(brackets(65)).is_discarded());
  EXPECT_TRUE(parse_json<nlohmann::ordered_json>(brackets(100'000)).is_discarded());
}

TEST(JsonText, BracketsInTextsDoNotCount) {
  const std::string text = "[\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\", [1]]";
  EXPECT_TRUE(parse_json<nlohmann::json>(text).is_array());
}

TEST(JsonText, WhatIsNoJsonIsDiscarded) {
  EXPECT_TRUE(parse_json<nlohmann::json>("{").is_discarded());
  EXPECT_TRUE(parse_json<nlohmann::json>("]]]]").is_discarded());
  EXPECT_TRUE(parse_json<nlohmann::json>("").is_discarded());
}

}  // namespace
}  // namespace manyone
