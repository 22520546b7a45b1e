# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of the margin machines against LIBSVM at the same parameters and the same tolerance of 1e-3."""
import json
import re

import programs
import tables
from programs import libsvm_grid, line, run

CACHE = 1000  # megabytes, for LIBSVM; ours keeps as much


def both_tables(setting, train, test):
    """CSV files for us and LIBSVM's files, scaled by the training rows."""
    scaling, names = tables.RangeScaling(train), sorted(set(train.labels))
    parts = (("train", train), ("test", test))
    return ([part.write_csv(setting.folder / f"{name}.csv") for name, part in parts],
            [tables.write_libsvm(setting.folder / f"{name}.svm", part.numbers(), part.labels, scaling, names)
             for name, part in parts], names)


def our_objectives(path):
    """1/2 s'Ks - |s|_1 of every pair of classes in a model of svm-ovo with a Gaussian kernel."""
    import numpy
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])

    def tensor(name):
        first, last = header[name]["data_offsets"]
        return numpy.frombuffer(data[start + first:start + last]).reshape(header[name]["shape"])

    model = json.loads(header["__metadata__"]["model"])
    sigma, Z, A, code = tensor("parameters")[0], tensor("centres"), tensor("coefficients"), tensor("labelbook")
    out = {}
    for column in range(A.shape[1]):
        used = A[:, column] != 0
        s, z = A[used, column], Z[used]
        norms = (z * z).sum(1)
        K = numpy.exp(-numpy.maximum(norms[:, None] + norms - 2 * z @ z.T, 0) / (2 * sigma ** 2))
        pair = frozenset(model["classes"][c] for c in range(code.shape[0]) if code[c, column] != 0)
        out[pair] = s @ K @ s / 2 - abs(s).sum()
    return out


def their_objectives(out, model, names):
    """The same as svm-train prints them, pair by pair in the order of its model's labels."""
    labels = [names[int(word)] for word in re.search(r"^label (.*)$", model.read_text(), re.M).group(1).split()]
    values = [float(word) for word in re.findall(r"obj = (-?[\d.e+-]+)", out)]
    pairs = [frozenset((a, b)) for i, a in enumerate(labels) for b in labels[i + 1:]]
    return dict(zip(pairs, values, strict=True))


def tied(scores):
    """Two classes won as many pairs: LIBSVM takes the first, we the one that won by more. Scores are votes and less than 1/2."""
    first, second = sorted(scores)[:-3:-1]
    return round(first) == round(second)


def support_vectors(setting, train, test, sigma, cost):
    """svm-ovo against svm-train (one core) at the same parameters and tolerance, with the same cache."""
    (table, held_out), (svm, svm_test), names = both_tables(setting, train, test)
    model, their_model = setting.folder / "model", setting.folder / "model.svm"
    gamma = 1 / (2 * sigma * sigma)
    ours, theirs = programs.alternating(
        [setting.command("fit", table, "-o", model, "--machine", "svm-ovo", "--sigma", sigma, "--cost", cost),
         ("svm-train", "-q", "-m", CACHE, "-c", cost, "-g", gamma, svm, their_model)], 5)
    predict, their_predict = programs.alternating(
        [setting.command("predict", model, held_out, "-o", setting.folder / "predicted.csv"),
         ("svm-predict", svm_test, their_model, setting.folder / "predicted.svm")], 3)
    their_labels = [names[int(float(word))] for word in (setting.folder / "predicted.svm").read_text().split()]
    ours_there = setting.ours_json("predict", model, held_out, "--scores")[1]
    same = [a == b for a, b in zip(ours_there["labels"], their_labels, strict=True)]
    decided = [one for one, scores in zip(same, ours_there["scores"]) if not tied(scores)]
    loud = run("svm-train", "-m", CACHE, "-c", cost, "-g", gamma, svm, their_model).out
    found, expected = our_objectives(model), their_objectives(loud, their_model, names)
    worst = float(max((found[pair] - value) / abs(value) for pair, value in expected.items()))
    return [
        line("time / svm-train's", ours / theirs, ("<=", 0.5), ours=ours, theirs=theirs),
        line("objective above LIBSVM's, worst pair, relative", worst, ("<=", 1e-5), "", pairs=len(expected)),
        line("test predictions that are LIBSVM's, vote ties aside", 100 * sum(decided) / len(decided), (">=", 99.8), "%",
             without_ties=len(decided), all_rows=100 * sum(same) / len(same)),
        line("svm-predict's time / ours", their_predict / predict, (">=", 10), ours=predict, theirs=their_predict),
    ]


def svm_letter(setting):
    """svm-ovo on 15000 rows of letter."""
    letter = tables.load("letter")
    return support_vectors(setting, letter.part(0, 15000), letter.part(15000), 0.5, 8)


def svm_satimage(setting):
    """svm-ovo on satimage."""
    return support_vectors(setting, tables.load("satimage.train"), tables.load("satimage.test"), 0.7, 8)


