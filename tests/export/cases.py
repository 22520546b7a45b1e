# SPDX-License-Identifier: Apache-2.0
"""Models for the tests of exports: every machine on real tables, and every decoder, kernel, book and scaling at least once.

Each case is trained on every other row of a table at fixed parameters, and predicts all rows: half of them are centres.
"""
import csv
import json
import pathlib
import random
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DATA = SOURCE / "data"
SKIPPED = 77


class Case:
    """A trained model, rows, and what we predict for them."""

    def __init__(self, name, model, table, encoded):
        self.name, self.model, self.table, self.encoded = name, model, table, encoded

    def rows(self):
        """The features as the model's schema encodes them."""
        with open(self.encoded, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        return [[float(cell) for cell in row[:-1]] for row in rows[1:]]


class Workshop:
    """Trains and predicts with the tool in a folder."""

    def __init__(self, tool, folder):
        self.tool, self.folder = str(tool), pathlib.Path(folder)
        self.tables = {}

    def run(self, *arguments):
        done = subprocess.run([self.tool, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, arguments))}: exit code {done.returncode}\n{done.stderr}")
        return done

    def split(self, name, lines, headers=1, ending="csv"):
        """Training rows and all rows."""
        train, whole = (self.folder / f"{name}.{part}.{ending}" for part in ("train", "all"))
        train.write_text("\n".join([*lines[:headers], *lines[headers::2]]) + "\n")
        whole.write_text("\n".join(lines) + "\n")
        self.tables[name] = (train, whole)

    def case(self, table, *options):
        train, whole = self.tables[table]
        name = " ".join(map(str, options))
        model = self.folder / f"model{len(list(self.folder.glob('*.safetensors')))}.safetensors"
        self.run("fit", train, "-o", model, "--quiet", *options)
        encoded = model.with_suffix(".csv")
        self.run("convert", whole, "--encode-by", model, "-o", encoded, "--quiet")
        return Case(f"{table}: {name}", model, whole, encoded)

    def predicted(self, case):
        return json.loads(self.run("predict", case.model, case.table, "--scores", "--proba", "--json", "--quiet").stdout)

    def described(self, case):
        return json.loads(self.run("inspect", case.model, "--json", "--quiet").stdout)


def gram_lines():
    """Kernel values of the training rows of iris, as columns, for all rows."""
    with open(DATA / "iris.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    points = [[float(cell) for cell in row[:-1]] for row in rows]
    lines = [",".join([f"k{j}" for j in range(len(points[::2]))] + ["class"])]
    for point, row in zip(points, rows):
        values = [(1 + sum(a * b for a, b in zip(point, other))) ** 2 for other in points[::2]]
        lines.append(",".join([*map(repr, values), row[-1]]))
    return lines


def mixed_lines():
    """Numbers with gaps and words, the kinds of cells that become several features."""
    stream = random.Random(3)
    lines = ["size,colour,weight,class"]
    for i in range(90):
        word = stream.choice(["red", "green", "blue"])
        size = "?" if i % 11 == 5 else f"{stream.gauss(i % 3, 0.7):.3f}"
        lines.append(f"{size},{word},{stream.gauss(0, 1) + (word == 'red'):.3f},{'abc'[i % 3]}")
    return lines


def sparse_lines():
    """LIBSVM rows with a tenth of their features, few enough to stay sparse in the model. The last is in every row."""
    stream = random.Random(4)
    lines = []
    for i in range(80):
        places = sorted({*stream.sample(range(1, 60), 5), 10 * (i % 3) + 1})
        lines.append(f"{i % 3 - 1} " + " ".join(f"{j}:{stream.gauss(2, 1):.3f}" for j in places) + " 60:1")
    return lines


def machine_cases(shop, tables):
    """Every machine, decoded as it is by default."""
    for machine in json.loads(shop.run("machines", "--json").stdout):
        name = machine["name"]
        options = ["--machine", name, "--sigma", 1, *(["--cost", 10] if machine["parameter"] == "cost" else ["--ridge", 0.1])]
        if name == "sbc-ecoc":
            options += ["--labelbook", "ova"]  # the default has ten times the rows
        if name == "msvr":
            options += ["--centers", 30]
        for table in tables:
            yield shop.case(table, *options)


def choice_cases(shop):
    """Every decoder, kernel, book, scaling and kind of column."""
    common = ("--ridge", 0.1)
    for decode in ("votes:first", "dag", "hamming", "loss", "loss:hinge", "loss:linear", "loss:exponential"):
        yield shop.case("glass", "--machine", "ls-ovo", "--decode", decode, "--sigma", 1, *common)
    for code in ("dense", "sparse", "ava", "complete", "bch"):
        for decode in ("hamming", "loss"):
            yield shop.case("glass", "--machine", "ls-ecoc", "--labelbook", code, "--decode", decode, "--sigma", 1, *common)
    for decode in ("flda", "ssvm", "argmax"):
        yield shop.case("glass", "--machine", "msvr", "--decode", decode, "--centers", 20, "--sigma", 1, "--cost", 10)
    yield shop.case("glass", "--labelbook", "pm1", "--decode", "hamming", "--sigma", 1, *common)
    for kernel in (("laplacian", "--sigma", 2), ("matern32", "--sigma", 2), ("matern52", "--sigma", 2), ("polynomial",), ("polynomial", "--degree", 2, "--offset", 0), ("linear",)):
        yield shop.case("iris", "--kernel", *kernel, *common)
        yield shop.case("glass", "--machine", "svm-ovo", "--kernel", *kernel, "--cost", 10)
    for book in ("pm1", "alignment", "consistency", "mincorr"):
        yield shop.case("iris", "--labelbook", book, "--bias", "--sigma", 1, *common)
    yield shop.case("iris", "--label-kernel", "gaussian:1", "--sigma", 1, *common)
    for scale in ("standard", "maxabs", "none"):
        yield shop.case("iris", "--scale", scale, "--sigma", 1, *common)
    yield shop.case("gram", "--kernel", "precomputed", *common)
    yield shop.case("gram", "--kernel", "precomputed", "--machine", "svm-ovo", "--cost", 1)
    yield shop.case("mixed", "--missing", "indicator", "--sigma", 1, *common)
    for kernel in ("gaussian", "laplacian", "matern32", "matern52", "polynomial", "linear"):
        yield shop.case("sparse", "--kernel", kernel, *common)
    for machine in ("onelsm", "ls-ovo", "svm-ovo", "vo-svm"):
        yield shop.case("digits", "--machine", machine, "--sigma", 3, *common)


def prepare(shop):
    for name in ("iris", "wine", "glass"):
        shop.split(name, (DATA / f"{name}.csv").read_text().splitlines())
    shop.split("digits", (DATA / "digits.test.csv").read_text().splitlines()[:401])
    shop.split("gram", gram_lines())
    shop.split("mixed", mixed_lines())
    shop.split("sparse", sparse_lines(), 0, "svm")
