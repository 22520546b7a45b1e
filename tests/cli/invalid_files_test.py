# SPDX-License-Identifier: Apache-2.0
"""Every file of tests/data/invalid through the tool: exit code 3 and one line with the place and the reason.

The readers' own tests look at the same files from inside; here the promise is that of the command line. A file without
an entry in a table below fails the last test, so that the folder stays the list of what is refused.
"""
from tool import INPUT, INVALID, IRIS, VALID, ToolTest

# file: (place behind the file's name, a part of the message)
TABLES = {
    "arff-bad-number.arff": (":7:1: ", "expected a number, found 'many' in column 'x'"),
    "arff-list-never-closed.arff": (":2: ", "does not end in '}'"),
    "arff-quote-never-closed.arff": (":6: ", "never closed"),
    "arff-ragged-row.arff": (":7:2: ", "expected 3 values, one for each attribute, found 2"),
    "arff-sparse-index-beyond.arff": (":6:2: ", "expected an attribute number from 0 to 2, found '7'"),
    "arff-sparse-index-out-of-order.arff": (":6:2: ", "must increase, found 0 after 1"),
    "arff-string-attribute.arff": (": ", "'note' is free text or a date"),
    "arff-undeclared-value.arff": (":7:2: ", "'w' is not one of the values declared for column 'k'"),
    "arff-unknown-keyword.arff": (":2: ", "expected @relation, @attribute, @data"),
    "arff-unknown-type.arff": (":2: ", "found 'complex'"),
    "arff-without-data.arff": (":4: ", "without an @data line"),
    "arff-without-rows.arff": (": ", "no rows"),
    "csv-bad-number.csv": (":8:2: ", "expected a number, found 'abc' in column 'y'; use --nominal y if these are categories"),
    "csv-blank.csv": (": ", "the file is empty"),
    "csv-column-all-missing.csv": (":2:2: ", "--missing drop|mean|indicator"),
    "csv-column-name-twice.csv": (":1:2: ", "two columns are called 'x'; rename one"),
    "csv-decimal-comma.csv": (":2:1: ", "write decimals with a point"),
    "csv-empty.csv": (": ", "the file is empty"),
    "csv-header-only.csv": (": ", "a header but no rows"),
    "csv-inf.csv": (":3:1: ", "'-Infinity' in column 'x' is not finite"),
    "csv-latin1.csv": (":2:2: ", "expected UTF-8 text, found 'caf\\xe9'; convert the file"),
    "csv-missing-class.csv": (":3:3: ", "expected a class, found a missing value"),
    "csv-missing-value.csv": (":3:2: ", "missing in row 2, column 'y'; fill it in or use --missing drop|mean|indicator"),
    "csv-nan.csv": (":3:2: ", "a value is missing in row 2, column 'y'"),
    "csv-nul-byte.csv": (":3: ", "found a NUL byte"),
    "csv-one-class.csv": (": ", "at least two classes in column 'class', found only 'a'"),
    "csv-one-column.csv": (": ", "at least one feature column"),
    "csv-out-of-range.csv": (":3:2: ", "'1e999' in column 'y' is not finite"),
    "csv-quote-never-closed.csv": (":2:2: ", "never closed"),
    "csv-ragged-row-long.csv": (":3:4: ", "expected 3 cells as in the first row, found 4"),
    "csv-ragged-row.csv": (":3:2: ", "expected 3 cells as in the first row, found 2"),
    "csv-text-behind-quote.csv": (":2:2: ", "expected a delimiter behind the closing quote"),
    "csv-utf16.csv": (":1: ", "UTF-16"),
    "gz-damaged.csv.gz": (": ", "damaged"),
    "gz-rubbish-behind.csv.gz": (": ", "damaged"),
    "gz-truncated.csv.gz": (": ", "ends in the middle"),
    "idx-cut-short-images-idx3-ubyte": (": ", "announces 3 rows of 4 bytes, but the file ends in row 3"),
    "idx-huge-images-idx3-ubyte": (": ", "expected rows of 1 to 10 million bytes"),
    "idx-label-file-idx1-ubyte": (": ", "give the image file, not the label file"),
    "idx-too-long-images-idx3-ubyte": (": ", "announces 3 rows, but more bytes follow"),
    "idx-without-labels-images-idx3-ubyte": (": ", "the labels were not found"),
    "idx-wrong-count-images-idx3-ubyte": ("", "idx-wrong-count-labels-idx1-ubyte: expected 3 labels"),
    "idx-wrong-magic-images-idx3-ubyte": (": ", "expected an IDX file"),
    "idx-wrong-type-images-idx3-ubyte": (": ", "unsigned bytes (type 8), found type 13"),
    "libsvm-bad-number.svm": (":2:2: ", "expected a number behind 1:, found 'two'"),
    "libsvm-empty.svm": (": ", "the file is empty"),
    "libsvm-index-huge.svm": (":2:2: ", "index 3000000000 is beyond"),
    "libsvm-index-not-a-number.svm": (":2:2: ", "expected a whole number as index, found 'qid'"),
    "libsvm-index-out-of-order.svm": (":2:3: ", "must increase along a row, found 2 after 3"),
    "libsvm-index-twice.svm": (":2:3: ", "must increase along a row, found 3 after 3"),
    "libsvm-index-zero.svm": (":2:2: ", "indices start at 1, found 0"),
    "libsvm-nan.svm": (":2:2: ", "a value is missing"),
    "libsvm-one-class.svm": (": ", "at least two classes, found only '1'"),
    "libsvm-without-colon.svm": (":2:3: ", "expected index:value, found '4'"),
    "libsvm-without-label.svm": (":2: ", "expected a label"),
}
PREDICTIONS = {  # with a model of csv-nominal.csv
    "predict-column-absent.csv": (": ", "missing: 'doors'"),
    "predict-column-unknown.csv": (": ", "not known to the model: 'weight'"),
    "predict-missing-value.csv": (":2:3: ", "missing in row 1, column 'size'"),
    "predict-text-for-number.csv": (":2:3: ", "expected a number, found 'big' in row 1, column 'size'"),
    "predict-unseen-nominal.csv": (":2:1: ", "does not know the value 'pink' of column 'colour'; known values: 'blue', 'green', 'red'"),
    "predict-wrong-feature-count.csv": (": ", "expected 3 feature columns as in the model"),
}
SPARSE_PREDICTIONS = {  # with a model of libsvm-dense.svm
    "predict-index-beyond.svm": (":1: ", "expected indices up to 2, the number of features of the model, found 9"),
}
LABELBOOKS = {  # for the three classes of iris
    "labelbook-bad-number.csv": (":2:2: ", "expected a finite number, found 'x'"),
    "labelbook-empty.csv": (": ", "found an empty file"),
    "labelbook-equal-rows.csv": (":3: ", "codewords 1 and 3 are equal"),
    "labelbook-nan.csv": (":2:2: ", "expected a finite number, found 'nan'"),
    "labelbook-ragged-row.csv": (":2: ", "expected 2 numbers as in the first row, found 1"),
    "labelbook-wrong-number-of-rows.csv": (": ", "expected one codeword for each of the 3 classes, found 2"),
}
GRAMS = {
    "gram-not-square.csv": (": ", "needs a square table to train on, found 4 rows and 3 columns"),
    "gram-not-symmetric.csv": (": ", "not symmetric: entry (3, 1) is 0.25 but (1, 3) is 0.2"),
}
MODELS = {
    "model-checksum-wrong.safetensors": (": ", "its checksum does not match"),
    "model-empty.safetensors": (": ", "0 bytes long"),
    "model-header-length-huge.safetensors": (": ", "claims a header of 4611686018427387904 bytes in a file of 227"),
    "model-header-not-json.safetensors": (": ", "not valid JSON"),
    "model-newer-version.safetensors": (": ", "this program reads version 1; use a newer manyone"),
    "model-of-another-program.safetensors": (": ", "expected a manyone model"),
    "model-offsets-overlapping.safetensors": (": ", "tensors overlap"),
    "model-truncated.safetensors": (": ", "lies outside of the file"),
}
LABEL_FILES = {name.replace("images-idx3", "labels-idx1") for name in TABLES if name.startswith("idx-")}


