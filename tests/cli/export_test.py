# SPDX-License-Identifier: Apache-2.0
"""manyone export, import and convert as commands: what they say, write and refuse. What other programs make of the files is in
tests/export."""
import struct

from tool import DATA, INPUT, IRIS, USAGE, VALID, ToolTest, csv_text, iris_rows

GLASS = DATA / "glass.csv"

LIBSVM_MODEL = """svm_type c_svc
kernel_type rbf
gamma 0.5
nr_class 2
total_sv 2
rho 0.25
label 2 1
nr_sv 1 1
SV
1 1:1
-1 2:1
"""


class Export(ToolTest):
    def test_json_says_what_was_written(self):
        model = self.fitted()
        document = self.succeeds("export", model, "--onnx", "m.onnx", "--cpp", "my-iris.hpp", "--json").json()
        self.assertEqual(document["classes"], ["setosa", "versicolor", "virginica"])
        self.assertEqual(document["features"][0], "sepal-length")
        onnx, header = document["written"]
        self.assertEqual((onnx["format"], onnx["type"], onnx["label"]), ("onnx", "float64", "string"))
        self.assertEqual(onnx["bytes"], (self.folder / "m.onnx").stat().st_size)
        self.assertEqual((header["format"], header["namespace"]), ("cpp", "my_iris"))
        self.assertIn("namespace my_iris {", (self.folder / "my-iris.hpp").read_text())

    def test_text_names_input_and_outputs(self):
        out = self.succeeds("export", self.fitted(), "--onnx", "m.onnx").out
        for part in ("m.onnx", "rows x 4, float64", "label (string)", "probabilities"):
            self.assertIn(part, out)

    def test_float32_is_smaller(self):
        model = self.fitted()
        self.succeeds("export", model, "--onnx", "double.onnx")
        self.succeeds("export", model, "--onnx", "single.onnx", "--float32")
        double, single = ((self.folder / name).stat().st_size for name in ("double.onnx", "single.onnx"))
        self.assertLess(single, 0.7 * double)

    def test_the_same_model_gives_the_same_bytes(self):
        model = self.fitted()
        for name in ("a.onnx", "b.onnx"):
            self.succeeds("export", model, "--onnx", name)
        self.assertEqual((self.folder / "a.onnx").read_bytes(), (self.folder / "b.onnx").read_bytes())

    def test_numbers_of_the_model_are_in_the_file(self):
        model = self.fitted(IRIS, "m", "--sigma", 1, "--ridge", 0.125)
        self.succeeds("export", model, "--onnx", "m.onnx")
        temperature = self.succeeds("inspect", model, "--json").json()["temperature"]
        self.assertIn(struct.pack("<d", temperature), (self.folder / "m.onnx").read_bytes())

    def test_wrong_usage(self):
        model = self.fitted()
        self.fails(USAGE, "export", model, says=["--onnx FILE", "--cpp FILE", "--libsvm FILE"])
        self.fails(USAGE, "export", model, "--cpp", "m.hpp", "--float32", says=["--float32 goes with --onnx"])
        self.fails(USAGE, "export", model, "--onnx", "absent/m.onnx", says=["absent/m.onnx", "create it"])
        self.fails(USAGE, "export", model, "--libsvm", "m.model", says=["decoded by argmax", "--machine svm-ovo --decode votes:first"])
        self.fails(INPUT, "export", IRIS, "--onnx", "m.onnx", says=["iris.csv", "no model"])
        self.fails(INPUT, "export", "absent", "--onnx", "m.onnx", says=["absent"])
        self.assertFalse((self.folder / "m.onnx").exists())

    def test_a_large_model_is_no_header(self):
        large = self.write("large.csv", "".join(",".join(str((i * j) % 997 / 7) for j in range(1, 900)) + f",{i % 2}\n" for i in range(2000)))
        self.succeeds("fit", large, "-o", "large", "--sigma", 9, "--ridge", 1, "--quiet", "--folds", 2)
        self.fails(USAGE, "export", "large", "--onnx", "large.onnx", "--cpp", "large.hpp", says=["20.0 MB", "use --onnx"])
        for name in ("large.hpp", "large.onnx"):  # all or nothing
            self.assertFalse((self.folder / name).exists())

    def test_votes_without_the_rule_of_libsvm_are_noted(self):
        glass = ("--machine", "svm-ovo", "--sigma", 1, "--cost", 8)
        self.assertIn("votes:first", self.succeeds("export", self.fitted(GLASS, "m", *glass), "--libsvm", "a.model").err)
        self.fails(INPUT, "export", "m", "--libsvm", "strict.model", "--strict", says=["votes:first"])
        self.assertFalse((self.folder / "strict.model").exists())
        same = self.fitted(GLASS, "m", *glass, "--decode", "votes:first")
        self.assertEqual(self.succeeds("export", same, "--libsvm", "b.model").err, "")


