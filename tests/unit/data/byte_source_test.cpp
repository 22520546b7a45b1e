// SPDX-License-Identifier: Apache-2.0
#include "data/bytes/byte_source.hpp"

#include <array>
#include <fstream>
#include <iterator>

#include "data/bytes/byte_window.hpp"
#include "table_files.hpp"

namespace manyone::test {
namespace {

std::string all_of(ByteSource& source, std::size_t piece) {
  std::string out;
  std::vector<char> buffer(piece);
  while (const std::size_t count = source.read(buffer)) out.append(buffer.data(), count);
  return out;
}

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ByteSource, GzipMembersOneBehindTheOtherReadAsOneFile) {
  const std::string expected = file_bytes(valid_file("csv-header.csv"));
  for (const std::size_t piece : {1, 7, 1000}) {
    EXPECT_EQ(all_of(*open_bytes(valid_file("csv-packed.csv.gz")), piece), expected);
  }
}

TEST(ByteSource, GzipDoesNotDependOnTheStepsOfItsInput) {
  const std::string packed = file_bytes(valid_file("csv-packed.csv.gz"));
  const std::string expected = file_bytes(valid_file("csv-header.csv"));
  for (const std::size_t step : {1, 3, 1000}) EXPECT_EQ(all_of(*bytes_in_memory(packed, "m", step), 5), expected);
}

TEST(ByteSource, ZeroBytesBehindGzipArePadding) {
  const std::string packed = file_bytes(valid_file("csv-packed.csv.gz")) + std::string(512, '\0');
  EXPECT_EQ(all_of(*bytes_in_memory(packed, "m"), 64), file_bytes(valid_file("csv-header.csv")));
}

TEST(ByteSource, EveryCutOfAGzipFileIsAnError) {
  const std::string packed = file_bytes(invalid_file("gz-truncated.csv.gz"));
  for (std::size_t size = 2; size <= packed.size(); ++size) {
    const auto source = bytes_in_memory(packed.substr(0, size), "cut.gz");
    EXPECT_THROW(all_of(*source, 4096), InputError) << size;
  }
}

TEST(ByteSource, ProgressGoesFromZeroToOne) {
  const auto source = bytes_in_memory(std::string(1000, 'x'), "m", 100);
  std::array<char, 100> buffer;
  EXPECT_LT(source->progress(), 0.1);
  source->read(buffer), source->read(buffer);
  EXPECT_NEAR(source->progress(), 0.1, 0.01);
  all_of(*source, 100);
  EXPECT_EQ(source->progress(), 1);
}

TEST(ByteSource, AFileThatIsNotThereIsAnInputErrorWithItsName) {
  expect_contains(message_of([] { open_bytes("no/such/file.csv"); }), "no/such/file.csv: cannot be opened");
  expect_contains(message_of([] { open_bytes(MANYONE_TEST_DATA); }), "cannot be read");
}

TEST(ByteWindow, KeepsANewlineBehindItsBytes) {
  ByteWindow window(bytes_in_memory("abcdefgh", "m", 1));
  while (window.more()) EXPECT_EQ(*window.end(), '\n');
  EXPECT_EQ(window.view(), "abcdefgh");
  window.consume(8);
  EXPECT_FALSE(window.more());
  EXPECT_EQ(window.size(), 0u);
}

TEST(LineReader, LinesDoNotDependOnTheStepsOfTheSource) {
  for (const std::size_t step : {1, 2, 5, 100}) {
    LineReader reader(
        ByteWindow(bytes_in_memory("\xEF\xBB\xBF"
                                   "one\n\nthree",
                                   "m", step)));
    std::vector<std::string> lines;
    for (std::string_view line; reader.next(line);) lines.emplace_back(line);
    EXPECT_EQ(lines, (std::vector<std::string>{"one", "", "three"}));
    EXPECT_EQ(reader.line(), 3u);
  }
}

}  // namespace
}  // namespace manyone::test
