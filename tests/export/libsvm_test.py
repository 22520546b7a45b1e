# SPDX-License-Identifier: Apache-2.0
"""Exchange with LIBSVM's own tools, row for row: libsvm_test.py TOOL

Its models imported predict what svm-predict does; ours exported give svm-predict our labels. Bundled tables always, letter
where it is found in $MANYONE_DATA or the data cache. Exit code 77 (skipped) without svm-train (Debian: libsvm-tools).
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from cases import DATA, SKIPPED, Workshop

KERNELS = {"rbf": ["-t", "2"], "polynomial": ["-t", "1", "-d", "3", "-g", "0.3", "-r", "0.5"], "linear": ["-t", "0"]}
OURS = {"rbf": ["--sigma", 1], "polynomial": ["--kernel", "polynomial", "--degree", 2, "--offset", 0.5], "linear": ["--kernel", "linear"]}


def letter():
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "manyone"
    for folder in (os.environ.get("MANYONE_DATA"), cache):
        if folder and (pathlib.Path(folder) / "letter.csv").exists():
            return pathlib.Path(folder) / "letter.csv"
    return None


class Exchange:
    def __init__(self, shop):
        self.shop, self.failures = shop, 0

    def path(self, name):
        return str(self.shop.folder / name)

    def svm(self, *arguments):
        subprocess.run(list(map(str, arguments)), cwd=self.shop.folder, check=True, stdout=subprocess.DEVNULL)

    def say(self, good, text):
        print(text if good else text + "   FAILED")
        self.failures += not good

    def their_labels(self, rows, model):
        self.svm("svm-predict", rows, model, "theirs")
        return (self.shop.folder / "theirs").read_text().split()

    def imported(self, name, train, test, kernel, *options):
        """svm-train's model, read by us."""
        self.shop.run("convert", train, "-o", "train.svm", "--quiet")
        self.shop.run("convert", test, "-o", "test.svm", "--quiet")
        self.svm("svm-train", "-q", *KERNELS[kernel], *options, "train.svm", "model")
        features = len(test.read_text().split("\n", 1)[0].split(",")) - 1
        said = self.shop.run("import", "model", "-o", "m", "--features", features)
        ours = self.shop.run("predict", "m", "test.svm").stdout.split()
        theirs = self.their_labels("test.svm", "model")
        same = sum(a == b for a, b in zip(ours, theirs, strict=True))
        self.say(same == len(ours), f"imported {name:<8}{kernel:<12}{same} of {len(ours)} labels are LIBSVM's")
        return said

    def exported(self, name, train, test, kernel, decode):
        """Our model, read by svm-predict. Without votes:first only rows in which votes tie may differ."""
        self.shop.run("fit", train, "-o", "m", "--machine", "svm-ovo", "--decode", decode, *OURS[kernel], "--cost", 4, "--quiet")
        written = json.loads(self.shop.run("export", "m", "--libsvm", "model", "--json", "--quiet").stdout)
        self.shop.run("convert", test, "--scale-by", "m", "-o", "test.svm", "--quiet")
        found = json.loads(self.shop.run("predict", "m", test, "--scores", "--json").stdout)
        number = dict(zip(found["classes"], written["written"][0]["labels"]))
        theirs = self.their_labels("test.svm", "model")
        differ = [i for i, (label, other) in enumerate(zip(found["labels"], theirs, strict=True)) if number[label] != other]
        # A score is the number of votes and less than a half.
        tied = [i for i in differ if sum(round(s) == max(map(round, found["scores"][i])) for s in found["scores"][i]) > 1]
        good = not differ if decode == "votes:first" else differ == tied
        self.say(good, f"exported {name:<8}{kernel:<12}{decode:<12}{len(theirs) - len(differ)} of {len(theirs)} labels are ours, "
                       f"{len(tied)} differ by a tie of votes")
        return number


def halves(shop, name, path, most):
    lines = path.read_text().splitlines()
    train, test = shop.folder / f"{name}.train.csv", shop.folder / f"{name}.test.csv"
    train.write_text("\n".join([lines[0], *lines[1::2][:most]]) + "\n")
    test.write_text("\n".join([lines[0], *lines[2::2][:most]]) + "\n")
    return train, test


def main():
    if not all(map(shutil.which, ("svm-train", "svm-predict"))):
        print("skipped: no svm-train and svm-predict")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        exchange = Exchange(Workshop(pathlib.Path(sys.argv[1]).resolve(), folder))
        tables = {name: DATA / f"{name}.csv" for name in ("iris", "wine", "glass")}
        tables["digits"] = DATA / "digits.test.csv"
        if letter():
            tables["letter"] = letter()
        else:
            print("letter: not found in $MANYONE_DATA and the data cache, left out")
        for name, path in tables.items():
            train, test = halves(exchange.shop, name, path, 3000)
            for kernel in KERNELS if name != "letter" else ("rbf",):
                exchange.imported(name, train, test, kernel, *(["-g", "0.02", "-c", "10"] if name == "letter" else []))
                for decode in ("votes:first", "votes"):
                    exchange.exported(name, train, test, kernel, decode)
        said = exchange.imported("iris", *halves(exchange.shop, "iris", tables["iris"], 75), "rbf", "-b", "1")
        exchange.say("probabilities" in said.stderr, "imported with probabilities: a note says that they are left out")
    return 1 if exchange.failures else 0


if __name__ == "__main__":
    sys.exit(main())
