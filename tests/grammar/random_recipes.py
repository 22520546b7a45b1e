# SPDX-License-Identifier: Apache-2.0
"""Random recipes on random tables: whatever is asked for ends in a model that works or in one line that says why not.

    python3 tests/grammar/random_recipes.py TOOL [--cases N] [--first K] [--seed S] [--keep FOLDER]

A case is a small table, often a cruel one (constant columns, equal rows with different classes, numbers near the ends
of what a double holds), and a command drawn from the grammar of options: machine x kernel x book x decoder x extreme
parameters. Case K of a seed is always the same, so `--first K --cases 1` shows a failure again. What is checked:

* the exit code is 0, 2, 3, 4 or 5: no signal, no other code, no run without end;
* an error is one line that starts with "manyone: ", without text of libraries, and leaves no model behind;
* JSON holds no NaN; errors are rates;
* a model that was written can be read; its scores are numbers (or the row has no class and a note says so); its
  probabilities are in 0..1 and sum to 1; the class is the first of the largest scores and none is more probable;
* sometimes: the same bytes from one thread and from two, the same bytes from a continued search, exports that are
  written or refused with one line.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

CODES = {0: "done", 2: "usage", 3: "input", 4: "numerical", 5: "memory"}
LIBRARY_TEXT = ("std::", "json.exception", "basic_string", "bad_alloc", "Assertion", "terminate called", "vector::",
                "parse error", "Eigen", "what():")
LONGEST = 180  # seconds that one command may take on a busy machine

MACHINES = ("onelsm", "msvr", "vo-lssvm", "vo-rls-beta", "vo-rls-f", "ls-ova", "ls-ovo", "ls-ecoc", "sbc-ls", "vo-svm",
            "svm-ova", "svm-ovo", "svm-dag", "svm-ecoc", "sbc-single", "sbc-identity", "sbc-kernel", "sbc-ecoc", "ww",
            "cs", "llw")
REDUCES = ("onelsm", "vo-lssvm", "vo-rls-beta", "vo-rls-f", "ls-ova", "ls-ovo", "ls-ecoc", "sbc-ls")
CODED = ("ls-ecoc", "svm-ecoc", "sbc-ecoc")
LABEL_KERNELS = ("onelsm", "vo-lssvm", "vo-rls-beta", "vo-rls-f", "vo-svm", "sbc-ls")
BIASED = ("onelsm", "ls-ova", "vo-lssvm", "vo-svm", "svm-ova", "svm-ecoc", "ww")
PROGRAMS = ("vo-svm", "svm-ova", "svm-ovo", "svm-dag", "svm-ecoc", "sbc-single", "sbc-identity", "sbc-kernel", "sbc-ecoc", "ww",
            "cs", "llw")
WITH_WIDTH = ("gaussian", "laplacian", "matern32", "matern52")
BOOKS = ("indicator", "pm1", "alignment", "consistency", "mincorr")
CODE_BOOKS = ("one-vs-baseline", "three-way", "exhaustive", "random", "balanced", "optimal", "ova", "ava", "complete",
              "dense", "sparse", "bch")
DECODERS = ("argmax", "hamming", "loss", "loss:square", "loss:hinge", "loss:linear", "loss:exponential", "votes",
            "votes:first", "dag", "flda", "ssvm", "ssvm:1e-9", "ssvm:1e9")
SIGMAS = ("1", "0.5", "3", "1e-3", "1e3", "1e-9", "1e9", "1e-100", "1e100", "1e-150", "1e150", "0.03",
          "37")
RIDGES = ("1", "0.125", "8", "1e-3", "1e3", "1e-8", "1e8", "1e-14", "1e-16", "1e-30", "1e30", "1e-100", "1e100", "1e-290",
          "1e290")
BEYOND = ("1e-320", "1e-300", "1e300", "1.7e308", "0", "-1", "nan", "inf")
WIDTHS = ("1", "0.1", "10", "1e-5", "1e5", "1e-100", "1e8", "1e-300", "1e300")
SIZES = (0.0, 1.0, -1.0, 2.0, 1e-8, 1e8, 1e-100, 1e100, 1e-160, 1e154, 1e-300, 1e300, 5e-324, 1.7e308)


class Table:
    """A table of at most 24 rows, in a file of its own."""

    def __init__(self, draw, folder):
        self.classes = draw.choice((2, 2, 3, 3, 4, 5))
        self.rows = draw.choice((2, 3, 4, 6, 8, 10, 12, 16, 20, 24))
        self.features = draw.choice((1, 1, 2, 2, 3, 4))
        style = draw.choice(("clouds", "clouds", "clouds", "lattice", "lattice", "zeros", "constant", "extreme", "extreme",
                             "huge", "tiny", "duplicates"))
        labels = [draw.randrange(self.classes) for _ in range(self.rows)]
        if draw.random() < 0.8:  # at least two classes
            labels[0], labels[-1] = 0, 1
        if draw.random() < 0.3:
            labels.sort()
        rows = [self.row(draw, style, label) for label in labels]
        if style == "duplicates":
            rows = [list(rows[k % max(1, self.rows // 3)]) for k in range(self.rows)]
        if draw.random() < 0.15:
            for row in rows:
                row[0] = 0.0
        if draw.random() < 0.1:  # a class of zeros
            rows = [[0.0] * self.features if label == 0 else row for row, label in zip(rows, labels)]
        self.missing = style != "extreme" and draw.random() < 0.1
        if self.missing:
            rows[draw.randrange(self.rows)][draw.randrange(self.features)] = None
        self.sparse = not self.missing and draw.random() < 0.12
        self.path = folder / ("t.svm" if self.sparse else "t.csv")
        if self.sparse:
            text = "".join(f"{label}" + "".join(f" {j + 1}:{x!r}" for j, x in enumerate(row) if x != 0) + "\n"
                           for row, label in zip(rows, labels))
        else:
            named = draw.random() < 0.5
            head = ",".join(f"x{j}" for j in range(self.features)) + ",class\n" if named else ""
            text = head + "".join(",".join("" if x is None else repr(x) for x in row) + f",c{label}\n"
                                  for row, label in zip(rows, labels))
        self.path.write_text(text)

    def row(self, draw, style, label):
        if style == "clouds":
            return [draw.gauss(label * (j % 2 + 1), 0.7) for j in range(self.features)]
        if style in ("lattice", "duplicates"):
            return [float(draw.randrange(3)) for _ in range(self.features)]
        if style == "zeros":
            return [0.0] * self.features
        if style == "constant":
            return [float(draw.randrange(2)) if j == 0 else 7.5 for j in range(self.features)]
        if style == "extreme":
            return [draw.choice(SIZES) for _ in range(self.features)]
        return [draw.gauss(label, 1) * (1e153 if style == "huge" else 1e-155) for _ in range(self.features)]


def options(draw, table, folder):
    """Options of `fit` and `tune`."""
    out = []

    def give(name, *values, chance=1.0):
        if draw.random() < chance:
            out.extend((f"--{name}", str(draw.choice(values))) if values else (f"--{name}",))

    def give_number(name, values):
        give(name, *(values if draw.random() < 0.97 else BEYOND))

    machine = draw.choice(MACHINES)
    if draw.random() < 0.95:
        out += ["--machine", machine]
    else:
        machine = "onelsm"
    kernel = draw.choice(("gaussian", "gaussian", "gaussian", "laplacian", "matern32", "matern52", "polynomial", "linear", "linear"))
    give("kernel", kernel)
    if machine in CODED:
        give("labelbook", *CODE_BOOKS, chance=0.7)
    elif machine in ("onelsm", "vo-lssvm", "vo-rls-beta", "vo-rls-f", "vo-svm", "sbc-ls", "msvr"):
        give("labelbook", *BOOKS, *(CODE_BOOKS if machine == "msvr" or draw.random() < 0.1 else ()), chance=0.6)
    else:
        give("labelbook", *BOOKS, *CODE_BOOKS, chance=0.05)
    give("length", 1, 2, 3, 5, 9, chance=0.5 if out[-1] in ("random", "dense", "sparse") else 0.01)
    if machine in CODED or machine in ("ls-ovo", "svm-ovo", "svm-dag", "msvr"):
        give("decode", *DECODERS, chance=0.5)
    else:
        give("decode", *DECODERS, chance=0.03)
    give("label-kernel", "linear", *(f"gaussian:{w}" for w in WIDTHS), chance=0.25 if machine in LABEL_KERNELS else 0.01)
    give("bias", chance=0.25 if machine in BIASED else 0.01)
    give("scale", "range", "standard", "maxabs", "none", chance=0.6)
    give("weights", "balanced", chance=0.15)
    if draw.random() < 0.05:
        path = folder / "weights"
        path.write_text("".join(f"{draw.choice(('1', '2', '0.5', '1e-12', '1e12', '1e-300', '1e300'))}\n" for _ in range(table.rows)))
        out += ["--weights", str(path)]
    if machine == "msvr" or (machine in REDUCES and draw.random() < 0.12):
        give("centers", 1, 2, 3, 5, "50%", "100%", 30, chance=0.85)
        give("reduce", "stratified", "random", "kmeans", "leverage", "pca", chance=0.4)
        give("penalty", "identity", "rkhs", chance=0.25)
        give("priors", "uniform", "data", chance=0.15)
        give("stream", chance=0.05)
    give("missing", "error", "drop", "mean", "indicator", chance=0.8 if table.missing else 0.03)
    give("solver", "auto", "direct", "cg", chance=0.25 if machine == "onelsm" else 0.01)
    give("accuracy", "1e-3", "1e-8", "1e-12", "0.5", chance=0.1 if machine in ("onelsm", *PROGRAMS) else 0.01)
    give("mkl", "published", "simplex", chance=0.5 if machine == "sbc-kernel" else 0.005)
    if kernel == "polynomial":
        give("degree", 1, 2, 3, 5, 10, 40, 100, chance=0.7)
        give("offset", 0, 1, "1e-9", "1e9", "1e100", "1e-300", chance=0.5)
    give("seed", 0, 1, 2, 7, chance=0.2)
    give("backend", "cpu", "reference", chance=0.06)
    give("memory", "1M", "100M", "8G", chance=0.03)
    sigma = kernel in WITH_WIDTH and draw.random() < 0.75
    ridge = draw.random() < 0.8
    if sigma:
        give_number("sigma", SIGMAS)
    if ridge:
        give_number(draw.choice(("ridge", "cost", "ridge", "cost", "lambda")), RIDGES)
    give("folds", 2, *([3] if table.rows > 2 else []), *([5] if table.rows > 4 else []), "loo", chance=0.4)
    if not ridge or (kernel in WITH_WIDTH and not sigma):
        give("search", "auto", "grid", "halving", "design", "greedy", chance=0.7)
        axes = [] if sigma or kernel not in WITH_WIDTH else [draw.choice(("sigma=-1:1", "sigma=0:1", "sigma=-60:60:60", "sigma=-30:-28"))]
        axes += [] if ridge else [draw.choice(("ridge=-1:1", "ridge=0:2", "ridge=-60:60:60", "cost=-30:-29"))]
        if out[-1] not in ("auto", "greedy") and draw.random() < 0.8:
            out += ["--grid", ",".join(axes)]
        give("repeats", 1, 2, chance=0.1)
        give("stratify", chance=0.1)
        give("scale-per-fold", chance=0.01 if machine in PROGRAMS else 0.05)  # every fold of every cell is a fit
        give("nested", chance=0.04)
    return out


class Failure(Exception):
    """What a case did that it must not."""


def refuse_constant(text):
    raise Failure(f"JSON holds {text}")


class Case:
    def __init__(self, tool, seed, number, folder):
        self.tool = tool
        self.folder = folder
        self.draw = random.Random(f"{seed}/{number}")
        self.commands = []

    def run(self, *arguments):
        arguments = [str(a) for a in arguments]
        self.commands.append(" ".join(arguments))
        try:
            done = subprocess.run([self.tool, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=LONGEST, check=False)
        except subprocess.TimeoutExpired as error:
            raise Failure(f"no end within {LONGEST} s") from error
        self.err = done.stderr.decode("utf-8", "backslashreplace")
        if done.returncode not in CODES:
            raise Failure(f"exit code {done.returncode}: {self.err[-300:]}")
        errors = [line for line in self.err.splitlines() if line.startswith("manyone: ")]
        if (len(errors) == 1) != (done.returncode != 0) or len(errors) > 1:
            raise Failure(f"exit code {done.returncode} with {len(errors)} error lines: {self.err[-300:]}")
        for text in LIBRARY_TEXT:
            if text in self.err:
                raise Failure(f"text of a library: {self.err[-300:]}")
        self.out = done.stdout
        return done.returncode

    def document(self):
        try:
            return json.loads(self.out, parse_constant=refuse_constant)
        except ValueError as error:
            raise Failure(f"no JSON: {error}") from error

    def check_rates(self, document):
        cv = document.get("cv") or {}
        for cell in [cv, *document.get("surface", [])]:
            error = cell.get("error")
            if error is not None and not 0 <= error <= 1:
                raise Failure(f"an error of {error}")

    def check_predictions(self, table):
        if self.run("predict", "m", table.path, "--json", "--scores", "--proba", "--threads", 1) != 0:
            if table.missing and "missing" in self.err:
                return  # a model that was trained without such rows
            raise Failure(f"the table it was trained on is refused: {self.err[-300:]}")
        found = self.document()
        names = found["classes"]
        for label, scores, chances in zip(found["labels"], found["scores"], found["probabilities"]):
            told = "scores that are not finite" in self.err or "missing values and no class" in self.err
            if label is None and told and {*scores, *chances} == {None}:
                continue  # beyond what the model can compute with, and said so
            if not all(isinstance(s, (int, float)) and math.isfinite(s) for s in scores):
                raise Failure(f"scores {scores}")
            if not all(isinstance(p, (int, float)) and 0 <= p <= 1 for p in chances) or abs(sum(chances) - 1) > 1e-9:
                raise Failure(f"probabilities {chances}")
            best = names[scores.index(max(scores))]
            if label != best or chances[names.index(best)] != max(chances) or chances.index(max(chances)) != names.index(best):
                raise Failure(f"class {label}, scores {scores}, probabilities {chances}")

    def check_export(self):
        form = self.draw.choice(("cpp", "onnx", "libsvm"))
        path = self.folder / f"e.{form}"
        code = self.run("export", "m", f"--{form}", path, *(["--float32"] if form == "onnx" and self.draw.random() < 0.3 else []))
        if code not in (0, 2) or path.exists() != (code == 0):
            raise Failure(f"export: {self.err[-300:]}")

    def execute(self):
        """The exit code of the first command."""
        table = Table(self.draw, self.folder)
        given = options(self.draw, table, self.folder)
        kind = self.draw.random()
        if kind < 0.06:
            code = self.run("tune", table.path, "--json", "--threads", 1, *given)
            if code == 0:
                self.check_rates(self.document())
            return code
        fit = ("fit", table.path, "--json", *given)
        code = self.run(*fit, "-o", "m", "--threads", 1)
        if (self.folder / "m").exists() != (code == 0):
            raise Failure("a model without success, or success without a model")
        if code != 0:
            return code
        self.check_rates(self.document())
        if self.run("inspect", "m", "--json") != 0:
            raise Failure(f"the model cannot be read: {self.err[-300:]}")
        self.document()
        self.check_predictions(table)
        if kind < 0.2:
            self.check_export()
        elif kind < 0.28:
            self.run(*fit, "-o", "two", "--threads", 2)
            self.check_same("two", "two threads")
        elif kind < 0.36 and "--search" in given:
            self.check_resumed(fit)
        return code

    def check_same(self, other, what):
        if (self.folder / other).read_bytes() != (self.folder / "m").read_bytes():
            raise Failure(f"{what}: other bytes")

    def check_resumed(self, fit):
        self.run(*fit, "-o", "whole", "--threads", 1, "--resume", "journal")
        self.check_same("whole", "a journal")
        lines = (self.folder / "journal").read_bytes().splitlines(keepends=True)
        (self.folder / "part").write_bytes(b"".join(lines[:self.draw.randrange(1, len(lines) + 1)]))
        if self.run(*fit, "-o", "rest", "--threads", 1, "--resume", "part") != 0:
            raise Failure(f"the rest of a search: {self.err[-300:]}")
        self.check_same("rest", "a continued search")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seed", default="recipes")
    parser.add_argument("--keep", help="where to leave the files of cases that fail")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no case after that time")
    arguments = parser.parse_args()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    counts = collections.Counter()
    failures = 0
    start = time.monotonic()
    for number in range(arguments.first, arguments.first + arguments.cases):
        if time.monotonic() - start > arguments.seconds:
            break
        folder = pathlib.Path(tempfile.mkdtemp(prefix="manyone-recipe-", dir=memory))
        case = Case(os.path.abspath(arguments.tool), arguments.seed, number, folder)
        try:
            counts[CODES[case.execute()]] += 1
        except Failure as failure:
            failures += 1
            print(f"case {number}: {failure}\n  " + "\n  ".join(case.commands), flush=True)
            if arguments.keep:
                shutil.copytree(folder, pathlib.Path(arguments.keep) / str(number), dirs_exist_ok=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    ended = ", ".join(f"{count} {name}" for name, count in counts.most_common())
    print(f"{sum(counts.values()) + failures} cases in {time.monotonic() - start:.0f} s: {ended}, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
