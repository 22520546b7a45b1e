# SPDX-License-Identifier: Apache-2.0
"""manyone compare: the same rows for all machines, a test for each pair, ranks over tables."""
import json

from tool import DATA, INPUT, IRIS, USAGE, ToolTest, csv_text, iris_rows


class Compare(ToolTest):
    def test_a_table_for_people_and_every_fold_as_json(self):
        done = self.succeeds("compare", IRIS, "--machines", "onelsm,vo-lssvm", "--with", "onelsm --labelbook mincorr")
        for words in ("5x2cv", "onelsm - vo-lssvm", "no significant difference", "p (Holm)"):
            self.assertIn(words, done.out)
        document = self.succeeds("compare", IRIS, "--machines", "onelsm,vo-lssvm", "--json").json()
        self.assertEqual((document["format"], document["version"], document["kind"]), ("manyone-result", 1, "compare"))
        machines = document["sets"][0]["machines"]
        self.assertEqual([m["name"] for m in machines], ["onelsm", "vo-lssvm"])
        for machine in machines:
            self.assertEqual(len(machine["folds"]), 10)
            mean = sum(fold["error"] for fold in machine["folds"]) / 10
            self.assertAlmostEqual(machine["error"], mean, 12)
        pair, = document["pairs"]
        self.assertAlmostEqual(pair["difference"], machines[0]["error"] - machines[1]["error"], 12)
        self.assertLessEqual(pair["low"], pair["difference"])
        self.assertGreaterEqual(pair["holm_p"], pair["p"])
        self.assertNotIn("ranks", document)

    def test_the_f_statistic_follows_from_the_folds(self):
        document = self.succeeds("compare", IRIS, "--machines", "onelsm,ls-ovo", "--json", "--seed", 3).json()
        first, second = ([fold["error"] for fold in m["folds"]] for m in document["sets"][0]["machines"])
        p = [a - b for a, b in zip(first, second)]
        s = sum((p[i] - p[i + 1]) ** 2 / 2 for i in range(0, 10, 2))
        expected = sum(x * x for x in p) / (2 * s) if s > 0 else 0
        self.assertAlmostEqual(document["pairs"][0]["statistic"], expected, 9)

    def test_a_machine_that_cannot_learn_is_found_worse(self):
        document = self.succeeds("compare", IRIS, "--with", "onelsm --sigma 1 --ridge 0.1", "--with",
                                 "onelsm --sigma 0.001 --ridge 1e6", "--protocol", "cv:10x2", "--json").json()
        pair, = document["pairs"]
        self.assertEqual(pair["test"], "corrected t")
        self.assertLess(pair["holm_p"], 0.01)
        self.assertIn("is better than", pair["verdict"])

    def test_protocols_and_several_tables(self):
        header, rows = iris_rows()
        other = self.write("other.csv", csv_text(header, rows[::2]))
        document = self.succeeds("compare", IRIS, other, "--machines", "onelsm,ls-ovo,ls-ova", "--protocol", "holdout:0.4",
                                 "--json").json()
        self.assertEqual(len(document["sets"]), 2)
        self.assertEqual(len(document["pairs"]), 6)
        self.assertEqual(document["pairs"][0]["test"], "McNemar")
        self.assertEqual(len(document["ranks"]["ranks"]), 3)
        self.assertAlmostEqual(sum(document["ranks"]["ranks"]), 6)

    def test_holm_over_all_pairs_of_all_tables_is_said(self):
        header, rows = iris_rows()
        other = self.write("other.csv", csv_text(header, rows[::2]))
        done = self.succeeds("compare", IRIS, other, "--machines", "onelsm,ls-ovo,ls-ova", "--protocol", "cv:3")
        self.assertIn("p (Holm) is adjusted for all 6 comparisons of all tables together (3 pairs of machines on 2 tables)", done.out)
        done = self.succeeds("compare", IRIS, "--machines", "onelsm,ls-ovo,ls-ova", "--protocol", "cv:3")
        self.assertIn("p (Holm) is adjusted for all 3 comparisons.", done.out)

    def test_the_error_of_guessing_stands_beside_the_others(self):
        done = self.succeeds("compare", IRIS, "--machines", "onelsm,ls-ovo", "--protocol", "cv:3")
        self.assertIn("always guessing the most frequent class: 66.67 %", done.out)

    def test_no_interval_of_no_width(self):
        # The same machine under two names: the same difference, 0, on all parts.
        options = ["compare", IRIS, "--with", "onelsm --sigma 1 --ridge 0.1", "--with", "onelsm  --sigma 1 --ridge 0.1"]
        for protocol in ("5x2cv", "cv:3", "holdout"):
            with self.subTest(protocol):
                done = self.succeeds(*options, "--protocol", protocol)
                self.assertRegex(done.out, r"0\.00\s+none\s+1\.000")
                self.assertIn("No interval: the two make the same difference on all parts", done.out)
                pair, = self.succeeds(*options, "--protocol", protocol, "--json").json()["pairs"]
                self.assertIsNone(pair["low"])
                self.assertIsNone(pair["high"])

    def test_notes_name_table_and_machine_and_come_once(self):
        header, rows = iris_rows()
        lonely = self.write("lonely.csv", csv_text(header, [*rows[:100], *rows[147:]]))
        done = self.succeeds("compare", lonely, "--machines", "onelsm,ls-ovo", "--protocol", "cv:3")
        notes = [line for line in done.err.splitlines() if line.startswith("note: ")]
        self.assertTrue(notes)
        for note in notes:
            self.assertRegex(note, r"^note: lonely\.csv, (onelsm|ls-ovo): ")
        starts = [note.split("'")[0] for note in notes]
        self.assertEqual(len(starts), len(set(starts)), notes)

    def test_a_recipe_file(self):
        recipe = self.write("wide.recipe", "# one machine\n--machine onelsm --kernel laplacian\n")
        document = self.succeeds("compare", IRIS, "--machines", f"onelsm,{recipe}", "--protocol", "cv:3", "--json").json()
        self.assertEqual([m["kernel"] for m in document["machines"]], ["gaussian", "laplacian"])
        self.assertEqual(document["machines"][1]["name"], "wide")

    def test_a_journal_is_continued_and_refused_for_another_comparison(self):
        journal = self.folder / "journal"
        options = ["compare", IRIS, "--machines", "onelsm,ls-ovo", "--resume", journal, "--json"]
        whole = self.succeeds(*options).json()
        lines = journal.read_text().splitlines(keepends=True)
        self.assertEqual(len(lines), 21)
        journal.write_text("".join(lines[:7]) + lines[7][:20])  # what a kill leaves
        again = self.succeeds(*options).json()
        for document in (whole, again):
            del document["seconds"]
            for machine in document["sets"][0]["machines"]:
                del machine["seconds"]
                for fold in machine["folds"]:
                    del fold["seconds"]
        self.assertEqual(whole, again)
        self.assertIn("another comparison", self.fails(INPUT, *options, "--seed", 2).err)
        journal.write_text("".join(lines[:1]) + lines[1].replace('"predicted":[', '"predicted":[77,'))
        self.assertIn("does not fit", self.fails(INPUT, *options).err)
        for deep in (lines[0] + "[" * 100_000 + "]" * 100_000 + "\n", '{"format":' * 100 + "1" + "}" * 100 + "\n"):
            journal.write_text(deep)
            self.assertIn("not a line of a journal", self.fails(INPUT, *options).err)
        first = json.loads(lines[1])
        for change, says in ((("error", 0.9), "does not fit"), (("predicted", [True] * len(first["predicted"])), "whole number"),
                             (("predicted", [first["predicted"][0] + 2**32, *first["predicted"][1:]]), "whole number"),
                             (("set", -1), "whole number"), (("fold", 2**33), "whole number"), (("repeat", 0.5), "whole number"),
                             (("seconds", 1e308), "not a trial")):
            with self.subTest(change[0]):
                journal.write_text(lines[0] + json.dumps({**first, change[0]: change[1]}) + "\n")
                self.fails(INPUT, *options, says=says)
        journal.write_text("{}\n")
        self.assertIn("journal", self.fails(INPUT, *options).err)

    def test_machines_that_share_their_work_are_compared_as_if_alone(self):
        alone, beside = (self.succeeds("compare", IRIS, "--machines", machines, "--protocol", "cv:3", "--json").json()
                         for machines in ("svm-dag,onelsm", "svm-ovo,svm-dag,onelsm"))
        machines = {one["name"]: one for one in beside["sets"][0]["machines"]}
        self.assertGreater(machines["svm-dag"]["shared_cells"], 0)
        self.assertEqual(machines["svm-ovo"]["shared_cells"], 0)
        for one in alone["sets"][0]["machines"]:
            self.assertEqual([fold["error"] for fold in one["folds"]],
                             [fold["error"] for fold in machines[one["name"]]["folds"]])

    def test_rankings_that_agree_on_two_tables_prove_nothing(self):
        result = self.succeeds("compare", IRIS, DATA / "wine.csv", "--machines", "onelsm", "--with", "onelsm --sigma 0.001", "--protocol", "cv:2")
        self.assertIn("Friedman test over 2 tables: p = 0.5", result.out)

    def test_what_cannot_be_compared(self):
        for options, words in ((["--machines", "onelsm"], "two machines"), (["--machines", "onelsm,onelsm"], "twice"),
                               (["--machines", "onelsm,nosuch"], "nosuch"),
                               (["--machines", "onelsm,ls-ovo", "--protocol", "cv:1"], "--protocol"),
                               (["--machines", "onelsm,ls-ovo", "--protocol", "holdout:1.5"], "--protocol"),
                               (["--machines", "onelsm,ls-ovo", "--nested"], "--nested"),
                               (["--machines", "onelsm,ls-ovo", "--machine", "cs"], "--machines"),
                               (["--machines", "onelsm", "--with", "ls-ovo --nosuch 1"], "--nosuch"),
                               (["--machines", "onelsm", "--with", "ls-ovo --output z"], "has no '--output'"),
                               (["--machines", "onelsm,ls-ovo", "--kernel", "precomputed"], "has no values"),
                               ([IRIS, "--machines", "onelsm,ls-ovo"], "iris.csv is there twice"),
                               (["--machines", "onelsm,ls-ovo", "--protocol", "cv:200"], "200 folds")):
            with self.subTest(options):
                self.assertIn(words, self.fails(USAGE, "compare", IRIS, *options).err)