def svm_usps(setting):
    """svm-ovo on usps."""
    return support_vectors(setting, tables.load("usps.train"), tables.load("usps.test"), 8, 8)


def svm_shuttle(setting):
    """svm-ovo on shuttle."""
    return support_vectors(setting, tables.load("shuttle.train"), tables.load("shuttle.test"), 0.25, 64)


def svm_tuning(setting):
    """svm-ovo's grid of 81 cells on the first 2000 rows of letter."""
    table = tables.load("letter").part(0, 2000)
    svm = tables.write_libsvm(setting.folder / "train.svm", table.numbers(), table.labels, tables.RangeScaling(table),
                              sorted(set(table.labels)))
    ours, document = setting.ours_json("tune", table.write_csv(setting.folder / "train.csv"), "--machine", "svm-ovo",
                                       "--search", "grid", "--folds", 10)
    theirs, their_error, estimated = libsvm_grid(setting, svm, not setting.quick)
    return [
        line("LIBSVM's grid / ours", theirs / ours.seconds, (">=", 4), ours=ours.seconds, theirs=theirs, estimated=estimated),
        line("CV error - LIBSVM's", 100 * (document["cv"]["error"] - their_error), ("<=", 0.5), "points",
             ours=document["cv"]["error"], theirs=their_error),
    ]


def vector_output(setting):
    """vo-svm on 5000 rows of letter, 26 classes, against one binary machine of LIBSVM on as many rows."""
    table = tables.load("letter").part(0, 5000)
    halves = ["1" if label < "N" else "0" for label in table.labels]
    svm = tables.write_libsvm(setting.folder / "train.svm", table.numbers(), halves, tables.RangeScaling(table), ["0", "1"])
    train = table.write_csv(setting.folder / "train.csv")
    lines = []
    for book in ("indicator", "alignment"):
        ours, theirs = programs.alternating(
            [setting.command("fit", train, "-o", setting.folder / "model", "--machine", "vo-svm", "--labelbook", book,
                             "--sigma", 0.5, "--cost", 8),
             ("svm-train", "-q", "-m", CACHE, "-c", 8, "-g", 2, svm, setting.folder / "model.svm")], 3)
        lines.append(line(f"{book} / a binary machine", ours / theirs, ("<=", 1), ours=ours, theirs=theirs))
    return lines


def replicas(setting):
    """sbc-kernel on 600 rows of 5 classes against LIBSVM on the 3000 replicas with their kernel precomputed."""
    table = tables.load("satimage.train")
    names = sorted(set(table.labels))[:5]
    part = table.only(names).part(0, 600)
    sigma, cost, classes = 1.0, 2.0 ** 12, len(names)
    command = setting.command("fit", part.write_csv(setting.folder / "train.csv"), "-o", setting.folder / "model", "--machine",
                              "sbc-kernel", "--sigma", sigma, "--cost", cost)
    ours = programs.median_run(*command)
    import numpy
    scaling = tables.RangeScaling(part)
    X = numpy.array([scaling(row) for row in part.numbers()])
    square = ((X[:, None, :] - X[None]) ** 2).sum(2)
    labels_gram = numpy.where(numpy.eye(classes) == 1, 1, numpy.exp(-1 / sigma ** 2))
    K = numpy.kron(numpy.exp(-square / (2 * sigma ** 2)), labels_gram)
    y = [1 if names[r] == label else -1 for label in part.labels for r in range(classes)]
    svm = setting.folder / "replicas.svm"
    with open(svm, "w", encoding="ascii") as out:
        for i, row in enumerate(K):
            out.write(f"{y[i]} 0:{i + 1} " + " ".join(f"{j + 1}:{value:.8g}" for j, value in enumerate(row)) + "\n")
    theirs = programs.median_run("svm-train", "-q", "-t", 4, "-m", CACHE, "-c", cost / len(y), svm, setting.folder / "model.svm")
    return [
        line("sbc-kernel / LIBSVM, reading included", ours.seconds / theirs.seconds, ("<=", 3), ours=ours.seconds,
             theirs=theirs.seconds),
        line("peak memory", programs.peak_megabytes(*command), ("<=", 50), "MB"),
    ]


def single_machines(setting):
    """cs, ww and llw on satimage at a tolerance of 1e-3, in seconds, beside svm-ovo; the marks are Shark's."""
    train = tables.load("satimage.train").write_csv(setting.folder / "train.csv")
    lines = []
    for machine, mark in (("cs", 1.8), ("ww", 3.1), ("llw", 36), ("svm-ovo", None)):
        ridge = ("--lambda", 1 / (8 * 4435)) if machine == "llw" else ("--cost", 8)
        ours = setting.ours("fit", train, "-o", setting.folder / "model", "--machine", machine, "--sigma", 0.7, *ridge, median=True)
        lines.append(line(f"time of {machine}", ours.seconds, None if mark is None else ("<=", mark), "s"))
    return lines


BENCHMARKS = (svm_letter, svm_satimage, svm_usps, svm_shuttle, svm_tuning, vector_output, replicas, single_machines)
