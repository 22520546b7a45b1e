// SPDX-License-Identifier: Apache-2.0
#include "manyone/words.hpp"

#include <gtest/gtest.h>

#include "base/worded.hpp"

namespace manyone {
namespace {

std::string loud(std::string_view name, std::string_view value) {
  return "<" + std::string(name) + "|" + std::string(value) + ">";
}

TEST(Words, EveryMarkIsSpelledByTheFrontEnd) {
  const Words words = "leave `reduce` out, or use `scale=maxabs` in `row#3`";
  EXPECT_EQ(words.in(loud), "leave <reduce|> out, or use <scale|=maxabs> in <row|#3>");
  EXPECT_EQ(words.text(), "leave reduce out, or use scale=maxabs in row 3");
  EXPECT_EQ(Words("classes `#1` and `#2`").text(), "classes 1 and 2");
}

TEST(Words, ValuesAreNotReadForMarks) {
  const std::string label = "`scale=none` {} --ridge";
  EXPECT_EQ(Words(label).in(loud), label);
  EXPECT_EQ(worded("found {} in `row#{}`", label, 7).in(loud), "found " + label + " in <row|#7>");
  EXPECT_EQ(worded("use `target={}`", label).in(loud), "use <target|=" + label + ">");
}

TEST(Words, BytesOfMarksInTextOfOthersMarkNothing) {
  const std::string label = "\x0escale=none\x0f";
  EXPECT_EQ(Words(label).in(loud), "\\x0escale=none\\x0f");
  const std::string said = worded("`bias`: found {}", label).in(loud);
  EXPECT_EQ(said.find('<'), std::string::npos) << said;
  EXPECT_NE(said.find("bias"), std::string::npos);
}

TEST(Words, KeepTheirMarksInsideOthers) {
  const Words column = worded("`column#{}`", 2);
  EXPECT_EQ((worded("{} of `table` {}", column, 5) + "; use `ignore`").in(loud),
            "<column|#2> of <table|> 5; use <ignore|>");
}

TEST(Words, NameTheirParametersOnce) {
  const Words words = "`scale=range`, `scale` or `bias` in `row#1`";
  EXPECT_EQ(words.parameters(), (std::vector<std::string>{"scale", "bias"}));
  EXPECT_TRUE(Words().empty());
}

}  // namespace
}  // namespace manyone
