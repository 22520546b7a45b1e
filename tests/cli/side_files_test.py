# SPDX-License-Identifier: Apache-2.0
"""Files beside the table (weights, folds) and what is done about missing values."""
from tool import INPUT, IRIS, ToolTest, csv_text, iris_rows


class SideFiles(ToolTest):
    FIXED = ("--sigma", 1, "--ridge", 0.5)

    def predict(self, model, table=IRIS):
        return self.succeeds("predict", model, table, "--scores", "--json").json()

    def assert_close(self, a, b):
        self.assertEqual(a["labels"], b["labels"])
        for x, y in zip(a["scores"], b["scores"]):
            for s, t in zip(x, y):
                self.assertAlmostEqual(s, t, delta=1e-9)

    def test_weights_of_one_change_nothing(self):
        weights = self.write("w", "1\n" * 150)
        self.fitted(IRIS, "plain", *self.FIXED)
        self.fitted(IRIS, "weighted", *self.FIXED, "--weights", weights)
        self.assert_close(self.predict("plain"), self.predict("weighted"))

    def test_a_weight_of_two_is_a_row_that_occurs_twice(self):
        header, rows = iris_rows()
        twice = self.write("twice.csv", csv_text(header, [*rows, *rows[40:60]]))
        weights = self.write("w", "".join("2\n" if 40 <= i < 60 else "1\n" for i in range(150)))
        self.fitted(IRIS, "weighted", *self.FIXED, "--weights", weights)
        self.fitted(twice, "twice", *self.FIXED)
        self.assert_close(self.predict("weighted"), self.predict("twice"))

    def test_balanced_weights_are_rows_over_classes_times_class_size(self):
        header, rows = iris_rows()
        table = self.write("t.csv", csv_text(header, rows[:120]))  # 50, 50, 20
        weights = self.write("w", "".join(f"{120 / (3 * (20 if i >= 100 else 50))!r}\n" for i in range(120)))
        self.fitted(table, "balanced", *self.FIXED, "--weights", "balanced")
        self.fitted(table, "given", *self.FIXED, "--weights", weights)
        self.assert_close(self.predict("balanced"), self.predict("given"))

    def test_weights_that_cannot_be(self):
        cases = {"149": ("1\n" * 149, "expected 150 lines, one per row"), "zero": ("1\n" * 149 + "0\n", "row 150 has 0"),
                 "negative": ("-1\n" + "1\n" * 149, "row 1 has -1"), "text": ("1\n" * 9 + "x\n" + "1\n" * 140, "text:10"),
                 "two": ("1,1\n" * 150, "expected one weight a line"), "empty": ("", "empty")}
        for name, (text, says) in cases.items():
            with self.subTest(name):
                self.fails(INPUT, "fit", IRIS, "-o", "m", "--quiet", *self.FIXED, "--weights", self.write(name, text), says=says)

    def test_folds_that_cannot_be(self):
        cases = {"149": ("a\nb\n" * 74 + "a\n", "expected 150 lines, one per row"), "one": ("a\n" * 150, "at least two different folds")}
        for name, (text, says) in cases.items():
            with self.subTest(name):
                self.fails(INPUT, "tune", IRIS, "--quiet", "--folds", self.write(name, text), says=[name, says])

    def holes(self, name="holes.csv"):
        header, rows = iris_rows()
        return self.write(name, csv_text(header, [["", *row[1:]] if i % 15 == 0 else row for i, row in enumerate(rows)]))

    def test_missing_values_are_refused_unless_a_policy_is_given(self):
        self.fails(INPUT, "fit", self.holes(), "-o", "m", "--quiet",
                   says=["holes.csv:2:1", "missing in row 1, column 'sepal-length'", "--missing"])

    def test_missing_drop_trains_on_the_other_rows(self):
        header, rows = iris_rows()
        whole = self.write("whole.csv", csv_text(header, [row for i, row in enumerate(rows) if i % 15]))
        result = self.succeeds("fit", self.holes(), "-o", "dropped", *self.FIXED, "--missing", "drop", "--json")
        self.assertEqual((result.json()["n"], result.json()["dropped"]), (140, 10))
        self.assertIn("note: 10 of 150 rows have missing values and were left out", result.err)
        self.fitted(whole, "whole", *self.FIXED)
        self.assert_close(self.predict("dropped"), self.predict("whole"))

    def test_missing_drop_also_drops_lines_of_side_files(self):
        weights = self.write("w", "".join("0\n" if i % 15 == 0 else "1\n" for i in range(150)))
        folds = self.write("f", "".join("abc"[i % 3] + "\n" for i in range(150)))
        self.succeeds("fit", self.holes(), "-o", "m", "--missing", "drop", "--weights", weights, "--folds", folds)

    def test_missing_mean_is_the_mean_of_the_others(self):
        header, rows = iris_rows()
        mean = sum(float(row[0]) for i, row in enumerate(rows) if i % 15) / 140
        filled = self.write("filled.csv", csv_text(header, [[repr(mean), *row[1:]] if i % 15 == 0 else row
                                                            for i, row in enumerate(rows)]))
        self.fitted(self.holes(), "mean", *self.FIXED, "--missing", "mean")
        self.fitted(filled, "filled", *self.FIXED)
        self.assert_close(self.predict("mean"), self.predict("filled"))
        self.assert_close(self.predict("mean", self.holes("again.csv")), self.predict("filled", filled))

    def test_missing_indicator_adds_a_feature(self):
        self.fitted(self.holes(), "m", *self.FIXED, "--missing", "indicator")
        self.assertEqual(self.succeeds("inspect", "m", "--json").json()["d"], 5)
        self.assertEqual(len(self.predict("m", self.holes())["labels"]), 150)

    def test_nominal_columns_can_be_asked_for(self):
        header, rows = iris_rows()
        table = self.write("t.csv", csv_text(["site", *header], [[i % 4, *row] for i, row in enumerate(rows)]))
        self.fitted(table, "number", *self.FIXED)
        self.fitted(table, "nominal", *self.FIXED, "--nominal", "site")
        features = [self.succeeds("inspect", model, "--json").json()["d"] for model in ("number", "nominal")]
        self.assertEqual(features, [5, 8])
