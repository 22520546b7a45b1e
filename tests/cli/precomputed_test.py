# SPDX-License-Identifier: Apache-2.0
"""A kernel matrix computed elsewhere gives what the same kernel gives inside."""
import math

from tool import INPUT, IRIS, ToolTest, csv_text, iris_rows

SIGMA, RIDGE = 1.25, 0.25


def gaussian(x, z):
    return math.exp(-sum((a - b) ** 2 for a, b in zip(x, z)) / (2 * SIGMA ** 2))


class Precomputed(ToolTest):
    def setUp(self):
        super().setUp()
        self.header, rows = iris_rows()
        self.features = [[float(cell) for cell in row[:-1]] for row in rows]
        self.labels = [row[-1] for row in rows]
        self.train = list(range(0, 150, 2))
        self.test = list(range(1, 150, 2))

    def gram(self, name, rows, with_class=True):
        header = [f"k{j}" for j in range(len(self.train))] + (["class"] if with_class else [])
        cells = [[repr(gaussian(self.features[i], self.features[j])) for j in self.train]
                 + ([self.labels[i]] if with_class else []) for i in rows]
        return self.write(name, csv_text(header, cells))

    def plain(self, name, rows):
        return self.write(name, csv_text(self.header, [[*self.features[i], self.labels[i]] for i in rows]))

    def scores(self, model, table):
        return self.succeeds("predict", model, table, "--scores", "--json").json()

    def test_predictions_are_those_of_the_gaussian_kernel(self):
        self.fitted(self.gram("gram.csv", self.train), "given", "--kernel", "precomputed", "--ridge", RIDGE)
        self.fitted(self.plain("plain.csv", self.train), "inside", "--sigma", SIGMA, "--ridge", RIDGE, "--scale", "none")
        given = self.scores("given", self.gram("rectangle.csv", self.test))
        inside = self.scores("inside", self.plain("test.csv", self.test))
        self.assertEqual(given["labels"], inside["labels"])
        for a, b in zip(given["scores"], inside["scores"]):
            for s, t in zip(a, b):
                self.assertAlmostEqual(s, t, delta=1e-10)  # the system's condition times rounding

    def test_the_error_of_the_search_is_that_of_the_gaussian_kernel(self):
        gram = self.succeeds("tune", self.gram("gram.csv", self.train), "--kernel", "precomputed", "--search", "grid", "--json").json()
        plain = self.succeeds("tune", self.plain("plain.csv", self.train), "--sigma", SIGMA, "--scale", "none", "--search", "grid",
                              "--json").json()
        self.assertEqual([cell["error"] for cell in gram["surface"]], [cell["error"] for cell in plain["surface"]])

    def test_classes_are_not_needed_to_predict(self):
        self.fitted(self.gram("gram.csv", self.train), "m", "--kernel", "precomputed", "--ridge", RIDGE)
        self.assertEqual(self.scores("m", self.gram("without.csv", self.test, False)), self.scores("m", self.gram("with.csv", self.test)))

    def test_evaluate_and_inspect(self):
        self.fitted(self.gram("gram.csv", self.train), "m", "--kernel", "precomputed", "--ridge", RIDGE)
        self.assertLess(self.succeeds("evaluate", "m", self.gram("test.csv", self.test), "--json").json()["error"], 0.1)
        document = self.succeeds("inspect", "m", "--json").json()
        self.assertEqual((document["kernel"], document["scale"], document["d"]), ({"name": "precomputed"}, "none", 75))

    def test_a_table_that_is_no_kernel_matrix_is_refused(self):
        self.fails(INPUT, "fit", IRIS, "-o", "m", "--kernel", "precomputed", "--quiet", says=["square", "150 rows and 4 columns"])

    def test_a_rectangle_of_the_wrong_width_is_refused(self):
        self.fitted(self.gram("gram.csv", self.train), "m", "--kernel", "precomputed", "--ridge", RIDGE)
        self.train = self.train[:-1]
        self.fails(INPUT, "predict", "m", self.gram("narrow.csv", self.test), says=["narrow.csv", "75"])
