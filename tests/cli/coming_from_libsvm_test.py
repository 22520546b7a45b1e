# SPDX-License-Identifier: Apache-2.0
"""The rows of docs/coming-from-libsvm.md: LIBSVM's command and ours beside it predict the same.

A row or two may differ: votes that tie are broken in different ways, and both programs stop at a tolerance.
"""
import shutil
import subprocess
import unittest

from tool import DATA, ToolTest


@unittest.skipUnless(shutil.which("svm-train"), "svm-train is missing (apt install libsvm-tools)")
class ComingFromLibsvm(ToolTest):
    def setUp(self):
        super().setUp()
        rows = [line.split(",") for line in (DATA / "glass.csv").read_text().splitlines()[1:]]
        names = sorted({row[-1] for row in rows})
        self.labels = [names.index(row[-1]) + 1 for row in rows]
        cells = [" ".join(f"{j + 1}:{value}" for j, value in enumerate(row[:-1])) for row in rows]
        self.write("glass.svm", "".join(f"{label} {cell}\n" for label, cell in zip(self.labels, cells)))
        self.write("scaled.svm", self.libsvm("svm-scale", "-l", -1, "-u", 1, "glass.svm"))

    def libsvm(self, *command):
        return subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True, text=True, check=True).stdout

    def theirs(self, *options):
        self.libsvm("svm-train", "-q", *options, "scaled.svm", "their.model")
        self.libsvm("svm-predict", "scaled.svm", "their.model", "their.out")
        return (self.folder / "their.out").read_text().split()

    def ours(self, table, *options):
        self.succeeds("fit", table, "--machine", "svm-ovo", *options, "-o", "our.model", "--quiet")
        return self.succeeds("predict", "our.model", table).out.split()

    def assert_same(self, ours, theirs):
        self.assertEqual(len(ours), len(self.labels))
        self.assertLessEqual(sum(a != b for a, b in zip(ours, theirs)), 2)

    def test_cost_and_gamma(self):
        theirs = self.theirs("-c", 8, "-g", 0.5)
        self.assert_same(self.ours("scaled.svm", "--cost", 8, "--sigma", 1, "--scale", "none"), theirs)

    def test_scaling_needs_no_step_of_its_own(self):
        self.assert_same(self.ours("glass.svm", "--cost", 8, "--sigma", 1), self.theirs("-c", 8, "-g", 0.5))

    def test_polynomial_kernel(self):
        ours = self.ours("scaled.svm", "--scale", "none", "--kernel", "polynomial", "--degree", 3, "--offset", 2, "--cost", 8 * 0.5 ** 3)
        self.assert_same(ours, self.theirs("-t", 1, "-d", 3, "-g", 0.5, "-r", 1, "-c", 8))

    def test_weights(self):
        self.write("weights.txt", "".join("5\n" if label == 1 else "1\n" for label in self.labels))
        ours = self.ours("scaled.svm", "--scale", "none", "--cost", 8, "--sigma", 1, "--weights", "weights.txt")
        self.assert_same(ours, self.theirs("-c", 8, "-g", 0.5, "-w1", 5))

    def test_grid_of_grid_py(self):
        result = self.succeeds("tune", "glass.svm", "--machine", "svm-ovo", "--folds", 5, "--grid", "cost=-5:15:2,sigma=-2:7", "--json", "--quiet").json()
        self.assertEqual(len(result["surface"]), 110)


if __name__ == "__main__":
    unittest.main()
