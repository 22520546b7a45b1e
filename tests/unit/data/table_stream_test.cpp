// SPDX-License-Identifier: Apache-2.0
#include "data/rows/table_stream.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/numbers.hpp"
#include "data/scaling.hpp"
#include "table_files.hpp"

namespace manyone::test {
namespace {

/// A folder of files that goes with the test.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "manyone-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return path_ / name; }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string pack(const std::string& name, const std::string& bytes) const {
    const gzFile file = gzopen(path(name).c_str(), "wb");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

/// All blocks of a pass as one.
struct Rows {
  std::vector<double> values;
  std::vector<int> labels;
  std::set<bool> kinds;  ///< sparse, dense or both
  std::vector<Index> sizes;
};

Rows all_rows(const TableStream& stream, Index rows_per_block) {
  Rows all;
  stream.pass(
      [&](const Features& features, std::span<const int> labels, Index first) {
        EXPECT_EQ(first, std::ssize(all.labels));
        EXPECT_EQ(features.rows(), std::ssize(labels));
        EXPECT_EQ(features.features(), stream.features());
        EXPECT_GT(features.rows(), 0);
        const Matrix x = features.dense_rows(0, features.rows());
        all.values.insert(all.values.end(), x.data(), x.data() + x.size());
        all.labels.insert(all.labels.end(), labels.begin(), labels.end());
        all.kinds.insert(features.sparse());
        all.sizes.push_back(features.rows());
      },
      rows_per_block);
  return all;
}

void expect_same_bits(const std::vector<double>& found, const Matrix& expected) {
  ASSERT_EQ(std::ssize(found), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(found[i]), std::bit_cast<std::uint64_t>(expected.data()[i])) << i;
  }
}

void expect_same_schema(const Schema& found, const Schema& expected) {
  ASSERT_EQ(found.columns.size(), expected.columns.size());
  for (std::size_t c = 0; c < found.columns.size(); ++c) {
    const Column& a = found.columns[c];
    const Column& b = expected.columns[c];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.nominal, b.nominal);
    EXPECT_EQ(a.values, b.values);
    EXPECT_EQ(a.missing_feature, b.missing_feature);
    EXPECT_EQ(a.means, b.means) << "to the last bit";
  }
  EXPECT_EQ(found.target, expected.target);
  EXPECT_EQ(found.target_position, expected.target_position);
  EXPECT_EQ(found.fold, expected.fold);
  EXPECT_EQ(found.named, expected.named);
  EXPECT_EQ(found.plain, expected.plain);
  EXPECT_EQ(found.missing, expected.missing);
  EXPECT_EQ(found.plain_features, expected.plain_features);
  ASSERT_EQ(found.left_out.size(), expected.left_out.size());
  for (std::size_t k = 0; k < found.left_out.size(); ++k) {
    EXPECT_EQ(found.left_out[k].name, expected.left_out[k].name);
    EXPECT_EQ(found.left_out[k].position, expected.left_out[k].position);
  }
}

void expect_equal(const TableStream& stream, const Dataset& data) {
  expect_same_schema(stream.schema(), data.schema);
  EXPECT_EQ(stream.classes(), data.classes);
  EXPECT_EQ(stream.rows(), data.rows());
  EXPECT_EQ(stream.dropped(), data.dropped);
  EXPECT_EQ(stream.notes(), data.notes);
  EXPECT_EQ(stream.source(), data.source);
  EXPECT_EQ(stream.sparse(), data.features.sparse());
  std::vector<Index> counts(data.classes.size());
  for (const int label : data.labels) ++counts[static_cast<std::size_t>(label)];
  EXPECT_EQ(std::vector<Index>(stream.class_counts().begin(), stream.class_counts().end()), counts);
  for (const Index rows_per_block : {1, 7, 8192}) {
    SCOPED_TRACE(rows_per_block);
    const Rows all = all_rows(stream, rows_per_block);
    expect_same_bits(all.values, data.features.dense_rows(0, data.rows()));
    EXPECT_EQ(all.labels, data.labels);
    EXPECT_EQ(all.kinds, std::set<bool>{data.features.sparse()});
    for (std::size_t b = 0; b + 1 < all.sizes.size(); ++b) EXPECT_EQ(all.sizes[b], rows_per_block);
  }
}

ReadOptions with_target(const std::string& target, std::optional<bool> header = std::nullopt) {
  ReadOptions options;
  options.target = target;
  options.header = header;
  return options;
}

