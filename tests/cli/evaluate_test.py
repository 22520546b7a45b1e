# SPDX-License-Identifier: Apache-2.0
"""manyone evaluate: the figures agree with each other, with predict, and with arithmetic by hand."""
from tool import INPUT, IRIS, ToolTest, csv_text, iris_rows


class Evaluate(ToolTest):
    def test_the_error_is_the_share_of_wrong_predictions(self):
        model = self.fitted(IRIS, "m", "--sigma", 4, "--ridge", 16)
        truth = [row[-1] for row in iris_rows()[1]]
        predicted = self.succeeds("predict", model, IRIS).out.splitlines()
        document = self.succeeds("evaluate", model, IRIS, "--json").json()
        wrong = sum(a != b for a, b in zip(truth, predicted))
        self.assertEqual(document["n"], 150)
        self.assertAlmostEqual(document["error"], wrong / 150, places=12)
        labels = document["confusion"]["labels"]
        counts = [[sum(t == a and p == b for t, p in zip(truth, predicted)) for b in labels] for a in labels]
        self.assertEqual(document["confusion"]["counts"], counts)
        recalls = [counts[k][k] / sum(counts[k]) for k in range(3)]
        self.assertAlmostEqual(document["balanced_error"], 1 - sum(recalls) / 3, places=12)
        for k, entry in enumerate(document["per_class"]):
            column = sum(row[k] for row in counts)
            self.assertEqual((entry["label"], entry["rows"], entry["predicted"]), (labels[k], sum(counts[k]), column))
            self.assertAlmostEqual(entry["recall"], recalls[k], places=12)
            self.assertAlmostEqual(entry["precision"], counts[k][k] / column, places=12)

    def test_json_has_the_promised_keys(self):
        document = self.succeeds("evaluate", self.fitted(), IRIS, "--json").json()
        self.assertEqual({"n", "error", "balanced_error", "confusion", "per_class"} - set(document), set())
        self.assertEqual(set(document["confusion"]), {"labels", "counts"})

    def test_a_table_without_rows_is_refused(self):
        empty = self.write("empty.csv", ",".join(iris_rows()[0]) + "\n")
        for command in ("evaluate", "predict"):
            self.fails(INPUT, command, self.fitted(), empty, says="empty.csv")

    def test_text_reads_well(self):
        out = self.succeeds("evaluate", self.fitted(), IRIS).out
        self.assertRegex(out, r"error +\d+\.\d\d %  \(\d+ of 150 rows\)")
        self.assertRegex(out, r"balanced error +\d+\.\d\d %")
        self.assertIn("majority error  66.67 %  (always guessing the most frequent class)", out)
        self.assertIn("precision", out)
        self.assertIn("true \\ predicted", out)

    def test_a_class_absent_from_the_table_has_no_recall(self):
        header, rows = iris_rows()
        table = self.write("two.csv", csv_text(header, rows[:100]))
        document = self.succeeds("evaluate", self.fitted(), table, "--json").json()
        self.assertEqual(document["per_class"][2]["rows"], 0)
        self.assertIsNone(document["per_class"][2]["recall"])

    def test_a_class_the_model_does_not_know_is_refused_when_strict(self):
        header, rows = iris_rows()
        table = self.write("rose.csv", csv_text(header, [*rows[:3], [*rows[3][:-1], "rose"]]))
        self.fails(INPUT, "evaluate", self.fitted(), table, "--strict",
                   says=["1 row", "'rose'", "setosa, versicolor, virginica"])

    def test_guessing_is_wrong_on_unknown_classes_too(self):
        header, rows = iris_rows()
        table = self.write("roses.csv", csv_text(header, [*rows[:2], *([*row[:-1], "rose"] for row in rows[2:8])]))
        document = self.succeeds("evaluate", self.fitted(), table, "--json").json()
        self.assertEqual((document["unknown"], document["error"], document["majority_error"]), (6, 0.75, 0.75))
        self.assertIn("majority error  75.00 %", self.succeeds("evaluate", self.fitted(), table).out)

    def test_names_with_newlines_leave_tables_whole(self):
        table = self.write("n.csv", 'a,y\n1,"p\nq"\n2,q\n1.1,"p\nq"\n2.1,q\n')
        self.succeeds("fit", table, "-o", "n", "--sigma", 1, "--ridge", 1)
        out = self.succeeds("evaluate", "n", table).out
        self.assertIn("\np\\x0aq     2 ", out)

    def test_a_table_without_classes_is_refused(self):
        header, rows = iris_rows()
        table = self.write("features.csv", csv_text(header[:-1], [row[:-1] for row in rows]))
        self.fails(INPUT, "evaluate", self.fitted(), table, says=["features.csv", "expected the classes"])

    def test_rows_with_missing_values_are_left_out_when_the_model_was_trained_so(self):
        header, rows = iris_rows()
        holes = [["?", *row[1:]] if i % 10 == 0 else row for i, row in enumerate(rows)]
        table = self.write("holes.csv", csv_text(header, holes))
        model = self.fitted(table, "m", "--sigma", 1, "--ridge", 0.125, "--missing", "drop")
        result = self.succeeds("evaluate", model, table, "--json")
        self.assertEqual(result.json()["n"], 135)
        self.assertIn("note: 15 rows have missing values and were left out", result.err)
