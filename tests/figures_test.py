#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What bench/figures.py keeps of a measurement and says of it."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
import figures  # noqa: E402

RATIO = {"quantity": "time / theirs", "value": 0.123456789, "unit": "×", "bar": ("<=", 0.5), "holds": True, "ours": 1, "peers": ["a"]}


def measured(machine, document=None):
    return figures.with_entry(document or {"machines": {}, "benchmarks": {}}, "fit", [RATIO], machine, command="./dev bench fit",
                              what="One fit", date="2026-01-02")


class Figures(unittest.TestCase):
    def test_a_range_that_crosses_its_bar_is_missed(self):
        self.assertFalse(figures.holds([9.4, 13.9], [">=", 10]))
        self.assertTrue(figures.holds([10, 13.9], [">=", 10]))
        self.assertFalse(figures.holds([0.4, 0.6], ["<=", 0.5]))
        self.assertTrue(figures.holds([None, 0.31], ["<=", 0.5]))
        self.assertTrue(figures.holds(10.2, ["..", 9, 11]))
        self.assertFalse(figures.holds(8.9, ["..", 9, 11]))
        self.assertIsNone(figures.holds(1, None))

    def test_figures_are_said_with_their_units(self):
        self.assertEqual(figures.words(25, "×"), "25×")
        self.assertEqual(figures.words([0.13, 0.18], "s"), "0.13–0.18 s")
        self.assertEqual(figures.words([None, 0.31], "points"), "at most 0.31 points")
        self.assertEqual(figures.words(-2e-7), "−2e-7")
        self.assertEqual(figures.bar_words(["<=", 1000], "MB"), "≤ 1000 MB")
        self.assertEqual(figures.bar_words(["..", 9, 11], "×"), "9–11")

    def test_an_entry_is_replaced_as_a_whole(self):
        document = measured({"processor": "old"})
        document["benchmarks"]["fit"]["figures"][0]["note"] = "of the old run"
        measured({"processor": "new"}, document)
        entry = document["benchmarks"]["fit"]
        self.assertNotIn("note", entry["figures"][0])
        self.assertEqual(document["machines"], {entry["machine"]: {"processor": "new"}})

    def test_equal_machines_have_one_letter(self):
        document = measured({"processor": "one"})
        for name, machine in (("a", "one"), ("b", "two")):
            figures.with_entry(document, name, [RATIO], {"processor": machine})
        self.assertEqual([entry["machine"] for entry in document["benchmarks"].values()], ["A", "A", "B"])

    def test_only_numbers_are_kept_of_what_a_figure_is_made_of(self):
        figure = measured({})["benchmarks"]["fit"]["figures"][0]
        self.assertEqual(figure, {"quantity": "time / theirs", "value": 0.123457, "unit": "×", "bar": ["<=", 0.5], "of": {"ours": 1}})

    def test_the_text_of_a_document_is_that_document(self):
        document = measured({"processor": "one"})
        self.assertEqual(json.loads(figures.text_of(document)), document)

    def test_a_page_gets_the_tables_it_names(self):
        page = "<!-- From here: bench/figures.json, fit -->\n\nold\n<!-- Until here. -->"
        filled = figures.filled(page, measured({"processor": "one"}))
        self.assertIn("| `./dev bench fit`: One fit | time / theirs | 0.1235× | ≤ 0.5 | ours 1 | A, 2026-01-02 |", filled)
        self.assertNotIn("old", filled)


if __name__ == "__main__":
    unittest.main()