ReadOptions with_policy(MissingPolicy policy) {
  ReadOptions options;
  options.missing = policy;
  return options;
}

/// The stream of a file says and gives what read_dataset() does, error or not.
void expect_as_in_memory(const std::string& path, const ReadOptions& options = {}) {
  SCOPED_TRACE(path);
  std::optional<Dataset> data;
  std::string message;
  try {
    data = read_dataset(path, options);
  } catch (const Error& error) {
    message = error.what();
  }
  if (data) {
    expect_equal(TableStream(path, options), *data);
  } else {
    EXPECT_EQ(message_of([&] { TableStream(path, options); }), message);
  }
}

constexpr MissingPolicy kPolicies[] = {MissingPolicy::error, MissingPolicy::drop, MissingPolicy::mean,
                                       MissingPolicy::indicator};

TEST(TableStream, EveryTestTableReadsAsInMemory) {
  for (const std::string& folder : {valid_file(""), invalid_file("")}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      for (const MissingPolicy policy : kPolicies) {
        expect_as_in_memory(entry.path(), with_policy(policy));
      }
    }
  }
}

TEST(TableStream, IdentifiersIgnoredColumnsAndNotesAreThoseInMemory) {
  const Folder folder;
  for (const bool header : {true, false}) {
    std::string text = header ? ";name;Label;x;code;empty;class\n" : "";
    for (int i = 0; i < 300; ++i) {
      const std::string whole = std::to_string(i * 7 % 13);
      text += std::to_string(i) + ";n" + std::to_string(i) + ";" + "pq"[i / 150] + ";" + whole + ",5;k" +
              std::to_string(i % 3) + ";;" + std::to_string(i % 3) + "\n";
      if (i % 50 == 7) text += "# a comment\n";
    }
    const std::string path = folder.write("messy.csv", text);
    ReadOptions options;
    options.ignore = {"6"};
    expect_as_in_memory(path, options);
    const TableStream stream(path, options);
    EXPECT_EQ(stream.schema().left_out.size(), 3);
    EXPECT_EQ(stream.features(), 2 + 1 + 3);
    EXPECT_EQ(stream.notes().size(), 4);
    options.keep_identifiers = true;
    expect_as_in_memory(path, options);
  }
}

/// A table with everything in it; the last row has a class and a nominal value that no other has.
std::string mixed_table(int rows, const char* missing) {
  std::string text = "size,colour,doors,code,class\n";
  for (int i = 0; i < rows; ++i) {
    text += i % 11 == 3 ? missing : format_double(1.0 / (i + 1) - 0.25);
    text += i % 13 == 5 ? std::string(",") + missing : std::string(i % 3 ? ",red" : ",\"dark, green\"");
    text += i % 2 ? ",more," : "," + std::to_string(i % 5) + ".0,";
    text += i % 17 == 8 ? missing : std::to_string(i % 4 - 1);
    text += "," + std::to_string(10 - i % 3) + "\n";
  }
  return text + "0.5,pink,2,7,last\n";
}

TEST(TableStream, MixedTablesReadAsInMemoryUnderEveryPolicy) {
  const Folder folder;
  for (const char* missing : {"", "?", "NA", "1"}) {
    const std::string text = mixed_table(200, missing);
    for (const std::string& path : {folder.write("t.csv", text), folder.pack("t.csv.gz", text)}) {
      for (const MissingPolicy policy : kPolicies) {
        for (const Names& nominal : {Names{}, Names{"code"}, Names{"1"}}) {
          ReadOptions options = with_policy(policy);
          options.nominal = nominal;
          expect_as_in_memory(path, options);
          options.target = "colour";
          expect_as_in_memory(path, options);
        }
      }
    }
  }
}

TEST(TableStream, AColumnThatBecomesNominalLateIsReadAgain) {
  // Two blocks of numbers, then words: more than a tenth in the end.
  std::string text = "k,x,class\n";
  for (int i = 0; i < 20000; ++i)
    text += (i < 17000 ? std::to_string(i % 9) + ".50" : "word" + std::to_string(i % 3)) + ",1," +
            std::to_string(i % 2) + "\n";
  const Folder folder;
  for (const MissingPolicy policy : kPolicies) {
    expect_as_in_memory(folder.write("t.csv", text), with_policy(policy));
  }
  EXPECT_EQ(TableStream(folder.path("t.csv"), {}).schema().columns[0].values.size(), 12u);
}

