// SPDX-License-Identifier: Apache-2.0
//
// One file per failure: each is an InputError whose one line tells the place and what was expected.
#include <filesystem>
#include <set>

#include "table_files.hpp"

namespace manyone::test {
namespace {

struct Failure {
  const char* file;
  const char* place;  ///< what follows the file name
  const char* message;
};

constexpr Failure kTraining[] = {
    {"csv-ragged-row.csv", ":3:2: ", "expected 3 cells as in the first row, found 2"},
    {"csv-ragged-row-long.csv", ":3:4: ", "expected 3 cells as in the first row, found 4"},
    {"csv-bad-number.csv",
     ":8:2: ", "expected a number, found 'abc' in column 'y'; use nominal=y if these are categories"},
    {"csv-nan.csv", ":3:2: ", "a value is missing in row 2, column 'y'"},
    {"csv-inf.csv", ":3:1: ", "'-Infinity' in column 'x' is not finite"},
    {"csv-out-of-range.csv", ":3:2: ", "'1e999' in column 'y' is not finite"},
    {"csv-decimal-comma.csv", ":2:1: ", "write decimals with a point"},
    {"csv-quote-never-closed.csv", ":2:2: ", "never closed"},
    {"csv-text-behind-quote.csv", ":2:2: ", "expected a delimiter behind the closing quote, found '3'"},
    {"csv-empty.csv", ": ", "the file is empty"},
    {"csv-blank.csv", ": ", "the file is empty"},
    {"csv-header-only.csv", ": ", "has a header but no rows"},
    {"csv-one-class.csv", ": ", "expected at least two classes in column 'class', found only 'a'"},
    {"csv-one-column.csv", ": ", "expected at least one feature column"},
    {"csv-missing-value.csv", ":3:2: ", "missing in row 2, column 'y'; fill it in or use missing=drop|mean|indicator"},
    {"csv-missing-class.csv", ":3:3: ", "expected a class, found a missing value in column 'class'"},
    {"csv-column-name-twice.csv", ":1:2: ", "two columns are called 'x'"},
    {"csv-nul-byte.csv", ":3: ", "found a NUL byte"},
    {"csv-utf16.csv", ":1: ", "UTF-16"},
    {"csv-latin1.csv", ":2:2: ", "expected UTF-8 text, found 'caf\\xe9'"},
    {"gz-truncated.csv.gz", ": ", "ends in the middle"},
    {"gz-damaged.csv.gz", ": ", "is damaged"},
    {"gz-rubbish-behind.csv.gz", ": ", "is damaged"},
    {"libsvm-index-zero.svm", ":2:2: ", "indices start at 1, found 0"},
    {"libsvm-index-out-of-order.svm", ":2:3: ", "indices must increase along a row, found 2 after 3"},
    {"libsvm-index-twice.svm", ":2:3: ", "indices must increase along a row, found 3 after 3"},
    {"libsvm-index-huge.svm", ":2:2: ", "index 3000000000 is beyond the largest possible"},
    {"libsvm-index-not-a-number.svm", ":2:2: ", "expected a whole number as index, found 'qid'"},
    {"libsvm-bad-number.svm", ":2:2: ", "expected a number behind 1:, found 'two'"},
    {"libsvm-nan.svm", ":2:2: ", "a value is missing"},
    {"libsvm-without-colon.svm", ":2:3: ", "expected index:value, found '4'"},
    {"libsvm-without-label.svm", ":2: ", "expected a label"},
    {"libsvm-one-class.svm", ": ", "expected at least two classes, found only '1'"},
    {"libsvm-empty.svm", ": ", "the file is empty"},
    {"arff-without-data.arff", ":4: ", "without an @data line"},
    {"arff-without-rows.arff", ": ", "no rows"},
    {"arff-unknown-type.arff", ":2: ", "as type of attribute 'x', found 'complex'"},
    {"arff-unknown-keyword.arff", ":2: ", "expected @relation, @attribute, @data"},
    {"arff-string-attribute.arff", ": ", "column 'note' is free text or a date"},
    {"arff-undeclared-value.arff", ":7:2: ", "'w' is not one of the values declared for column 'k'"},
    {"arff-bad-number.arff", ":7:1: ", "expected a number, found 'many' in column 'x'"},
    {"arff-ragged-row.arff", ":7:2: ", "expected 3 values, one for each attribute, found 2"},
    {"arff-list-never-closed.arff", ":2: ", "does not end in '}'"},
    {"arff-quote-never-closed.arff", ":6: ", "never closed"},
    {"arff-sparse-index-beyond.arff", ":6:2: ", "expected an attribute number from 0 to 2, found '7'"},
    {"arff-sparse-index-out-of-order.arff", ":6:2: ", "attribute numbers must increase, found 0 after 1"},
    {"idx-wrong-count-images-idx3-ubyte", "", "idx-wrong-count-labels-idx1-ubyte: expected 3 labels"},
    {"idx-cut-short-images-idx3-ubyte", ": ", "announces 3 rows of 4 bytes, but the file ends in row 3"},
    {"idx-too-long-images-idx3-ubyte", ": ", "announces 3 rows, but more bytes follow"},
    {"idx-wrong-magic-images-idx3-ubyte", ": ", "expected an IDX file"},
    {"idx-wrong-type-images-idx3-ubyte", ": ", "unsigned bytes (type 8), found type 13"},
    {"idx-huge-images-idx3-ubyte", ": ", "expected rows of 1 to 10 million bytes"},
    {"idx-without-labels-images-idx3-ubyte", ": ", "the labels were not found"},
    {"idx-label-file-idx1-ubyte", ": ", "give the image file"},
};

/// Read with the schema of csv-nominal.csv.
constexpr Failure kPrediction[] = {
    {"predict-unseen-nominal.csv",
     ":2:1: ", "does not know the value 'pink' of column 'colour'; known values: 'blue', 'green', 'red'"},
    {"predict-wrong-feature-count.csv", ": ",
     "expected 3 feature columns as in the model (or 4 with the target), found 2"},
    {"predict-column-absent.csv", ": ", "missing: 'doors'"},
    {"predict-column-unknown.csv", ": ", "not known to the model: 'weight'"},
    {"predict-text-for-number.csv", ":2:3: ", "expected a number, found 'big' in row 1, column 'size'"},
    {"predict-missing-value.csv", ":2:3: ", "missing in row 1, column 'size'"},
};

void expect_failure(const Failure& failure, const std::string& message) {
  if (*failure.place) expect_contains(message, std::string(failure.file) + failure.place);
  expect_contains(message, failure.message);
  EXPECT_EQ(message.find('\n'), std::string::npos) << "one line: " << message;
}

TEST(InvalidFiles, EachTellsPlaceAndReason) {
  for (const Failure& failure : kTraining) {
    SCOPED_TRACE(failure.file);
    expect_failure(failure, message_of([&] { read_dataset(invalid_file(failure.file), {}); }));
    EXPECT_THROW(read_dataset(invalid_file(failure.file), {}), InputError);
  }
}

TEST(InvalidFiles, AColumnWithoutAnyValueIsRefusedUnderEveryPolicy) {
  for (const MissingPolicy policy : {MissingPolicy::mean, MissingPolicy::indicator, MissingPolicy::drop}) {
    ReadOptions options;
    options.missing = policy;
    expect_contains(
        message_of([&] { read_dataset(invalid_file("csv-column-all-missing.csv"), options); }),
        policy == MissingPolicy::drop ? "every row has a missing value" : "every value of column 'y' is missing");
  }
}

TEST(InvalidFiles, EachTableToPredictTellsPlaceAndReason) {
  const Schema schema = read_dataset(valid_file("csv-nominal.csv"), {}).schema;
  for (const Failure& failure : kPrediction) {
    SCOPED_TRACE(failure.file);
    expect_failure(failure,
                   message_of([&] { whole(BlockReader(invalid_file(failure.file), schema, {.strict = true})); }));
  }
}

TEST(InvalidFiles, LibsvmIndexBeyondTheModelIsRefused) {
  const Schema schema = read_dataset(valid_file("libsvm-dense.svm"), {}).schema;
  expect_contains(message_of([&] { whole(BlockReader(invalid_file("predict-index-beyond.svm"), schema, {})); }),
                  "expected indices up to 2, the number of features of the model, found 9");
}

TEST(InvalidFiles, EveryTableHereIsTested) {
  std::set<std::string> tested = {"csv-column-all-missing.csv", "predict-index-beyond.svm"};
  for (const Failure& failure : kTraining) tested.insert(failure.file);
  for (const Failure& failure : kPrediction) tested.insert(failure.file);
  for (const auto& entry : std::filesystem::directory_iterator(invalid_file(""))) {
    const std::string name = entry.path().filename();
    const bool table = name.starts_with("csv-") || name.starts_with("gz-") || name.starts_with("libsvm-") ||
                       name.starts_with("arff-") ||
                       (name.starts_with("idx-") && name.find("labels") == std::string::npos);
    EXPECT_TRUE(!table || tested.contains(name)) << name;
  }
}

}  // namespace
}  // namespace manyone::test
