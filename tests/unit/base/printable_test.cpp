// SPDX-License-Identifier: Apache-2.0
#include "base/printable.hpp"

#include <gtest/gtest.h>

namespace manyone {
namespace {

TEST(Printable, ControlCharactersAndBrokenBytesAreEscaped) {
  EXPECT_EQ(escaped("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(escaped("tab\tline\n\x7f"), "tab\\x09line\\x0a\\x7f");
  EXPECT_EQ(escaped("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(escaped("\xc2\x9b"), "\\xc2\\x9b");           // an escape of the second block
  EXPECT_EQ(escaped("\xe2\x80\xae"), "\\xe2\\x80\\xae");  // turns the direction of the text
  EXPECT_EQ(escaped("Grüße, κλάση, 类"), "Grüße, κλάση, 类");
}

TEST(Printable, LongWordsKeepTheirEnds) {
  const std::string word = "/start" + std::string(5000, 'x') + "end:12:3:";
  const std::string line = printable_line("cannot read " + word + " again");
  EXPECT_LT(line.size(), 230u);
  EXPECT_TRUE(line.starts_with("cannot read /startxxx"));
  EXPECT_TRUE(line.ends_with("xend:12:3: again"));
  EXPECT_EQ(printable_line("a  b"), "a  b");
  EXPECT_EQ(printable_line(std::string(200, 'x')), std::string(200, 'x'));
}

TEST(Printable, LongLinesOfShortWordsAreCutToo) {
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "ü ";
  const std::string line = printable_line(many);
  EXPECT_LT(line.size(), 4100u);
  EXPECT_EQ(escaped(line), line);  // no character was cut in two
}

TEST(Printable, LinesStayLines) { EXPECT_EQ(printable_lines("a\nb\r\n\nc"), "a\nb\\x0d\n\nc"); }

}  // namespace
}  // namespace manyone