TEST(TableStream, AFewWordsAmongManyNumbersAreSlips) {
  std::string text = "k,class\n";
  for (int i = 0; i < 20000; ++i)
    text += (i % 100 == 99 ? "oops" : std::to_string(i)) + "," + std::to_string(i % 2) + "\n";
  const Folder folder;
  expect_as_in_memory(folder.write("t.csv", text));
  expect_contains(message_of([&] { TableStream(folder.path("t.csv"), {}); }), "t.csv:101:1: expected a number");
}

TEST(TableStream, RowsAreDroppedWhateverElseTheyHold) {
  const Folder folder;
  expect_as_in_memory(folder.write("t.csv", "k,x,y,class\nu,1,1,a\nunseen,?,2,b\nv,nan,?,b\nv,2,3,b\nw,?,1,unseen\n"),
                      with_policy(MissingPolicy::drop));
}

TEST(TableStream, ColumnsWithoutNamesAreTakenByPosition) {
  const Folder folder;
  expect_as_in_memory(folder.write("t.csv", ",,x,\n1,2,3,a\n4,5,6,b\n"), with_target("", true));
}

TEST(TableStream, ADeclaredQuestionMarkIsMissing) {
  const Folder folder;
  const std::string path = folder.write(
      "t.arff",
      "@relation r\n@attribute k {?,u,v}\n@attribute x real\n@attribute c {a,b}\n@data\n?,1,a\nu,?,b\nv,2,a\n");
  for (const MissingPolicy policy : kPolicies) {
    expect_as_in_memory(path, with_policy(policy));
  }
}

TEST(TableStream, OptionsAreFollowedAsInMemory) {
  const Folder folder;
  const std::string path = folder.write("t.csv", "1,2,3\n4,5,a\n6,7,b\n");
  for (const bool header : {false, true}) {
    for (const char* target : {"", "1", "3", "9", "nothing"}) {
      expect_as_in_memory(path, with_target(target, header));
    }
  }
  const std::string sparse = folder.write("t.svm", "1 3:1\n2 1:2\n");
  expect_as_in_memory(sparse, with_target("1"));
  ReadOptions nominal;
  nominal.nominal = {"1"};
  expect_as_in_memory(sparse, nominal);
  expect_as_in_memory(folder.path("absent.csv"));
}

TEST(TableStream, OneKindOfBlocksForTheWholeTable) {
  const Folder folder;
  // Dense rows first, empty ones later, and the other way round; then the same with few entries in all.
  for (const int full : {3, 8}) {
    std::string dense_first;
    std::string dense_last;
    for (int i = 0; i < 30; ++i) {
      std::string wide = std::to_string(i % 2);
      for (int j = 1; j <= 10; ++j) wide += " " + std::to_string(j) + ":" + std::to_string(i + j);
      const std::string narrow = std::to_string(i % 2) + " 4:1";
      dense_first += (i < full ? wide : narrow) + "\n";
      dense_last += (i < 30 - full ? narrow : wide) + "\n";
    }
    for (const std::string& text : {dense_first, dense_last}) {
      expect_as_in_memory(folder.write("t.svm", text));
      expect_as_in_memory(folder.pack("t.svm.gz", text));
      EXPECT_EQ(TableStream(folder.path("t.svm"), {}).sparse(), full == 3);
    }
  }
}

RC_GTEST_PROP(TableStream, AnyTableReadsAsInMemory, ()) {
  const auto rows = *rc::gen::inRange(1, 40);
  const bool header = *rc::gen::arbitrary<bool>();
  std::string text = header ? "first,second,class\n" : "";
  const auto cell = rc::gen::element<std::string>("1", "1.0", "-0", "0", "2.5e3", "a", "b", "\"c,d\"", "?", "nan");
  for (int i = 0; i < rows; ++i) {
    text += *cell + "," + *cell + "," + *rc::gen::element<std::string>("p", "q", "1") + "\n";
  }
  ReadOptions options;
  options.missing = *rc::gen::elementOf(std::vector<MissingPolicy>(std::begin(kPolicies), std::end(kPolicies)));
  if (*rc::gen::arbitrary<bool>()) options.nominal = {"1"};
  const Folder folder;
  expect_as_in_memory(folder.write("t.csv", text), options);
  RC_ASSERT(!::testing::Test::HasFailure());
}

