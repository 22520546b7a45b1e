# SPDX-License-Identifier: Apache-2.0
"""manyone fit: what it says, what its JSON holds, and what its options change."""
from tool import DATA, DIGITS, INPUT, IRIS, USAGE, VALID, ToolTest, csv_text, iris_rows, noise_table


class Fit(ToolTest):
    def test_a_table_of_few_rows_has_as_many_folds(self):
        header, rows = iris_rows()
        few = self.write("few.csv", csv_text(header, rows[:4] + rows[50:54]))
        self.assertEqual(self.succeeds("fit", few, "-o", "m", "--json", "--quiet").json()["cv"]["folds"], 8)

    def test_folds_of_no_search_are_noted(self):
        self.assertIn("--folds not used", self.succeeds("fit", IRIS, "-o", "m", "--sigma", 1, "--ridge", 1, "--folds", 5).err)

    def test_tells_table_parameters_error_and_file(self):
        result = self.succeeds("fit", IRIS, "-o", "m.safetensors")
        self.assertEqual(result.err, "")
        self.assertRegex(result.out, r"iris\.csv: 150 rows, 4 features, 3 classes\n")
        self.assertRegex(result.out, r"gaussian kernel, sigma [\d.]+, ridge [\d.e-]+\n")
        self.assertRegex(result.out, r"10-fold cross-validation error [\d.]+ %")
        self.assertRegex(result.out, r"model written to m\.safetensors \([\d.]+ kB\)")
        self.assertTrue((self.folder / "m.safetensors").is_file())

    def test_leaves_only_the_model_behind(self):
        self.succeeds("fit", IRIS, "-o", "m.safetensors")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["m.safetensors"])

    def test_json_has_the_promised_keys(self):
        result = self.succeeds("fit", IRIS, "-o", "m.safetensors", "--json")
        document = result.json()
        for key in ("machine", "labelbook", "kernel", "ridge", "cv", "surface", "seconds", "n", "d", "classes", "model"):
            self.assertIn(key, document)
        self.assertEqual(document["machine"], "onelsm")
        self.assertEqual(document["labelbook"], "indicator")
        self.assertEqual(document["kernel"]["name"], "gaussian")
        self.assertGreater(document["kernel"]["sigma"], 0)
        self.assertEqual({"folds", "repeats", "error", "std"} - set(document["cv"]), set())
        for cell in document["surface"]:
            self.assertEqual({"sigma", "ridge", "error"} - set(cell), set())
        for key in ("read", "kernel", "solve", "select", "total"):
            self.assertGreaterEqual(document["seconds"][key], 0)
        self.assertEqual((document["n"], document["d"]), (150, 4))
        self.assertEqual(document["classes"], ["setosa", "versicolor", "virginica"])
        self.assertEqual(document["model"], "m.safetensors")
        self.assertIn("150 rows", result.err)

    def test_the_chosen_cell_cannot_be_told_from_the_best_of_the_surface(self):
        document = self.succeeds("fit", IRIS, "-o", "m", "--search", "grid", "--json").json()
        self.assertEqual(len(document["surface"]), 81)
        smallest = min(cell["error"] for cell in document["surface"])
        chosen = [cell for cell in document["surface"]
                  if cell["sigma"] == document["kernel"]["sigma"] and cell["ridge"] == document["ridge"]]
        self.assertEqual([cell["error"] for cell in chosen], [document["cv"]["error"]])
        self.assertLessEqual(document["cv"]["error"], smallest + (smallest * (1 - smallest) / 150) ** 0.5)

    def test_near_ties_do_not_choose_widths_whose_probabilities_are_worthless(self):
        lines = DIGITS.read_text().splitlines()
        table = self.write("t.csv", "\n".join(lines[:601]) + "\n")
        for search in ("auto", "grid", "halving"):
            self.succeeds("fit", table, "-o", "m", "--search", search)
            found = self.succeeds("evaluate", "m", DATA / "digits.test.csv", "--json").json()
            self.assertLess(found["log_loss"], 0.35, search)
            self.assertLess(found["error"], 0.06, search)

    def test_a_choice_at_the_edge_of_the_grid_is_noted(self):
        result = self.succeeds("fit", IRIS, "-o", "m", "--grid", "sigma=-6:-4,ridge=-3:-3")
        self.assertRegex(result.err, r"note: the chosen sigma 0.0625 is the largest that was looked at[^\n]*--grid")
        inside = self.succeeds("fit", IRIS, "-o", "m")
        self.assertNotIn("that was looked at", inside.err)

    def test_given_parameters_are_used_and_nothing_is_tuned(self):
        result = self.succeeds("fit", IRIS, "-o", "m", "--sigma", 0.5, "--ridge", 0.01, "--json")
        document = result.json()
        self.assertEqual((document["kernel"]["sigma"], document["ridge"]), (0.5, 0.01))
        self.assertEqual(document["search"], "fixed")
        self.assertIsNone(document["cv"])
        self.assertEqual(document["surface"], [])
        self.assertIn("nothing was tuned", result.err)

    def test_one_given_parameter_leaves_the_other_to_the_search(self):
        document = self.succeeds("fit", IRIS, "-o", "m", "--sigma", 0.5, "--json").json()
        self.assertEqual({cell["sigma"] for cell in document["surface"]}, {0.5})
        self.assertGreater(len({cell["ridge"] for cell in document["surface"]}), 1)

    def test_lambda_is_the_ridge_per_row(self):
        self.fitted(IRIS, "ridge", "--sigma", 1, "--ridge", 1.5)
        document = self.succeeds("fit", IRIS, "-o", "lambda", "--sigma", 1, "--lambda", 0.01, "--json").json()
        self.assertEqual(document["ridge"], 1.5)
        self.assertEqual((self.folder / "ridge").read_bytes(), (self.folder / "lambda").read_bytes())

    def test_every_kernel_fits_and_predicts_its_training_rows(self):
        for kernel in ("gaussian", "laplacian", "matern32", "matern52", "polynomial", "linear"):
            with self.subTest(kernel):
                self.succeeds("fit", IRIS, "-o", "m", "--kernel", kernel, "--quiet")
                self.assertLess(self.succeeds("evaluate", "m", IRIS, "--json").json()["error"], 0.2)

    def test_polynomial_degree_and_offset_are_in_the_json(self):
        document = self.succeeds("fit", IRIS, "-o", "m", "--kernel", "polynomial", "--degree", 2, "--offset", 0.5, "--json").json()
        self.assertEqual(document["kernel"], {"name": "polynomial", "degree": 2, "offset": 0.5})
        self.assertNotIn("sigma", document["surface"][0])

    def test_every_labelbook_fits(self):
        entries = self.succeeds("labelbooks", "--json").json()
        for name in [entry["name"] for entry in entries if entry["kind"] == "book"]:
            with self.subTest(name):
                document = self.succeeds("fit", IRIS, "-o", "m", "--labelbook", name, "--json").json()
                self.assertEqual(document["labelbook"], name)
                self.assertLess(document["cv"]["error"], 0.1)

    def test_a_labelbook_from_a_file_equal_to_a_known_one_gives_its_predictions(self):
        book = self.write("book.csv", "1,0,0\n0,1,0\n0,0,1\n")
        self.fitted(IRIS, "known")
        self.fitted(IRIS, "own", "--sigma", 1, "--ridge", 0.125, "--labelbook", book)
        known, own = (self.succeeds("predict", model, IRIS, "--scores").out for model in ("known", "own"))
        self.assertEqual(known, own)

    def test_bias_weights_and_scale_are_recorded(self):
        document = self.succeeds("fit", IRIS, "-o", "m", "--bias", "--weights", "balanced", "--scale", "standard", "--json").json()
        self.assertEqual((document["bias"], document["weights"], document["scale"]), (True, "balanced", "standard"))

    def test_target_by_name_and_by_number_are_the_same(self):
        header, rows = iris_rows()
        moved = self.write("moved.csv", csv_text([header[-1], *header[:-1]], [[row[-1], *row[:-1]] for row in rows]))
        self.fitted(IRIS, "last")
        for name, target in (("named", "class"), ("numbered", 1)):
            self.fitted(moved, name, "--sigma", 1, "--ridge", 0.125, "--target", target)
            self.assertEqual(self.succeeds("predict", name, moved).out, self.succeeds("predict", "last", IRIS).out)

    def test_reads_standard_input(self):
        self.fitted(IRIS, "file")
        self.succeeds("fit", "-", "-o", "stream", "--sigma", 1, "--ridge", 0.125, stdin=IRIS.read_text())
        self.assertEqual((self.folder / "file").read_bytes(), (self.folder / "stream").read_bytes())

    def test_every_format_is_read(self):
        for name in ("csv-packed.csv.gz", "csv-tabs.tsv", "csv-semicolons.csv", "csv-without-header.csv", "csv-nominal.csv",
                     "arff-dense.arff", "arff-sparse.arff", "libsvm-dense.svm", "libsvm-sparse.svm", "small-images-idx3-ubyte",
                     "packed-images-idx3-ubyte.gz"):
            with self.subTest(name):
                self.succeeds("fit", VALID / name, "-o", "m", "--sigma", 1, "--ridge", 1, "--folds", "loo", "--missing", "mean")
                self.succeeds("predict", "m", VALID / name)

    def test_a_class_with_a_single_row_is_trained_and_noted(self):
        header, rows = iris_rows()
        table = self.write("t.csv", csv_text(header, [*rows[:100], rows[149]]))
        result = self.succeeds("fit", table, "-o", "m")
        self.assertRegex(result.err, r"\Anote: class 'virginica' has a single row[^\n]*\n\Z")
        evaluation = self.succeeds("evaluate", "m", table, "--json").json()
        self.assertEqual(evaluation["confusion"]["labels"], ["setosa", "versicolor", "virginica"])

    def test_many_classes_with_a_single_row_are_one_note(self):
        header, rows = iris_rows()
        table = self.write("t.csv", csv_text(header, [*rows[:100], *([*row[:-1], f"lonely{i}"] for i, row in enumerate(rows[100:117]))]))
        result = self.succeeds("fit", table, "-o", "m")
        self.assertRegex(result.err, r"\Anote: 17 classes have a single row: [^\n]*\(17 in all\)\n\Z")
        self.assertLess(len(result.err), 250)

    def test_the_error_of_guessing_stands_beside_every_error(self):
        guess = "always guessing the most frequent class: 66.67 %"
        self.assertIn(guess, self.succeeds("fit", IRIS, "-o", "m").out)
        self.assertIn(guess, self.succeeds("fit", IRIS, "-o", "c", "--machine", "msvr").out)
        self.assertIn(guess, self.succeeds("tune", IRIS).out)
        self.assertIn(guess, self.succeeds("inspect", "m").out)
        self.assertIn(guess, self.succeeds("inspect", "c").out)

    def test_above_some_thousand_rows_the_default_tunes_on_a_subset_and_says_so(self):
        table = self.write("t.csv", noise_table(3300, 3, 3))
        result = self.succeeds("fit", table, "-o", "m", "--json", "--ridge", 1)
        self.assertRegex(result.err, r"note: tuning on a stratified subset of \d+ of 3300 rows")
        self.assertEqual(self.succeeds("inspect", "m", "--json").json()["n"], 3300)

    def test_the_stated_error_of_a_large_table_is_that_of_the_model(self):
        lines = noise_table(8000, 4, 4).splitlines()
        table = self.write("t.csv", "\n".join(lines[:4001]) + "\n")
        rest = self.write("rest.csv", "\n".join([lines[0], *lines[4001:]]) + "\n")
        for machine in ("onelsm", "svm-ovo", "ls-ovo"):
            result = self.succeeds("fit", table, "-o", "m", "--machine", machine, "--json")
            cv = result.json()["cv"]
            self.assertEqual((cv["kind"], cv["train_rows"]), ("held-out", 3600), machine)
            self.assertEqual(result.json()["held_out"]["n"], cv["rows"])
            self.assertRegex(result.err, rf"error [\d.]+ % \(95 % interval [\d.]+ % to [\d.]+ %\): {cv['rows']} rows, judged by "
                                         rf"models trained on 3600 others")
            true = self.succeeds("evaluate", "m", rest, "--json").json()["error"]
            spread = (true * (1 - true) * (1 / cv["rows"] + 1 / 4000)) ** 0.5
            self.assertLess(abs(cv["error"] - true), 3 * spread, machine)
            self.assertIn(f"{cv['rows']} rows, judged by models trained on 3600 others", self.succeeds("inspect", "m").out)

    def test_nested_error_is_reported_beside_the_smallest(self):
        result = self.succeeds("fit", IRIS, "-o", "m", "--nested", "--json")
        document = result.json()
        self.assertGreaterEqual(document["nested"]["error"], 0)
        self.assertEqual(len(document["nested"]["chosen"]), document["nested"]["folds"])
        self.assertIn("nested error", result.err)

    def test_repeats_give_a_spread(self):
        document = self.succeeds("fit", IRIS, "-o", "m", "--repeats", 5, "--json").json()
        self.assertEqual(document["cv"]["repeats"], 5)
        self.assertGreaterEqual(document["cv"]["std"], 0)

    def test_the_reference_backend_agrees(self):
        self.fitted(IRIS, "cpu")
        self.fitted(IRIS, "reference", "--sigma", 1, "--ridge", 0.125, "--backend", "reference")
        self.assertEqual(self.succeeds("predict", "cpu", IRIS).out, self.succeeds("predict", "reference", IRIS).out)

    def test_the_demo_table_is_learned_well(self):
        self.succeeds("fit", DIGITS, "-o", "m", "--quiet")
        evaluation = self.succeeds("evaluate", "m", DIGITS.with_name("digits.test.csv"), "--json").json()
        self.assertLess(evaluation["error"], 0.05)

    def test_a_folder_that_does_not_exist_is_known_before_the_work(self):
        result = self.fails(USAGE, "fit", IRIS, "-o", "absent/m", says=["absent/m", "create it"])
        self.assertEqual(result.out, "")

    def test_a_missing_table_names_the_file(self):
        self.fails(INPUT, "fit", "absent.csv", "-o", "m", says=["absent.csv", "No such file"])

    def test_four_rows_take_two_folds(self):
        table = self.write("four.csv", "1,a\n2,b\n1.5,a\n3,b\n")
        for machine in ("svm-ovo", "svm-ova", "onelsm", "ls-ovo", "msvr", "vo-svm"):
            result = self.run_tool("fit", table, "-o", "m", "--machine", machine, "--folds", 2)
            self.assertNotIn("5 folds", result.err)
            self.assertEqual(result.code, 0, str(result))
