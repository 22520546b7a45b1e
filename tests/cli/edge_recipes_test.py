# SPDX-License-Identifier: Apache-2.0
"""Recipes and tables at the edge of what can be computed: a model that works, or one line that says why there is none.

What is written can be loaded: save() asks what load() asks.
"""
from tool import BACKEND, USAGE, IRIS, ToolTest

ZERO_COLUMN = "0,a\n0,b\n0,a\n0,b\n0,c\n0,a\n0,b\n"
CONSTANT_COLUMN = "0,1,a\n0,2,b\n0,0,a\n1,0,b\n0,0,c\n0,0,c\n"
CONFLICTING = "1,a\n1,b\n2,a\n2,b\n0,a\n0,b\n"
PLAIN = "x,y,class\n1,0.5,a\n2,0.25,b\n3,1,a\n4,0,b\n2,1,a\n3,0.5,b\n"


class EdgeRecipes(ToolTest):
    def works(self, data, *options):
        """Fits, loads and predicts with scores and probabilities that are numbers."""
        self.succeeds("fit", data, "-o", "m.safetensors", "--quiet", *options)
        self.succeeds("inspect", "m.safetensors")
        found = self.succeeds("predict", "m.safetensors", data, "--json", "--scores", "--proba").json()
        for probabilities in found["probabilities"]:
            self.assertAlmostEqual(sum(probabilities), 1, 12)
        return found

    def test_a_class_whose_rows_are_all_zero_contributes_nothing_to_vo_rls_f(self):
        for name, text in {"zero": ZERO_COLUMN, "constant": CONSTANT_COLUMN, "class": "0,0,a\n0,0,a\n1,2,b\n2,1,b\n1,1,c\n2,2,c\n"}.items():
            data = self.write(f"{name}.csv", text)
            for scale in ("range", "none", "standard"):
                for book in ("indicator", "alignment"):
                    given = ("--machine", "vo-rls-f", "--kernel", "linear", "--scale", scale, "--labelbook", book)
                    with self.subTest(f"{name} {scale} {book}"):
                        self.works(data, *given, "--ridge", 1)
                        self.succeeds("tune", data, "--folds", 3, *given)
        found = self.works(self.write("class.csv", "0,0,a\n0,0,a\n1,2,b\n2,1,b\n1,1,c\n2,2,c\n"), "--machine", "vo-rls-f", "--kernel", "linear",
                           "--scale", "none", "--ridge", 1)
        self.assertTrue(all(scores[0] == 0 for scores in found["scores"]), found["scores"])

    def test_conflicting_duplicates_give_a_model_that_loads(self):
        for machine in ("vo-rls-beta", "vo-rls-f", "onelsm", "vo-lssvm", "svm-ovo", "ww", "msvr"):
            with self.subTest(machine):
                given = ("--centers", 3) if machine == "msvr" else ()
                self.works(self.write("c.csv", CONFLICTING), "--machine", machine, "--kernel", "linear", "--ridge" if machine not in ("svm-ovo", "ww", "msvr") else "--cost", 1, *given)

    def test_a_label_kernel_without_a_usable_width_is_refused(self):
        for machine in ("onelsm", "vo-rls-f", "vo-lssvm"):
            for width in ("1e-300", "1e300"):
                self.fails(USAGE, "fit", IRIS, "-o", "m", "--machine", machine, "--sigma", 1, "--ridge", 1,
                           "--label-kernel", f"gaussian:{width}", says=["--label-kernel gaussian:S needs a width above 0, from"])
        self.fails(USAGE, "fit", IRIS, "-o", "m", "--sigma", 1, "--ridge", 1, "--label-kernel", "gaussian:1e100", says=["all labels are the same"])
        self.works(IRIS, "--sigma", 1, "--ridge", 1, "--label-kernel", "gaussian:1e-100")

    def test_widths_whose_square_is_no_number_are_refused(self):
        for width in ("1e-200", "1e200"):
            self.fails(USAGE, "fit", IRIS, "-o", "m", "--sigma", width, "--ridge", 1, says="sigma must be a number from 1e-150 to 1e+150")
        for width in ("1e-100", "1e100"):
            self.works(IRIS, "--sigma", width, "--ridge", 1)

    def test_kernel_values_beyond_all_numbers_are_said_before_training(self):
        data = self.write("huge.csv", PLAIN.replace("4,0", "4e160,0"))
        for options in (("--kernel", "linear"), ("--kernel", "polynomial"), ("--sigma", 1)):
            self.fails(BACKEND, "fit", data, "-o", "m", "--scale", "none", "--ridge", 1, *options, says=["row 4 has a squared length of inf", "--scale range"])
            self.fails(BACKEND, "tune", data, "--folds", 2, "--scale", "none", "--ridge", 1, *options, says="row 4")
        self.assertFalse((self.folder / "m").exists())

    def test_scores_that_hardly_differ_get_a_temperature_above_0(self):
        # The nearest row of the same class is so far that kernel values are hardly numbers, the other class farther.
        data = self.write("far.csv", "x,class\n0,a\n37.5,a\n1000,b\n1037.5,b\n")
        for sigma in (1, 1.002, 0.998):
            self.works(data, "--scale", "none", "--sigma", sigma, "--ridge", 1)

    def test_numbers_too_small_for_ordinary_arithmetic_give_the_same_model_for_any_number_of_threads(self):
        data = self.write("tiny.csv", "1e+300,1e-08,1e+300,5e-324,c0\n5e-324,2.0,1e-300,1e-160,c3\n1.7e+308,1e+154,-1.0,5e-324,c1\n")
        for threads in (1, 2):
            self.succeeds("fit", data, "-o", f"m{threads}", "--seed", 0, "--cost", 1e3, "--search", "greedy", "--scale-per-fold", "--threads", threads)
        self.assertEqual((self.folder / "m1").read_bytes(), (self.folder / "m2").read_bytes())