TEST(TableStream, WhatCannotBeReadTwiceIsRefused) {
  expect_contains(message_of([] { TableStream("-", {}); }), "standard input");
  EXPECT_THROW(TableStream("-", {}), ConfigError);
  const Folder folder;
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(TableStream(pipe, {}), ConfigError);
}

TEST(TableStream, AFoldColumnIsKeptAsATableInMemoryKeepsIt) {
  ReadOptions options;
  options.fold_column = "fold";
  const TableStream stream(valid_file("csv-folds.csv"), options);
  EXPECT_EQ(stream.folds(), read_dataset(valid_file("csv-folds.csv"), options).folds);
  EXPECT_EQ(stream.folds().front(), "one");
  EXPECT_EQ(stream.features(), 1);
  Index rows = 0;
  stream.pass([&](const Features& block, std::span<const int>, Index) { rows += block.rows(); });
  EXPECT_EQ(rows, std::ssize(stream.folds()));
  EXPECT_TRUE(TableStream(valid_file("csv-folds.csv"), {}).folds().empty());
}

/// The message of a pass over a table that was rewritten after its first reading.
std::string message_after_rewriting(const std::string& name, const std::string& before, const std::string& after,
                                    const ReadOptions& options = {}) {
  const Folder folder;
  const TableStream stream(folder.write(name, before), options);
  const std::string path = folder.write(name, after);
  for (const Index rows : {1, 8192}) {
    Index seen = 0;
    EXPECT_THROW(stream.pass([&](const Features& x, auto, Index) { seen += x.rows(); }, rows), InputError);
    EXPECT_LE(seen, stream.rows()) << "no caller's array is overrun";
  }
  const std::string message = message_of([&] { stream.pass([](const auto&, auto, Index) {}); });
  EXPECT_TRUE(message.starts_with(path + ": the table changed while it was read; ")) << message;
  EXPECT_EQ(message.find("changed"), message.rfind("changed")) << message;
  return message;
}

TEST(TableStream, AChangedTableIsNoticed) {
  const std::string table = "x,k,class\n1,u,a\n2,v,b\n3,u,b\n";
  const auto after = [&](const std::string& text) { return message_after_rewriting("t.csv", table, text); };
  expect_contains(after("x,k,class\n1,u,a\n2,v,b\n3,u,b\n4,u,a\n"), "it had 3 rows");
  expect_contains(after("x,k,class\n1,u,a\n2,v,b\n"), "it had 3 rows and now has 2");
  expect_contains(after("x,k,class\n1,u,a\n2,v,a\n3,u,b\n"), "class 'a' had 1 rows");
  expect_contains(after("x,k,class\n1,u,b\n2,v,a\n3,u,b\n"), "its contents");
  expect_contains(after("x,k,class\n1,u,a\n9,v,b\n3,u,b\n"), "its contents");
  expect_contains(after("x,k,class\n2,v,b\n1,u,a\n3,u,b\n"), "its contents");
  expect_contains(after("x,k,class\n1,u,a\n2,v,c\n3,u,b\n"), "the class 'c' was not there");
  expect_contains(after("x,k,class\n1,u,a\n2,v,b\n3,w,b\n"), "the value 'w'");
  expect_contains(after("x,k,class\n1,u,a\n2,v,b\n?,u,b\n"), "missing");
  expect_contains(after("x,k,class\n1,u,a\n2,v\n"), "expected 3 cells");
  expect_contains(after(""), "empty");
  expect_contains(message_after_rewriting("t.svm", "1 1:2\n2 2:3\n", "1 1:2\n2 3:3\n"), "indices up to 2");
  expect_contains(message_after_rewriting("t.svm", "1 1:2\n2 2:3\n", "1 1:2\n2 2:4\n"), "its contents");
  message_after_rewriting("t.csv", "1,a\n?,b\n2,b\n", "1,a\n2,b\n", with_policy(MissingPolicy::drop));
}

TEST(TableStream, ChangedIdxLabelsAreNoticed) {
  const Folder folder;
  const std::string images("\0\0\x08\x02\0\0\0\x02\0\0\0\x01\x05\x06", 14);
  const std::string path = folder.write("t-images-idx2-ubyte", images);
  folder.write("t-labels-idx1-ubyte", std::string("\0\0\x08\x01\0\0\0\x02\x00\x01", 10));
  const TableStream stream(path, {});
  EXPECT_EQ(all_rows(stream, 8192).labels, (std::vector<int>{0, 1}));
  folder.write("t-labels-idx1-ubyte", std::string("\0\0\x08\x01\0\0\0\x02\x01\x00", 10));
  EXPECT_THROW(all_rows(stream, 1), InputError);
}

