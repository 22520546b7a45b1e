#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fills the data cache with public tables that Debian itself ships, so that benchmarks work on any Debian machine.

From r-cran-mlbench and scikit-learn to $XDG_CACHE_HOME/manyone (or ~/.cache/manyone), as CSV with a header and the
class in the last column. Tables with a customary split are split. Files that are already right are left alone.
"""
import argparse
import csv
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


class Table:
    """Where a table comes from and how it is cut. `split`: rows of the training part, the rest is the test part."""

    def __init__(self, name, source, split=0, drop=(), note=""):
        self.name, self.source, self.split, self.drop, self.note = name, source, split, drop, note


MLBENCH = [
    Table("glass", "Glass"),
    # The package has lost one of the ten features (the second). Column V1 is the speaker; 0 to 7 train, 8 to 14 test.
    Table("vowel", "Vowel", split=528, drop=("V1",), note="9 of the 10 features of the original: the package lacks one"),
    Table("letter", "LetterRecognition"),
    Table("satimage", "Satellite", split=4435),
    Table("dna", "DNA", split=2000),
    Table("vehicle", "Vehicle"),
    Table("soybean-large", "Soybean", split=307, note="nominal, with missing values (?)"),
    Table("shuttle", "Shuttle", split=43500),
    Table("zoo", "Zoo"),
    Table("ionosphere", "Ionosphere"),
]
SKLEARN = [Table("iris", "load_iris"), Table("wine", "load_wine"), Table("digits", "load_digits", split=1200)]

# Writes each table as NAME.csv into the folder given. Logical columns become 0 and 1, missing values `?`.
R_SCRIPT = """
library(mlbench)
arguments <- commandArgs(trailingOnly = TRUE)
for (name in arguments[-1]) {
  data(list = name)
  table <- get(name)
  logical <- sapply(table, is.logical)
  table[logical] <- lapply(table[logical], as.integer)
  write.csv(table, file.path(arguments[1], paste0(name, ".csv")), row.names = FALSE, na = "?")
}
"""
# mlbench names the class column in different ways; the others call it Class and have it last.
CLASS_COLUMNS = {"Glass": "Type", "LetterRecognition": "lettr", "Satellite": "classes", "Zoo": "type", "Soybean": "Class"}


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "manyone"


def column_name(name):
    return name.lower().replace(".", "-").replace(" ", "-")


def from_mlbench(tables):
    """(table, header, rows) with the class last."""
    if shutil.which("Rscript") is None:
        raise RuntimeError("Rscript is missing; install r-base-core and r-cran-mlbench")
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "export.R"
        script.write_text(R_SCRIPT)
        done = subprocess.run(["Rscript", "--vanilla", str(script), folder, *[table.source for table in tables]],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError("Rscript failed: " + (done.stdout.strip().splitlines() or ["no message"])[-1])
        for table in tables:
            with open(pathlib.Path(folder) / f"{table.source}.csv", newline="", encoding="utf-8") as file:
                header, *rows = csv.reader(file)
            target = header.index(CLASS_COLUMNS.get(table.source, "Class"))
            keep = [j for j, name in enumerate(header) if j != target and name not in table.drop]
            yield table, [column_name(header[j]) for j in keep], [[row[j] for j in keep] + [row[target]] for row in rows]


def number(value):
    return repr(int(value)) if float(value).is_integer() else repr(float(value))


def from_sklearn(tables):
    try:
        from sklearn import datasets
    except ImportError as error:
        raise RuntimeError("scikit-learn is missing; install python3-sklearn") from error
    for table in tables:
        bunch = getattr(datasets, table.source)()
        header = [column_name(name.replace(" (cm)", "")) for name in bunch.feature_names]
        header = [name.replace("_", "-") for name in header]
        rows = [[number(v) for v in x] + [str(bunch.target_names[t])] for x, t in zip(bunch.data, bunch.target)]
        yield table, header, rows


def csv_bytes(header, rows):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*header, "class"])
    writer.writerows(rows)
    return text.getvalue().encode()


def place(path, content):
    """Writes the file unless it is there already; what was done in a word."""
    if path.exists() and path.read_bytes() == content:
        return "is there"
    known = path.exists()
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return "replaced" if known else "written"


def store(folder, table, header, rows):
    parts = {"": rows} if not table.split else {".train": rows[:table.split], ".test": rows[table.split:]}
    for part, chosen in parts.items():
        path = folder / f"{table.name}{part}.csv"
        done = place(path, csv_bytes(header, chosen))
        note = f"  ({table.note})" if table.note else ""
        print(f"{path.name:<26}{done:<10}{len(chosen):>6} rows {len(header):>4} features "
              f"{len({row[-1] for row in chosen}):>3} classes{note}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="tables to fetch; default: all")
    parser.add_argument("--folder", type=pathlib.Path, default=cache_folder(), help="where to put them; default: %(default)s")
    options = parser.parse_args()
    known = {table.name for table in MLBENCH + SKLEARN}
    unknown = set(options.names) - known
    if unknown:
        parser.error(f"no such table: {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    options.folder.mkdir(parents=True, exist_ok=True)
    failures = 0
    for source, tables in ((from_mlbench, MLBENCH), (from_sklearn, SKLEARN)):
        wanted = [table for table in tables if not options.names or table.name in options.names]
        try:
            for table, header, rows in source(wanted) if wanted else ():
                store(options.folder, table, header, rows)
        except RuntimeError as error:
            print(f"not fetched ({', '.join(table.name for table in wanted)}): {error}", file=sys.stderr)
            failures += 1
    print(f"in {options.folder}; manyone datasets lists them")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
