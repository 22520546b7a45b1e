# SPDX-License-Identifier: Apache-2.0
"""The same command gives the same bytes, whatever the number of threads."""
from tool import DIGITS, IRIS, ToolTest


class Repeatable(ToolTest):
    def fit_twice(self, first, second, *command):
        """Models and JSON of one command under two sets of options."""
        out = []
        for options in (first, second):
            document = self.succeeds(*command, "--json", *options).json()
            del document["seconds"], document["command"]
            out.append((document, (self.folder / "m").read_bytes() if command[0] == "fit" else b""))
        return out

    def test_fit_twice(self):
        a, b = self.fit_twice((), (), "fit", IRIS, "-o", "m")
        self.assertEqual(a, b)

    def test_fit_with_repeats_and_nested_search_twice(self):
        a, b = self.fit_twice((), (), "fit", IRIS, "-o", "m", "--repeats", 3, "--nested", "--seed", 7)
        self.assertEqual(a, b)

    def test_tune_twice(self):
        a, b = self.fit_twice((), (), "tune", DIGITS, "--grid", "sigma=0:2,ridge=-3:0")
        self.assertEqual(a, b)

    def test_fit_does_not_depend_on_threads(self):
        a, b = self.fit_twice(("--threads", 1), ("--threads", 2), "fit", IRIS, "-o", "m")
        self.assertEqual(a, b)

    def test_a_larger_fit_does_not_depend_on_threads(self):
        a, b = self.fit_twice(("--threads", 1), ("--threads", 2), "fit", DIGITS, "-o", "m", "--sigma", 2, "--ridge", 0.5)
        self.assertEqual(a, b)

    def test_tune_does_not_depend_on_threads(self):
        a, b = self.fit_twice(("--threads", 1), ("--threads", 3), "tune", DIGITS, "--grid", "sigma=0:2,ridge=-3:0")
        self.assertEqual(a, b)

    def test_margin_machines_do_not_depend_on_threads(self):
        for name in ("svm-ovo", "svm-ova", "vo-svm", "sbc-identity", "cs"):
            with self.subTest(name):
                a, b = self.fit_twice(("--threads", 1), ("--threads", 3), "fit", IRIS, "-o", "m", "--machine", name)
                self.assertEqual(a, b)

    def test_predictions_do_not_depend_on_threads(self):
        self.fitted(DIGITS, "m", "--sigma", 2, "--ridge", 0.5)
        one, two = (self.succeeds("predict", "m", DIGITS, "--scores", "--proba", "--threads", count).out for count in (1, 2))
        self.assertEqual(one, two)

    def test_a_model_loaded_and_used_twice_gives_the_same_bytes(self):
        model = self.fitted()
        self.assertEqual(self.succeeds("predict", model, IRIS, "--scores").out, self.succeeds("predict", model, IRIS, "--scores").out)

    def test_the_order_of_options_does_not_matter(self):
        self.succeeds("fit", IRIS, "-o", "a", "--sigma", 1, "--ridge", 2)
        self.succeeds("fit", "--ridge", 2, "-o", "b", "--sigma=1", IRIS)
        self.assertEqual((self.folder / "a").read_bytes(), (self.folder / "b").read_bytes())
