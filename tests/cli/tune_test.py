# SPDX-License-Identifier: Apache-2.0
"""manyone tune: the whole surface, and ways to say what is searched and how."""
from tool import IRIS, VALID, ToolTest, csv_text, iris_rows


class Tune(ToolTest):
    def test_the_default_grid_is_that_of_the_papers(self):
        document = self.succeeds("tune", IRIS, "--search", "grid", "--json").json()
        values = [2.0 ** k for k in range(-4, 5)]
        self.assertEqual(sorted({cell["sigma"] for cell in document["surface"]}), values)
        self.assertEqual(sorted({cell["ridge"] for cell in document["surface"]}), values)
        self.assertEqual(len(document["surface"]), 81)
        self.assertNotIn("model", document)

    def test_json_has_the_promised_keys(self):
        document = self.succeeds("tune", IRIS, "--json").json()
        for key in ("machine", "labelbook", "kernel", "ridge", "cv", "surface", "seconds", "n", "d", "classes"):
            self.assertIn(key, document)

    def test_text_shows_the_surface_and_marks_the_choice(self):
        out = self.succeeds("tune", IRIS, "--grid", "sigma=-1:1,ridge=-2:0").out
        self.assertRegex(out, r"sigma \\ ridge +2\^-2 +2\^-1 +2\^0\n")
        self.assertEqual(out.count("*"), 2)  # the legend and the cell
        self.assertRegex(out, r"chosen among 9 cells")

    def test_a_grid_with_steps(self):
        document = self.succeeds("tune", IRIS, "--grid", "sigma=0:1:0.5,ridge=-3:-3", "--json").json()
        self.assertEqual([cell["sigma"] for cell in document["surface"]], [1.0, 2.0 ** 0.5, 2.0])
        self.assertEqual({cell["ridge"] for cell in document["surface"]}, {0.125})

    def test_a_single_cell_can_be_estimated(self):
        result = self.succeeds("tune", IRIS, "--sigma", 1, "--ridge", 0.125, "--json")
        self.assertEqual(len(result.json()["surface"]), 1)
        self.assertEqual(result.json()["search"], "fixed")

    def test_leave_one_out(self):
        document = self.succeeds("tune", IRIS, "--sigma", 1, "--ridge", 0.125, "--folds", "loo", "--json").json()
        self.assertEqual(document["cv"]["folds"], "loo")
        by_hand = self.write("folds", "".join(f"{i}\n" for i in range(150)))
        given = self.succeeds("tune", IRIS, "--sigma", 1, "--ridge", 0.125, "--folds", by_hand, "--json").json()
        self.assertEqual(given["cv"]["error"], document["cv"]["error"])

    def test_a_closed_form_fold_is_what_a_refit_gives(self):
        # Two folds by hand: train on one half, evaluate on the other. The scaling is that of the whole table.
        header, rows = iris_rows()
        low = [min(float(row[j]) for row in rows) for j in range(4)]
        high = [max(float(row[j]) for row in rows) for j in range(4)]
        scaled = [[repr(2 * (float(row[j]) - low[j]) / (high[j] - low[j]) - 1) for j in range(4)] + row[4:] for row in rows]
        halves = [self.write(f"half{k}.csv", csv_text(header, scaled[k::2])) for k in range(2)]
        wrong = 0
        for k in range(2):
            self.fitted(halves[k], "m", "--sigma", 0.5, "--ridge", 0.25, "--scale", "none")
            document = self.succeeds("evaluate", "m", halves[1 - k], "--json").json()
            wrong += round(document["error"] * document["n"])
        folds = self.write("folds", "".join("ab"[i % 2] + "\n" for i in range(150)))
        tuned = self.succeeds("tune", IRIS, "--sigma", 0.5, "--ridge", 0.25, "--folds", folds, "--json").json()
        self.assertEqual(round(tuned["cv"]["error"] * 150), wrong)

    def test_a_fold_column_is_the_fold_file(self):
        header, rows = iris_rows()
        table = self.write("t.csv", csv_text([*header, "part"], [[*row, "abc"[i % 3]] for i, row in enumerate(rows)]))
        folds = self.write("folds", "".join("abc"[i % 3] + "\n" for i in range(150)))
        column = self.succeeds("tune", table, "--target", "class", "--folds", "column:part", "--json").json()
        file = self.succeeds("tune", IRIS, "--folds", folds, "--json").json()
        self.assertEqual(column["cv"], file["cv"])
        self.assertEqual(column["d"], 4)
        self.assertEqual(column["cv"]["folds"], 3)

    def test_the_bundled_fold_column(self):
        document = self.succeeds("tune", VALID / "csv-folds.csv", "--folds", "column:fold", "--sigma", 1, "--ridge", 1, "--json").json()
        self.assertEqual((document["d"], document["cv"]["folds"]), (1, 2))

    def test_another_seed_makes_other_folds(self):
        def errors(seed):
            document = self.succeeds("tune", IRIS, "--search", "grid", "--seed", seed, "--json").json()
            return [cell["error"] for cell in document["surface"]]

        self.assertNotEqual(errors(1), errors(2))

    def test_stratified_folds_hold_every_class(self):
        header, rows = iris_rows()
        table = self.write("t.csv", csv_text(header, [*rows[:50], *rows[50:55]]))
        self.succeeds("tune", table, "--stratify", "--folds", 5)

    def test_nested_is_the_honest_error(self):
        document = self.succeeds("tune", IRIS, "--nested", "--json").json()
        self.assertGreaterEqual(document["nested"]["error"], document["cv"]["error"])

    def test_kernels_without_sigma_have_a_surface_over_ridge_alone(self):
        result = self.succeeds("tune", IRIS, "--kernel", "linear", "--search", "grid", "--json")
        self.assertEqual(len(result.json()["surface"]), 9)
        self.assertNotIn("sigma", result.json()["surface"][0])
        self.assertNotIn("sigma", result.json()["kernel"])
