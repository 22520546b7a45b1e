# SPDX-License-Identifier: Apache-2.0
"""What people type from habit, or in the wrong place, gets an answer that helps."""
from tool import INPUT, IRIS, USAGE, ToolTest

FIXED = ("--sigma", 1, "--ridge", 1, "--quiet")


class Habits(ToolTest):
    def test_help_is_a_command(self):
        self.assertEqual(self.succeeds("help").out, self.succeeds("--help").out)
        self.assertEqual(self.succeeds("help", "fit").out, self.succeeds("fit", "--help").out)
        self.fails(USAGE, "help", "fti", says=["unknown command 'fti'", "did you mean fit?"])

    def test_options_of_other_programs_get_the_formula(self):
        answers = {("--gamma", "0.5"): "write --sigma 1", ("--gamma=0.125",): "write --sigma 2", ("--gamma",): "gamma = 1/(2 sigma^2)",
                   ("--C", 10): "--cost", ("--coef0", 1): "--offset", ("--tol", 0.1): "--accuracy"}
        for words, answer in answers.items():
            with self.subTest(words):
                self.fails(USAGE, "fit", IRIS, "-o", "m", *words, says=[str(words[0]).split("=", maxsplit=1)[0], answer])

    def test_kernels_of_other_programs_get_the_formula(self):
        self.fails(USAGE, "fit", IRIS, "-o", "m", "--kernel", "rbf", says=["gaussian", "exp(-|x-z|^2 / (2 sigma^2))", "gamma"])
        for name in ("RBF", "rbf:0.5"):
            self.fails(USAGE, "fit", IRIS, "-o", "m", "--kernel", name, says=[f"'{name}'", "is called gaussian here"])
        self.fails(USAGE, "fit", IRIS, "-o", "m", "--kernel", "poly", says=["polynomial", "(x'z + offset)^degree"])

    def test_model_and_table_in_each_other_s_place_are_recognised(self):
        self.succeeds("fit", IRIS, "-o", "m", *FIXED)
        for command in ("predict", "evaluate"):
            self.fails(USAGE, command, IRIS, "m", says=["'m' is a model", "the model comes first"])
        self.fails(INPUT, "inspect", IRIS, says=["no model, but text", "is this a table?"])
        self.fails(INPUT, "fit", "m", "-o", "n", *FIXED, says=["found a NUL byte", "models"])

    def test_machines_fit_a_terminal_and_say_which_to_use(self):
        out = self.succeeds("machines").out
        self.assertLessEqual(max(map(len, out.splitlines())), 100)
        self.assertIn("Which one?", out)
        for entry in self.succeeds("machines", "--json").json():
            self.assertIn("\n" + entry["name"] + " ", "\n" + out)

    def test_side_files_may_have_a_header(self):
        (self.folder / "plain.csv").write_text("5,3,1,0\n6,3,4,1\n6,3,5,2\n")
        (self.folder / "named.csv").write_text("sepal length,sepal width,petal length,petal width\n5,3,1,0\n6,3,4,1\n6,3,5,2\n")
        for name in ("plain", "named"):
            self.succeeds("fit", IRIS, "-o", name, "--machine", "msvr", "--centers", name + ".csv", *FIXED)
        self.assertEqual(*((self.folder / name).read_bytes() for name in ("plain", "named")))

    def test_bundled_tables_are_found_from_anywhere(self):
        names = [entry["name"] for entry in self.succeeds("datasets", "--json").json()]
        self.assertIn("glass", names)  # the folder of this test is empty
        result = self.run_tool("reproduce", "honeine-table4", "--datasets", "iris", "--machines", "onelsm", "--repeats", 1)
        self.assertEqual(result.code, 0, str(result))
        self.assertNotIn("no data here", result.out + result.err)