TEST(TableStream, ARemovedTableIsNoticed) {
  const Folder folder;
  const TableStream stream(folder.write("t.csv", "1,a\n2,b\n"), {});
  std::filesystem::remove(folder.path("t.csv"));
  expect_contains(message_of([&] { all_rows(stream, 1); }), "t.csv: the table changed while it was read");
}

TEST(TableStream, ACutGzipFileIsAnErrorWithItsName) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * 7919 % 10007) + "," + std::to_string(i % 3) + "\n";
  const Folder folder;
  const std::string path = folder.pack("t.csv.gz", text);
  const TableStream stream(path, {});
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  expect_contains(message_of([&] { TableStream(path, {}); }), path + ": the gzip data ends in the middle");
  const std::string message = message_of([&] { all_rows(stream, 100); });
  expect_contains(message, path + ": the table changed while it was read; ");
  expect_contains(message, "ends in the middle");
}

std::string long_table(int rows) {
  std::string text;
  for (int i = 0; i < rows; ++i) text += std::to_string(i % 997) + "," + std::to_string(i % 2) + "\n";
  return text;
}

TEST(TableStream, CanBeInterrupted) {
  const Folder folder;
  const std::string path = folder.write("t.csv", long_table(30000));
  Interrupt interrupt;
  std::vector<double> parts;
  const TableStream stream(path, {}, interrupt, [&](double part) { parts.push_back(part); });
  EXPECT_GE(parts.size(), 3u);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_EQ(parts.back(), 1);
  int blocks = 0;
  EXPECT_THROW(stream.pass([&](const auto&, auto, Index) { ++blocks, interrupt.request(); }, 100), Interrupted);
  EXPECT_EQ(blocks, 1);
  EXPECT_THROW(stream.pass([](const auto&, auto, Index) {}), Interrupted);
  EXPECT_THROW(TableStream(path, {}, interrupt), Interrupted);
  Interrupt later;
  EXPECT_THROW(TableStream(path, {}, later, [&](double) { later.request(); }), Interrupted);
}

TEST(TableStream, WhatTheCallerThrowsEndsThePass) {
  const Folder folder;
  const TableStream stream(folder.write("t.csv", long_table(3000)), {});
  for (const Index at : {0, 700, 2999}) {
    Index seen = 0;
    EXPECT_THROW(stream.pass(
                     [&](const auto&, auto, Index first) {
                       ++seen;
                       if (first == at) throw std::out_of_range("enough");
                     },
                     1),
                 std::out_of_range);
    EXPECT_EQ(seen, at + 1);
  }
  EXPECT_EQ(std::ssize(all_rows(stream, 1000).labels), 3000) << "and the stream is as it was";
}

TEST(TableStream, WideRowsMakeSmallBlocks) {
  std::string text;
  for (int i = 0; i < 12; ++i) {
    text += std::to_string(i % 2) + " 1:1";
    for (int j = 2; j <= 1'500'000; j += 4) text += " " + std::to_string(j) + ":1";
    text += "\n";
  }
  const Folder folder;
  const TableStream stream(folder.write("t.svm", text), {});
  EXPECT_FALSE(stream.sparse());
  Index rows = 0;
  stream.pass([&](const Features& x, auto, Index) {
    EXPECT_LE(x.bytes(), 64.0 * (1 << 20));
    rows += x.rows();
  });
  EXPECT_EQ(rows, 12);
}

TEST(TableStream, ScalingFromBlocksIsScalingOfTheWhole) {
  const Folder folder;
  const std::string path = folder.write("t.csv", mixed_table(300, "0.125"));
  const Dataset data = read_dataset(path, {});
  const TableStream stream(path, {});
  for (const Index rows : {1, 7, 8192}) {
    ScalingSums sums;
    stream.pass([&](const Features& x, auto, Index) { sums.add(x); }, rows);
    for (const ScalingKind kind : {ScalingKind::range, ScalingKind::standard, ScalingKind::maxabs, ScalingKind::none}) {
      const Scaling found = sums.finish(kind);
      const Scaling expected = Scaling::fit(kind, data.features);
      EXPECT_EQ(found.offset, expected.offset) << name_of(kind);
      EXPECT_EQ(found.factor, expected.factor) << name_of(kind);
    }
  }
}

}  // namespace
}  // namespace manyone::test