class InvalidFiles(ToolTest):
    def refuses(self, entries, *command):
        """Each file, put where the command says FILE, is refused with its place, its reason and what to do."""
        for name, (place, says) in entries.items():
            with self.subTest(name):
                arguments = [INVALID / name if word == "FILE" else word for word in command]
                result = self.fails(INPUT, *arguments, says=[(name + place) if place else "", says])
                self.assertEqual(result.out, "")
                self.assertRegex(result.err, r"; .|\(use |: give ")

    def test_tables_to_train_on(self):
        self.refuses(TABLES, "fit", "FILE", "-o", "m", "--quiet", "--sigma", 1, "--ridge", 1)
        self.assertFalse((self.folder / "m").exists())

    def test_tables_to_tune_on(self):
        self.refuses(TABLES, "tune", "FILE", "--json", "--sigma", 1, "--ridge", 1)

    def test_tables_to_predict(self):
        self.fitted(VALID / "csv-nominal.csv", "m", "--sigma", 1, "--ridge", 1, "--folds", "loo")
        self.refuses(PREDICTIONS, "predict", "m", "FILE", "--strict")
        self.fitted(VALID / "libsvm-dense.svm", "m", "--sigma", 1, "--ridge", 1, "--folds", "loo")
        self.refuses(SPARSE_PREDICTIONS, "predict", "m", "FILE")

    def test_tables_to_predict_leave_no_output_file(self):
        self.fitted(VALID / "csv-nominal.csv", "m", "--sigma", 1, "--ridge", 1, "--folds", "loo")
        self.refuses(PREDICTIONS, "predict", "m", "FILE", "-o", "out", "--strict")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["m"])

    def test_labelbooks(self):
        self.refuses(LABELBOOKS, "fit", IRIS, "-o", "m", "--quiet", "--labelbook", "FILE")

    def test_kernel_matrices(self):
        self.refuses(GRAMS, "fit", "FILE", "-o", "m", "--quiet", "--kernel", "precomputed", "--folds", "loo")
        self.refuses(GRAMS, "fit", "FILE", "-o", "m", "--quiet", "--kernel", "precomputed", "--folds", "loo", "--ridge", 1)

    def test_models(self):
        for command in (("inspect", "FILE"), ("predict", "FILE", IRIS), ("evaluate", "FILE", IRIS, "--json")):
            self.refuses(MODELS, *command)

    def test_every_file_of_the_folder_is_tested(self):
        tested = {*TABLES, *PREDICTIONS, *SPARSE_PREDICTIONS, *LABELBOOKS, *GRAMS, *MODELS}
        found = {path.name for path in INVALID.iterdir()}
        self.assertEqual(found - LABEL_FILES - tested, set())
        self.assertEqual(tested - found, set())