class Import(ToolTest):
    def test_a_small_model(self):
        self.write("svm.model", LIBSVM_MODEL)
        document = self.succeeds("import", "svm.model", "-o", "m", "--json").json()
        self.assertEqual((document["machine"], document["decode"], document["classes"]), ("svm-ovo", "votes:first", ["2", "1"]))
        self.assertEqual((document["kernel"], document["cost"]), ({"name": "gaussian", "sigma": 1}, 1))
        rows = self.write("rows.svm", "0 1:1\n0 2:1\n0\n")
        self.assertEqual(self.succeeds("predict", "m", rows).out.split(), ["2", "1", "1"])

    def test_more_features(self):
        self.write("svm.model", LIBSVM_MODEL)
        self.succeeds("import", "svm.model", "-o", "m", "--features", 5)
        self.assertEqual(self.succeeds("inspect", "m", "--json").json()["d"], 5)
        self.fails(USAGE, "import", "svm.model", "-o", "m", "--features", 1, says=["--features 1", "largest index"])

    def test_probabilities_are_noted(self):
        self.write("svm.model", LIBSVM_MODEL.replace("nr_sv", "probA -1\nprobB 0\nnr_sv"))
        self.assertIn("left out", self.succeeds("import", "svm.model", "-o", "m").err)
        self.fails(INPUT, "import", "svm.model", "-o", "strict", "--strict", says=["--strict"])
        self.assertFalse((self.folder / "strict").exists())

    def test_what_is_no_model_is_refused_with_the_line(self):
        self.fails(INPUT, "import", IRIS, "-o", "m", says=["iris.csv:1", "svm-train"])
        self.write("svm.model", LIBSVM_MODEL.replace("rbf", "sigmoid"))
        self.fails(INPUT, "import", "svm.model", "-o", "m", says=["svm.model:2", "sigmoid"])
        self.fails(INPUT, "import", "absent", "-o", "m", says=["absent"])
        self.assertFalse((self.folder / "m").exists())


class Convert(ToolTest):
    def test_csv_to_libsvm_and_back_keeps_every_digit(self):
        self.assertIn("stand for setosa", self.succeeds("convert", IRIS, "-o", "iris.svm").out)
        self.succeeds("convert", "iris.svm", "-o", "iris.csv")
        header, rows = iris_rows()
        names = {"setosa": "1", "versicolor": "2", "virginica": "3"}
        expected = csv_text(["f1", "f2", "f3", "f4", "class"], [[*row[:-1], names[row[-1]]] for row in rows])
        self.assertEqual((self.folder / "iris.csv").read_text(), expected)
        self.succeeds("convert", IRIS, "-o", "same.csv")
        self.assertEqual((self.folder / "same.csv").read_text(), csv_text(header, rows))

    def test_nominal_columns_become_features(self):
        self.succeeds("convert", VALID / "csv-nominal.csv", "-o", "n.csv")
        self.assertIn("colour=red", (self.folder / "n.csv").read_text().split("\n")[0])

    def test_by_a_model_rows_are_scaled_as_it_does(self):
        model = self.fitted()
        self.succeeds("convert", IRIS, "--scale-by", model, "-o", "scaled.csv")
        rows = [line.split(",")[:-1] for line in (self.folder / "scaled.csv").read_text().splitlines()[1:]]
        for column in zip(*rows):
            self.assertAlmostEqual(min(map(float, column)), -1, places=12)
            self.assertAlmostEqual(max(map(float, column)), 1, places=12)
        header, table = iris_rows()
        unlabelled = self.write("u.csv", csv_text(header[:-1], [row[:-1] for row in table]))
        self.succeeds("convert", unlabelled, "--scale-by", model, "-o", "u.svm")
        self.assertTrue((self.folder / "u.svm").read_text().startswith("0 1:"))

    def test_by_a_model_missing_values_are_filled_as_it_does(self):
        table = self.write("t.csv", "size,colour,class\n1,red,x\n?,blue,y\n3,red,x\n5,blue,y\n")
        model = self.fitted(table, "m", "--sigma", 1, "--ridge", 1, "--missing", "indicator", "--folds", "loo")
        other = self.write("o.csv", "colour,size\nred,?\nblue,7\n")
        self.succeeds("convert", other, "--encode-by", model, "-o", "e.csv")
        self.assertEqual((self.folder / "e.csv").read_text(),
                         "size,size missing,colour=blue,colour=red\n3,1,0,1\n7,0,1,0\n")
        self.fails(USAGE, "convert", other, "--encode-by", model, "--scale-by", model, "-o", "e.csv", says=["--scale-by"])

    def test_json(self):
        document = self.succeeds("convert", IRIS, "-o", "iris.svm", "--json").json()
        self.assertEqual((document["n"], document["d"], document["format"]), (150, 4, "libsvm"))
        self.assertEqual(dict(zip(document["classes"], document["labels"])), {"setosa": "1", "versicolor": "2", "virginica": "3"})

    def test_wrong_usage(self):
        self.fails(USAGE, "convert", IRIS, "-o", "iris.txt", says=["iris.txt", ".svm or .csv", "--to"])
        self.succeeds("convert", IRIS, "-o", "iris.txt", "--to", "libsvm")
        self.fails(USAGE, "convert", IRIS, "-o", "absent/iris.svm", says=["create it"])
        model = self.fitted()
        self.fails(USAGE, "convert", IRIS, "--scale-by", model, "--target", 1, "-o", "x.svm", says=["--target", "--scale-by"])
        self.fails(INPUT, "convert", GLASS, "--scale-by", model, "-o", "x.svm", says=["glass.csv"])
        header, rows = iris_rows()
        self.write("other.csv", csv_text(header, [[*rows[0][:-1], "rose"]]))
        self.fails(INPUT, "convert", "other.csv", "--scale-by", model, "-o", "x.svm", says=["row 1", "'rose'"])
        self.assertFalse((self.folder / "x.svm").exists())
        self.assertEqual([path.name for path in self.folder.glob("*.part")], [])
