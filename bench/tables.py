# SPDX-License-Identifier: Apache-2.0
"""Tables for the benchmarks: finds them, cuts them, and writes the same rows for us (CSV) and for LIBSVM (scaled text)."""
import csv
import gzip
import os
import pathlib
import struct

ROOT = pathlib.Path(__file__).resolve().parents[1]


class Missing(Exception):
    """A table that is in none of the folders."""


def folders():
    """Where tables are looked for: $MANYONE_DATA, the cache that `./dev data` fills, the bundled ones."""
    own = os.environ.get("MANYONE_DATA")
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "manyone"
    return ([pathlib.Path(own)] if own else []) + [cache, ROOT / "data"]


def find(*names):
    """The first file of these names, plain or gzip."""
    for name in names:
        for folder in folders():
            for path in (folder / name, folder / (name + ".gz")):
                if path.is_file():
                    return path
    raise Missing(f"{names[0]} is not in {', '.join(map(str, folders()))}")


def opened(path, mode):
    return gzip.open(path, mode) if path.suffix == ".gz" else open(path, mode)


class Table:
    """Rows of numbers as the text they were read as, and their classes."""

    def __init__(self, header, cells, labels):
        self.header, self.cells, self.labels = header, cells, labels

    def __len__(self):
        return len(self.cells)

    def part(self, start, stop=None):
        return Table(self.header, self.cells[start:stop], self.labels[start:stop])

    def only(self, classes):
        kept = [(cells, label) for cells, label in zip(self.cells, self.labels) if label in classes]
        return Table(self.header, [cells for cells, _ in kept], [label for _, label in kept])

    def relabelled(self, labels):
        return Table(self.header, self.cells, list(labels))

    def repeated(self, times):
        return Table(self.header, self.cells * times, self.labels * times)

    def numbers(self):
        return [[float(cell) for cell in row] for row in self.cells]

    def write_csv(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(",".join([*self.header, "class"]) + "\n")
            for row, label in zip(self.cells, self.labels):
                file.write(",".join(row) + f",{label}\n")
        return path


def load(*names):
    """A CSV table with a header and the class in the last column."""
    with opened(find(*[name + ".csv" for name in names]), "rt") as file:
        header, *rows = csv.reader(file)
    return Table(header[:-1], [row[:-1] for row in rows], [row[-1] for row in rows])


class RangeScaling:
    """To -1..1 by the ranges of the training rows, as `--scale range` does; a constant feature becomes 0."""

    def __init__(self, table):
        columns = list(zip(*table.numbers()))
        self.low = [min(column) for column in columns]
        self.high = [max(column) for column in columns]

    def __call__(self, row):
        return [2 * (x - low) / (high - low) - 1 if high > low else 0.0 for x, low, high in zip(row, self.low, self.high)]


class MaxabsScaling:
    """To -1..1 without moving zero, as `--scale maxabs` does; keeps images sparse, which LIBSVM profits from."""

    def __init__(self, rows):
        self.most = [max(abs(x) for x in column) or 1.0 for column in zip(*rows)]

    def __call__(self, row):
        return [x / most for x, most in zip(row, self.most)]


def write_libsvm(path, rows, labels, scaling, classes):
    """`classes` numbers the labels; zeros are left out, as LIBSVM's own tools do."""
    number = {label: k for k, label in enumerate(classes)}
    with open(path, "w", encoding="ascii") as file:
        for row, label in zip(rows, labels):
            pairs = " ".join(f"{k}:{x:.10g}" for k, x in enumerate(scaling(row), 1) if x != 0)
            file.write(f"{number[label]} {pairs}\n")
    return path


class Images:
    """The first rows of a pair of IDX files; written again as a pair, which is what our tool reads."""

    def __init__(self, stem, count):
        images = find(f"{stem}-images-idx3-ubyte")
        with opened(images, "rb") as file:
            _, total, high, wide = struct.unpack(">4i", file.read(16))
            self.shape = (min(count, total), high, wide)
            self.pixels = file.read(self.shape[0] * high * wide)
        with opened(find(f"{stem}-labels-idx1-ubyte"), "rb") as file:
            file.read(8)
            self.labels = file.read(self.shape[0])

    def __len__(self):
        return self.shape[0]

    def rows(self):
        size = self.shape[1] * self.shape[2]
        return [self.pixels[k:k + size] for k in range(0, len(self.pixels), size)]

    def write_idx(self, folder, name, times=1):
        path = folder / f"{name}-images-idx3-ubyte"
        path.write_bytes(struct.pack(">4i", 2051, self.shape[0] * times, *self.shape[1:]) + self.pixels * times)
        labels = folder / f"{name}-labels-idx1-ubyte"
        labels.write_bytes(struct.pack(">2i", 2049, self.shape[0] * times) + self.labels * times)
        return path
