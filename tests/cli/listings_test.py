# SPDX-License-Identifier: Apache-2.0
"""machines, labelbooks, kernels and datasets; help and version."""
import json
import os
import re
import shutil
import subprocess

from tool import DATA, DONE, IRIS, TOOL, USAGE, ToolTest

COMMANDS = ("fit", "predict", "evaluate", "tune", "reproduce", "inspect", "export", "import", "convert", "machines", "labelbooks", "kernels", "parameters", "datasets")


class Listings(ToolTest):
    def test_machines(self):
        entries = self.succeeds("machines", "--json").json()
        self.assertIn("onelsm", [entry["name"] for entry in entries])
        for entry in entries:
            self.assertEqual(set(entry), {"name", "summary", "flops", "parameter", "source"})
        self.assertIn("onelsm", self.succeeds("machines").out)

    def test_kernels(self):
        names = [entry["name"] for entry in self.succeeds("kernels", "--json").json()]
        self.assertEqual(names, ["gaussian", "laplacian", "matern32", "matern52", "polynomial", "linear", "precomputed"])
        self.assertIn("exp(-|x-z|^2 / (2 sigma^2))", self.succeeds("kernels").out)

    def test_parameters_are_the_options_of_a_fit(self):
        entries = {entry["name"]: entry for entry in self.succeeds("parameters", "--json").json()}
        shown = self.succeeds("fit", "--help").out
        for name, entry in entries.items():
            self.assertEqual(list(entry), ["name", "group", "type", "takes", "default", "machines", "text"])
            self.assertRegex(shown, rf"--{name.replace('_', '-')}\b[^\n]*(\n +)?.*{re.escape(entry['text'])}")
        self.assertEqual(entries["sigma"]["machines"], "all")
        self.assertEqual(entries["mkl"]["machines"], "sbc-kernel")
        self.assertEqual(entries["scale_per_fold"]["machines"], "all but msvr")
        self.assertRegex(self.succeeds("parameters").out, r"centers +INTEGER\|SHARE\|FILE +onelsm")

    def test_labelbooks_are_books_and_codes(self):
        entries = self.succeeds("labelbooks", "--json").json()
        for entry in entries:
            self.assertEqual(set(entry), {"name", "kind", "definition"})
        names = {kind: [entry["name"] for entry in entries if entry["kind"] == kind] for kind in ("book", "code")}
        self.assertEqual(names["book"], ["indicator", "pm1", "alignment", "consistency", "mincorr"])
        self.assertEqual(names["code"], ["one-vs-baseline", "three-way", "exhaustive", "random", "balanced", "optimal", "ova",
                                         "ava", "complete", "dense", "sparse", "bch"])
        text = self.succeeds("labelbooks").out
        self.assertIn("Helmert", text)
        self.assertRegex(text, r"(?s)\Abook .*\n\ncode ")

    def shown(self, name, classes, *options):
        """The document of one book or code, its sizes checked."""
        document = self.succeeds("labelbooks", "--show", name, "--classes", classes, *options, "--json").json()
        self.assertEqual(list(document), ["name", "classes", "length", "codewords", "row_distance", "column_distance"])
        self.assertEqual((document["name"], document["classes"], len(document["codewords"])), (name, classes, classes))
        self.assertEqual({len(word) for word in document["codewords"]}, {document["length"]})
        return document

    def test_codewords_of_a_labelbook(self):
        words = self.shown("indicator", 4)["codewords"]
        self.assertEqual(words, [[float(i == k) for k in range(4)] for i in range(4)])
        document = self.shown("mincorr", 4)
        words = document["codewords"]
        for i in range(4):
            for j in range(4):
                dot = sum(a * b for a, b in zip(words[i], words[j]))
                self.assertAlmostEqual(dot, 1 if i == j else -1 / 3, places=12)
        self.assertIsNone(document["row_distance"])
        self.assertRegex(self.succeeds("labelbooks", "--show", "mincorr", "--classes", 3).out, r"\n1 +0\.866025 +0\.5\n")

    def test_every_code_can_be_shown(self):
        for entry in self.succeeds("labelbooks", "--json").json():
            with self.subTest(entry["name"]):
                if entry["name"] == "optimal":
                    continue  # needs a table
                words = self.shown(entry["name"], 5, "--counts", "1,2,3,4,5")["codewords"]
                self.assertEqual(len(set(map(tuple, words))), 5)

    def test_codes_that_depend_on_a_table(self):
        """Columns of balanced and optimal are centred over the rows; those of optimal have mean square 1."""
        for name in ("balanced", "optimal"):
            document = self.succeeds("labelbooks", "--show", name, "--data", IRIS, "--json").json()
            self.assertEqual((document["classes"], document["length"]), (3, 2))
            for column in zip(*document["codewords"]):
                self.assertAlmostEqual(sum(column), 0, places=9)  # iris has 50 rows of each class
                if name == "optimal":
                    self.assertAlmostEqual(sum(x * x for x in column) / 3, 1, places=9)
        self.assertEqual(self.succeeds("labelbooks", "--show", "optimal", "--data", IRIS, "--length", 1, "--json").json()["length"], 1)
        self.fails(USAGE, "labelbooks", "--show", "optimal", "--data", IRIS, "--length", 3, says="1 to 2 columns")
        self.fails(USAGE, "labelbooks", "--show", "optimal", "--data", IRIS, "--classes", 3, says="--data")

    def test_distances_of_a_code(self):
        document = self.shown("complete", 4)
        self.assertEqual((document["length"], document["row_distance"], document["column_distance"]), (7, 4, 1))
        self.assertIsNone(self.shown("complete", 2)["column_distance"])

    def test_a_code_is_printed_as_signs(self):
        text = self.succeeds("labelbooks", "--show", "ava", "--classes", 3).out
        self.assertEqual(text.splitlines()[:3], ["ava: 3 classes, 3 columns", "smallest row distance: 2", "smallest column distance: 1"])
        self.assertRegex(text, r"\n1 +\+\+\.\n2 +-\.\+\n3 +\.--\n\Z")

    def test_counts_make_a_balanced_code(self):
        self.assertEqual(self.shown("balanced", 3, "--counts", "10,20,30")["codewords"], [[6, 0], [0, 3], [-2, -2]])

    def test_seed_and_length_of_a_drawn_code(self):
        default = self.shown("dense", 6)
        self.assertEqual(default["length"], 26)
        self.assertEqual(default, self.shown("dense", 6, "--seed", 1))
        self.assertNotEqual(default, self.shown("dense", 6, "--seed", 2))
        self.assertEqual(self.shown("sparse", 6, "--length", 20)["length"], 20)

    def test_labelbook_options_that_cannot_be(self):
        self.fails(USAGE, "labelbooks", "--show", "indicator", "--classes", 1)
        self.fails(USAGE, "labelbooks", "--show", "inidcator", "--classes", 3, says=["did you mean 'indicator'", "dense"])
        self.fails(USAGE, "labelbooks", "--show", "indicator", says="--show needs --classes, or --data")
        self.fails(USAGE, "labelbooks", "--seed", 2, says="--seed requires --show")
        self.fails(USAGE, "labelbooks", "--show", "optimal", "--classes", 3, says=["optimal", "training table"])
        self.fails(USAGE, "labelbooks", "--show", "balanced", "--classes", 3, says="needs the class counts")
        self.fails(USAGE, "labelbooks", "--show", "balanced", "--classes", 3, "--counts", "1,2", says="found 2")
        self.fails(USAGE, "labelbooks", "--show", "complete", "--classes", 20, says=["524287 columns", "use dense"])
        self.fails(USAGE, "labelbooks", "--show", "bch", "--classes", 65, says=["64 classes", "use dense"])
        self.fails(USAGE, "labelbooks", "--show", "ava", "--classes", 4, "--length", 3, says="length of 'ava' is fixed")
        self.fails(USAGE, "fit", IRIS, "-o", "m", "--labelbook", "exhaustive", "--quiet", says=["different lengths", "ls-ecoc"])

    def test_datasets_are_found_where_the_help_says(self):
        for folder in ("data", "cache/manyone", "own"):
            (self.folder / folder).mkdir(parents=True)
            shutil.copy(IRIS, self.folder / folder / f"{folder[:4]}.csv")
        (self.folder / "own" / "notes.txt").write_text("no table")
        env = {"XDG_CACHE_HOME": str(self.folder / "cache"), "MANYONE_DATA": str(self.folder / "own")}
        entries = self.succeeds("datasets", "--json", env=env).json()
        self.assertEqual([entry["name"] for entry in entries if not entry["file"].startswith(str(DATA))], ["data", "cach", "own"])
        self.assertEqual({"name", "size", "file"} - set(entries[0]), set())
        self.assertIn("own.csv", self.succeeds("datasets", env=env).out)

    def test_no_datasets_is_an_empty_list(self):
        """Of a tool that was moved away from its tables."""
        shutil.copy(TOOL, self.folder / "alone")
        env = {"XDG_CACHE_HOME": str(self.folder), "MANYONE_DATA": str(self.folder / "absent")}
        listed = subprocess.run(["./alone", "datasets", "--json"], cwd=self.folder, env={**os.environ, **env}, stdout=subprocess.PIPE, check=True)
        self.assertEqual(json.loads(listed.stdout), [])

    def test_help_of_every_command_has_an_example(self):
        overview = self.succeeds("--help").out
        for command in COMMANDS:
            with self.subTest(command):
                self.assertIn(command, overview)
                text = self.succeeds(command, "--help").out
                self.assertRegex(text, rf"Example:\n +(MANYONE_DATA=\S+ )?manyone {command}")

    def test_version(self):
        self.assertRegex(self.succeeds("--version").out, r"\A\d+\.\d+\.\d+\n\Z")
        self.assertEqual(self.run_tool("--version").code, DONE)
