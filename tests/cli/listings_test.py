# SPDX-License-Identifier: Apache-2.0
"""machines, labelbooks, kernels and datasets; help and version."""
import shutil

from tool import DONE, IRIS, USAGE, ToolTest

COMMANDS = ("fit", "predict", "evaluate", "tune", "inspect", "machines", "labelbooks", "kernels", "datasets")


class Listings(ToolTest):
    def test_machines(self):
        entries = self.succeeds("machines", "--json").json()
        self.assertIn("onelsm", [entry["name"] for entry in entries])
        for entry in entries:
            self.assertEqual(set(entry), {"name", "summary", "flops", "source"})
        self.assertIn("onelsm", self.succeeds("machines").out)

    def test_kernels(self):
        names = [entry["name"] for entry in self.succeeds("kernels", "--json").json()]
        self.assertEqual(names, ["gaussian", "laplacian", "polynomial", "linear", "precomputed"])
        self.assertIn("exp(-|x-z|^2 / (2 sigma^2))", self.succeeds("kernels").out)

    def test_labelbooks(self):
        names = [entry["name"] for entry in self.succeeds("labelbooks", "--json").json()]
        self.assertEqual(names, ["indicator", "pm1", "alignment", "consistency", "mincorr"])
        self.assertIn("Helmert", self.succeeds("labelbooks").out)

    def test_codewords_of_a_labelbook(self):
        rows = self.succeeds("labelbooks", "--show", "indicator", "--classes", 4, "--json").json()
        words = [[float(row[str(k)]) for k in range(1, 5)] for row in rows]
        self.assertEqual(words, [[float(i == k) for k in range(4)] for i in range(4)])
        rows = self.succeeds("labelbooks", "--show", "mincorr", "--classes", 4, "--json").json()
        words = [[float(row[str(k)]) for k in range(1, 4)] for row in rows]
        for i in range(4):
            for j in range(4):
                dot = sum(a * b for a, b in zip(words[i], words[j]))
                self.assertAlmostEqual(dot, 1 if i == j else -1 / 3, places=5)

    def test_labelbook_options_that_cannot_be(self):
        self.fails(USAGE, "labelbooks", "--show", "indicator", "--classes", 1)
        self.fails(USAGE, "labelbooks", "--show", "inidcator", says="indicator")

    def test_datasets_are_found_where_the_help_says(self):
        for folder in ("data", "cache/manyone", "own"):
            (self.folder / folder).mkdir(parents=True)
            shutil.copy(IRIS, self.folder / folder / f"{folder[:4]}.csv")
        (self.folder / "own" / "notes.txt").write_text("no table")
        env = {"XDG_CACHE_HOME": str(self.folder / "cache"), "MANYONE_DATA": str(self.folder / "own")}
        entries = self.succeeds("datasets", "--json", env=env).json()
        self.assertEqual([entry["name"] for entry in entries], ["data", "cach", "own"])
        self.assertEqual({"name", "size", "file"} - set(entries[0]), set())
        self.assertIn("own.csv", self.succeeds("datasets", env=env).out)

    def test_no_datasets_is_an_empty_list(self):
        env = {"XDG_CACHE_HOME": str(self.folder), "MANYONE_DATA": str(self.folder / "absent")}
        self.assertEqual(self.succeeds("datasets", "--json", env=env).json(), [])

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
