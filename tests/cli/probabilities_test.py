# SPDX-License-Identifier: Apache-2.0
"""Probabilities of every machine and decoder are calibrated on held-out rows and beat the shares of the classes."""
import csv
import math
import unittest
from collections import Counter

from tool import DATA, DIGITS, IRIS, ToolTest, csv_text, noise_table


def halves(table):
    """A table in two halves in which every class has its share: header, rows to fit, rows to test."""
    with open(table, encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    rows.sort(key=lambda row: row[-1])
    return header, rows[0::2], rows[1::2]


class Probabilities(ToolTest):
    def log_losses(self, table, *options):
        """Log loss on rows that were not fitted, and that of stating the shares of the classes."""
        header, seen, unseen = halves(table)
        fit, test = self.write("fit.csv", csv_text(header, seen)), self.write("test.csv", csv_text(header, unseen))
        self.succeeds("fit", fit, "-o", "m", "--quiet", *options)
        shares = Counter(row[-1] for row in seen)
        prior = -sum(math.log(shares[row[-1]] / len(seen)) for row in unseen) / len(unseen)
        return self.succeeds("evaluate", "m", test, "--json").json()["log_loss"], prior

    def temperature(self):
        return self.succeeds("inspect", "m", "--json").json()["temperature"]

    def test_msvr_is_calibrated_and_beats_the_shares_of_the_classes(self):
        overlapping = self.write("overlapping.csv", noise_table(400, 3, 6))
        for table in (DATA / "wine.csv", DATA / "glass.csv", IRIS, overlapping):
            with self.subTest(table):
                loss, prior = self.log_losses(table, "--machine", "msvr")
                self.assertLess(loss, prior)
                self.assertNotEqual(self.temperature(), 1)

    def test_msvr_on_digits_is_not_surer_than_it_is_right(self):
        loss, prior = self.log_losses(DIGITS, "--machine", "msvr")
        self.assertLess(loss, 0.12)  # at temperature 1 it was 0.2
        self.assertLess(loss, prior / 10)

    def test_every_decoder_of_msvr_has_a_temperature(self):
        for options in (["--decode", "flda"], ["--decode", "ssvm"], ["--decode", "argmax"], ["--centers", "20"],
                        ["--sigma", "1"], ["--sigma", "1", "--cost", "100"], ["--reduce", "pca", "--centers", "20"]):
            with self.subTest(options):
                loss, _ = self.log_losses(DATA / "glass.csv", "--machine", "msvr", *options)
                self.assertNotEqual(self.temperature(), 1)
                self.assertLess(loss, math.log(6))  # that of six classes stated alike: flda takes them to be as frequent

    def test_a_class_that_is_in_one_fold_only_does_not_flatten_the_others(self):
        rows = [line.split(",") for line in noise_table(300, 3, 4).splitlines()[1:]]
        for k in range(2):
            rows.append(["9", str(9 + k), "9", "rare"])
        self.write("rare.csv", csv_text(["a", "b", "c", "class"], rows))
        self.succeeds("fit", "rare.csv", "-o", "m", "--quiet", "--machine", "msvr")
        self.assertLess(self.temperature(), 1e6)

    def test_exports_state_the_same_probabilities(self):
        self.succeeds("fit", DATA / "wine.csv", "-o", "m", "--quiet", "--machine", "msvr")
        header = self.folder / "m.hpp"
        self.succeeds("export", "m", "--cpp", header)
        self.assertIn(repr(self.temperature())[:12], header.read_text())


if __name__ == "__main__":
    unittest.main()
