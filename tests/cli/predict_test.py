# SPDX-License-Identifier: Apache-2.0
"""manyone predict: classes, scores and probabilities, from and to wherever they are wanted."""
import csv
import gzip
import io
import json
import os
import subprocess
import sys

from tool import DIGITS, INPUT, IRIS, TOOL, USAGE, ToolTest, csv_text, iris_rows


class Predict(ToolTest):
    def test_one_class_a_line(self):
        model = self.fitted()
        result = self.succeeds("predict", model, IRIS)
        lines = result.out.splitlines()
        self.assertEqual(len(lines), 150)
        self.assertEqual(set(lines), {"setosa", "versicolor", "virginica"})
        self.assertEqual(result.err, "")

    def test_the_target_column_is_not_needed_and_not_used(self):
        header, rows = iris_rows()
        model = self.fitted()
        features = self.write("features.csv", csv_text(header[:-1], [row[:-1] for row in rows]))
        other = self.write("other.csv", csv_text(header, [[*row[:-1], "setosa"] for row in rows]))
        expected = self.succeeds("predict", model, IRIS).out
        self.assertEqual(self.succeeds("predict", model, features).out, expected)
        self.assertEqual(self.succeeds("predict", model, other).out, expected)

    def test_columns_are_found_by_name_in_any_order(self):
        header, rows = iris_rows()
        model = self.fitted()
        shuffled = self.write("shuffled.csv", csv_text(header[::-1], [row[::-1] for row in rows]))
        self.assertEqual(self.succeeds("predict", model, shuffled).out, self.succeeds("predict", model, IRIS).out)

    def test_standard_input_and_gzip_give_the_same(self):
        model = self.fitted()
        expected = self.succeeds("predict", model, IRIS, "--scores").out
        packed = self.folder / "iris.csv.gz"
        packed.write_bytes(gzip.compress(IRIS.read_bytes()))
        self.assertEqual(self.succeeds("predict", model, "-", "--scores", stdin=IRIS.read_text()).out, expected)
        self.assertEqual(self.succeeds("predict", model, packed, "--scores").out, expected)
        self.assertEqual(self.succeeds("predict", model, "-", "--scores", stdin=packed.read_bytes()).out, expected)

    def test_the_largest_score_and_the_largest_probability_are_the_class(self):
        self.succeeds("fit", DIGITS, "-o", "m", "--quiet", "--sigma", 2, "--ridge", 1)
        out = self.succeeds("predict", "m", DIGITS.with_name("digits.test.csv"), "--scores", "--proba").out
        rows = list(csv.DictReader(io.StringIO(out)))
        labels = [str(digit) for digit in range(10)]
        for row in rows:
            for prefix in ("score:", "probability:"):
                self.assertEqual(max(labels, key=lambda label: float(row[prefix + label])), row["class"])
            self.assertAlmostEqual(sum(float(row["probability:" + label]) for label in labels), 1, places=9)

    def test_probabilities_are_honest_on_rows_not_trained_on(self):
        self.succeeds("fit", DIGITS, "-o", "m", "--quiet")
        test = DIGITS.with_name("digits.test.csv")
        document = self.succeeds("predict", "m", test, "--proba", "--json").json()
        confidence = sum(map(max, document["probabilities"])) / len(document["labels"])
        accuracy = 1 - self.succeeds("evaluate", "m", test, "--json").json()["error"]
        self.assertLess(abs(confidence - accuracy), 0.05)

    def test_json_holds_what_the_text_holds(self):
        model = self.fitted()
        document = self.succeeds("predict", model, IRIS, "--scores", "--proba", "--json").json()
        self.assertEqual(set(document), {"labels", "scores", "probabilities", "classes"})
        rows = list(csv.reader(io.StringIO(self.succeeds("predict", model, IRIS, "--scores", "--proba").out)))[1:]
        self.assertEqual(document["labels"], [row[0] for row in rows])
        self.assertEqual(document["scores"], [[float(cell) for cell in row[1:4]] for row in rows])
        self.assertEqual(document["probabilities"], [[float(cell) for cell in row[4:]] for row in rows])

    def test_json_without_scores_holds_labels_alone(self):
        document = self.succeeds("predict", self.fitted(), IRIS, "--json").json()
        self.assertEqual(set(document), {"labels", "classes"})

    def test_labels_with_commas_quotes_and_umlauts_survive_the_round_trip(self):
        names = {"setosa": 'a, "b"', "versicolor": "Größe – 大", "virginica": "two\nlines"}
        header, rows = iris_rows()
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows([header, *[[*row[:-1], names[row[-1]]] for row in rows]])
        table = self.write("names.csv", text.getvalue())
        model = self.fitted(table)
        plain = self.succeeds("predict", self.fitted(IRIS, "plain"), IRIS).out.splitlines()
        out = self.succeeds("predict", model, table).out
        self.assertEqual([row[0] for row in csv.reader(io.StringIO(out))], [names[label] for label in plain])
        document = self.succeeds("predict", model, table, "--json").json()
        self.assertEqual(document["labels"], [names[label] for label in plain])
        head = next(csv.reader(io.StringIO(self.succeeds("predict", model, table, "--proba").out)))
        self.assertEqual(head, ["class", *["probability:" + label for label in document["classes"]]])

    def test_predictions_can_be_read_back_as_a_table(self):
        model = self.fitted()
        self.succeeds("predict", model, IRIS, "--scores", "-o", "scores.csv")
        self.succeeds("fit", "scores.csv", "-o", "again", "--target", "class", "--sigma", 1, "--ridge", 1)

    def test_output_file_holds_what_standard_output_would(self):
        model = self.fitted()
        result = self.succeeds("predict", model, IRIS, "--proba", "-o", "out.csv")
        self.assertIn("150 rows predicted, written to out.csv", result.out)
        self.assertEqual((self.folder / "out.csv").read_text(), self.succeeds("predict", model, IRIS, "--proba").out)

    def test_output_file_is_replaced_only_when_all_is_written(self):
        model = self.fitted()
        old = self.write("out.csv", "old\n")
        broken = self.write("broken.csv", IRIS.read_text() + "1,2,3\n")
        self.fails(INPUT, "predict", model, broken, "-o", "out.csv", says=["broken.csv:152"])
        self.assertEqual(old.read_text(), "old\n")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["broken.csv", "m.safetensors", "out.csv"])

    def test_lost_json_is_an_error(self):
        model = self.fitted()
        for command in (("predict", model, IRIS, "--json"), ("inspect", model), ("machines",), ("tune", IRIS, "--json", "--quiet")):
            with open("/dev/full", "wb") as full:
                self.fails(INPUT, *command, says="stdout", stdout=full)

    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "wb") as full:
            self.fails(INPUT, "predict", self.fitted(), IRIS, says=["stdout", "No space left"], stdout=full)

    def test_a_closed_pipe_ends_quietly(self):
        model = self.fitted()
        many = self.write("many.csv", "\n".join(IRIS.read_text().splitlines() + IRIS.read_text().splitlines()[1:] * 200) + "\n")
        process = self.start_tool("predict", model, many, "--scores")
        process.stdout.readline()
        process.stdout.close()
        self.assertNotEqual(process.wait(timeout=60), 0)
        self.assertEqual(process.stderr.read(), "")

    def test_json_and_output_file_exclude_each_other(self):
        self.fails(USAGE, "predict", self.fitted(), IRIS, "--json", "-o", "x", says="leave -o out")

    def test_rows_are_predicted_one_by_one_as_together(self):
        model = self.fitted()
        header, rows = iris_rows()
        together = self.succeeds("predict", model, IRIS).out.splitlines()
        for i in (0, 70, 149):
            single = self.succeeds("predict", model, "-", stdin=csv_text(header, [rows[i]])).out
            self.assertEqual(single, together[i] + "\n")

    def test_many_blocks_give_what_one_gives(self):
        model = self.fitted()
        lines = IRIS.read_text().splitlines()
        repeated = "\n".join([lines[0], *lines[1:] * 60]) + "\n"  # 9000 rows are more than one block
        out = self.succeeds("predict", model, "-", stdin=repeated).out.splitlines()
        self.assertEqual(out, self.succeeds("predict", model, IRIS).out.splitlines() * 60)

    def test_memory_does_not_grow_with_the_rows(self):
        model = self.fitted()
        lines = IRIS.read_text().splitlines()
        # A process of its own per measurement: the peak of a parent's children is that of the largest so far.
        measure = ("import resource, subprocess, sys\nsubprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n"
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        # AddressSanitizer holds freed memory back, which would count as growth.
        env = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"}
        peak = {}
        for times in (100, 1000):
            table = self.write(f"{times}.csv", "\n".join([lines[0], *lines[1:] * times]) + "\n")
            process = subprocess.run([sys.executable, "-c", measure, TOOL, "predict", model, table, "--threads", "1"], env=env,
                                     stdout=subprocess.PIPE, check=True, timeout=240)
            peak[times] = int(process.stdout)
        self.assertLess(peak[1000], peak[100] + 4 * 1024, peak)  # kB; the rows alone are 4.3 MB more

    def test_a_header_can_be_forced(self):
        header, rows = iris_rows()
        model = self.fitted()
        body = csv_text(rows[0], rows[1:])
        out = self.succeeds("predict", model, "-", "--header", "no", stdin=body).out
        self.assertEqual(out, self.succeeds("predict", model, IRIS).out)


class NotFinite(ToolTest):
    """Rows whose values are finite and whose scores are not: a polynomial of degree 10 of 1e150."""

    def setUp(self):
        super().setUp()
        self.model = self.fitted(IRIS, "m", "--machine", "ls-ecoc", "--labelbook", "dense", "--decode", "loss:exponential", "--kernel",
                                 "polynomial", "--degree", 10, "--ridge", 0.125)
        header, rows = iris_rows()
        self.rows = [rows[0], ["1e150", "1", "1", "1", "setosa"], rows[60], ["-1e150", "1e150", "1", "1", "virginica"]]
        self.table = self.write("far.csv", csv_text(header, self.rows))

    def test_their_class_is_empty_and_they_are_counted(self):
        result = self.succeeds("predict", self.model, self.table, "--scores", "--proba")
        self.assertIn("note: 2 of 4 rows (the first is row 2)", result.err)
        lines = [line.split(",") for line in result.out.splitlines()[1:]]
        self.assertEqual([bool(line[0]) for line in lines], [True, False, True, False])
        self.assertEqual(set(lines[1]) | set(lines[3]), {""})
        self.assertEqual(self.succeeds("predict", self.model, self.table).out.split("\n")[1], "")
        self.assertNotIn("nan", result.out)

    def test_no_decoder_makes_a_class_of_them(self):
        kernel = ("--kernel", "polynomial", "--degree", 10, "--cost", 8)
        for machine, decoders in {"ls-ovo": ("votes", "votes:first", "dag", "hamming", "loss:hinge"), "svm-dag": ("dag",),
                                  "svm-ecoc": ("hamming", "loss:hinge"), "sbc-ecoc": ("hamming",)}.items():
            for decoder in decoders:
                with self.subTest(f"{machine} {decoder}"):
                    self.fitted(IRIS, "d", "--machine", machine, "--decode", decoder, *kernel)
                    result = self.succeeds("predict", "d", self.table)
                    self.assertEqual([bool(line) for line in result.out.splitlines()], [True, False, True, False])
                    self.assertIn("2 of 4 rows", result.err)

    def test_json_has_null(self):
        document = json.loads(self.succeeds("predict", self.model, self.table, "--json", "--scores", "--proba").out)
        self.assertEqual([label is None for label in document["labels"]], [False, True, False, True])
        self.assertEqual(document["scores"][1], [None] * 3)
        self.assertEqual(document["probabilities"][3], [None] * 3)

    def test_strict_refuses(self):
        self.fails(INPUT, "predict", self.model, self.table, "--strict", "-o", "out.csv", says=["2 of 4 rows", "--strict"])
        self.assertFalse((self.folder / "out.csv").exists())
        self.fails(INPUT, "evaluate", self.model, self.table, "--strict", says=["2 of 4 rows", "--strict"])

    def test_evaluate_counts_them_as_wrong_and_says_so(self):
        result = self.succeeds("evaluate", self.model, self.table)
        self.assertIn("of 4 rows)", result.out)
        self.assertIn("2 of 4 rows have no finite scores, get no class and count as wrong", result.out)
        document = self.succeeds("evaluate", self.model, self.table, "--json").json()
        self.assertEqual((document["without_class"], document["data"]["rows"]), (2, 4))
        self.assertGreaterEqual(document["error"], 0.5)

    def test_where_no_row_gets_a_class_all_are_wrong(self):
        table = self.write("only.csv", csv_text(iris_rows()[0], [self.rows[1], self.rows[3]]))
        document = self.succeeds("evaluate", self.model, table, "--json").json()
        self.assertEqual((document["error"], document["without_class"]), (1, 2))

    def test_both_backends_say_the_same(self):
        gaussian = self.fitted(IRIS, "g")
        far = self.write("g.csv", csv_text(iris_rows()[0][:4], [["1e308", "1e308", "-1e308", "1e308"], ["1e150", "1", "1", "1"],
                                                                 ["5.1", "3.5", "1.4", "0.2"]]))
        for model, table in ((gaussian, far), (self.model, self.table)):
            told = {backend: self.succeeds("predict", model, table, "--backend", backend) for backend in ("cpu", "reference")}
            self.assertEqual(told["cpu"].out, told["reference"].out)
            self.assertEqual(told["cpu"].err, told["reference"].err)
