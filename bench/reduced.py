# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of machines with centres: a million rows, and tuned models beside LIBSVM and scikit-learn's Nystroem."""
import json
import time

import programs
import tables
from programs import BUILD, libsvm_error, line, run

CENTRES = 1000


def covertype_like(path, rows):
    """A made-up table with the shape of covertype, from a fixed seed: 10 whole numbers around 30 hidden centres and 44
    zeros and ones, of which two are set in every row; 7 classes of uneven size that depend on all of them."""
    import numpy
    stream = numpy.random.default_rng(1)
    centres, spread = stream.normal(size=(30, 10)), stream.uniform(0.3, 0.8, size=(30, 10))
    of_centre = stream.integers(0, 7, size=30)
    with open(path, "w", encoding="ascii") as out:
        for first in range(0, rows, 50000):
            n = min(50000, rows - first)
            k = stream.integers(0, 30, size=n)
            x = centres[k] + spread[k] * stream.normal(size=(n, 10))
            label = numpy.where(stream.uniform(size=n) < 0.05, stream.integers(0, 7, size=n), of_centre[k]) + 1
            flags = numpy.zeros((n, 44), dtype=int)
            flags[numpy.arange(n), k % 4] = 1
            flags[numpy.arange(n), 4 + (k * 7 + stream.integers(0, 6, size=n)) % 40] = 1
            table = numpy.hstack([numpy.rint(1000 + 300 * x).astype(int), flags, label[:, None]])
            out.writelines(",".join(map(str, row)) + "\n" for row in table.tolist())
    return path


def syrk_speed():
    """Flops a second of dsyrk on all cores, for blocks as wide as the centres."""
    import numpy
    from scipy.linalg.blas import dsyrk
    a = numpy.asfortranarray(numpy.random.default_rng(1).normal(size=(CENTRES, 8192)))
    c = numpy.zeros((CENTRES, CENTRES), order="F")
    best = 0.0
    for _ in range(5):
        start = time.perf_counter()
        dsyrk(1.0, a, beta=1.0, c=c, overwrite_c=True)
        best = max(best, 8192 * CENTRES * (CENTRES + 1) / (time.perf_counter() - start))
    return best


def million_rows(setting):
    """A made-up table of 1 000 000 rows and 54 features (covertype's shape, fixed seed) from a CSV file, 1000 centres."""
    count = 10 ** 5 if setting.quick else 10 ** 6
    table = covertype_like(setting.folder / "all.csv", count)
    tenth = covertype_like(setting.folder / "tenth.csv", count // 10)
    given = ("--machine", "msvr", "--centers", CENTRES, "--sigma", 1, "--stream")
    fixed = (*given, "--cost", 1000)
    small, ours, path = programs.alternating(
        [setting.command("fit", data, "-o", setting.folder / "model", *options)
         for data, options in ((tenth, fixed), (table, fixed), (table, given))], 3)
    reading = json.loads(run(BUILD / "bench" / "manyone_read_csv", table).out)["seconds"]
    speed = syrk_speed()
    bound = reading + count * CENTRES * (CENTRES + 1) / speed
    peak = programs.peak_megabytes(*setting.command("fit", table, "-o", setting.folder / "model", *fixed))
    return [
        line("time / (reading + flops at dsyrk's speed)", ours / bound, ("<=", 2), ours=ours, reading=reading,
             gigaflops=speed / 1e9),
        line("peak memory", peak, ("<=", 1000), "MB"),
        line("time of ten times the rows / of once", ours / small, ("..", 9, 11), tenth=small),
        line("with the cost chosen from its path / at one cost", path / ours, ("<=", 1.3), path=path),
    ]


def nystroem(setting, train, test, gammas, centres):
    """scikit-learn's Nystroem + RidgeClassifierCV at the best of some gammas, in a process of its own: seconds, error."""
    script = setting.folder / "nystroem.py"
    script.write_text('''
import sys, time, json, numpy
from sklearn.datasets import load_svmlight_file
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import RidgeClassifierCV
x, y = load_svmlight_file(sys.argv[1]); z, t = load_svmlight_file(sys.argv[2], n_features=x.shape[1])
x, z = x.toarray(), z.toarray()
gamma, centres = float(sys.argv[3]), int(sys.argv[4])
start = time.perf_counter()
features = Nystroem(gamma=gamma, n_components=centres, random_state=1).fit(x)
model = RidgeClassifierCV(alphas=10.0 ** numpy.arange(-6, 4)).fit(features.transform(x), y)
seconds = time.perf_counter() - start
print(json.dumps({"seconds": seconds, "error": float((model.predict(features.transform(z)) != t).mean())}))
''', encoding="utf-8")
    found = [json.loads(run("/usr/bin/python3", script, train, test, gamma, centres).out) for gamma in gammas]
    return {"seconds": sum(one["seconds"] for one in found), "error": min(one["error"] for one in found)}


def beside_libsvm(setting, train, test, svm, svm_test, gamma, cost, options, centres):
    """Our default search against LIBSVM at good parameters that were given to it."""
    ours = setting.ours("fit", train, "-o", setting.folder / "model", *options)
    error = setting.ours_json("evaluate", setting.folder / "model", test)[1]["error"]
    theirs = run("svm-train", "-q", "-m", 1000, "-c", cost, "-g", gamma, svm, setting.folder / "model.svm")
    their_error = libsvm_error(run("svm-predict", svm_test, setting.folder / "model.svm", setting.folder / "predicted").out)
    other = nystroem(setting, svm, svm_test, [gamma / 4, gamma, 4 * gamma], centres)
    return [
        line("tuned fit / LIBSVM's one fit", ours.seconds / theirs.seconds, ours=ours.seconds, theirs=theirs.seconds),
        line("test error", 100 * error, None, "%", libsvm=100 * their_error),
        line("tuned fit / Nystroem + RidgeClassifierCV (three widths)", ours.seconds / other["seconds"], ours=ours.seconds,
             theirs=other["seconds"], their_error=other["error"]),
        line("test error - theirs", 100 * (error - other["error"]), None, "points"),
    ]


def tuned_shuttle(setting):
    """shuttle (43500 rows), tuned, 1000 centres, beside LIBSVM at good parameters."""
    train, test = tables.load("shuttle.train"), tables.load("shuttle.test")
    scaling, names = tables.RangeScaling(train), sorted(set(train.labels))
    files = [tables.write_libsvm(setting.folder / f"{name}.svm", part.numbers(), part.labels, scaling, names)
             for name, part in (("train", train), ("test", test))]
    return beside_libsvm(setting, train.write_csv(setting.folder / "train.csv"), test.write_csv(setting.folder / "test.csv"),
                         *files, 8, 64, ("--machine", "msvr", "--centers", 1000), 1000)


def tuned_mnist(setting):
    """mnist (60000 x 784), tuned with 2000 centres, and with 4000 where that is said, beside LIBSVM at good parameters."""
    count = 10000 if setting.quick else 60000
    train, test = tables.Images("mnist-train", count), tables.Images("mnist-t10k", 10000)
    scaling = tables.MaxabsScaling(train.rows())
    files = [tables.write_libsvm(setting.folder / f"{name}.svm", part.rows(), part.labels, scaling, range(10))
             for name, part in (("train", train), ("test", test))]
    images, held_out = train.write_idx(setting.folder, "train"), test.write_idx(setting.folder, "test")
    lines = beside_libsvm(setting, images, held_out, *files, 0.02, 8,
                          ("--machine", "msvr", "--centers", 2000, "--scale", "maxabs"), 2000)
    more = setting.ours("fit", images, "-o", setting.folder / "model", "--machine", "msvr", "--centers", 4000, "--scale", "maxabs")
    error = setting.ours_json("evaluate", setting.folder / "model", held_out)[1]["error"]
    return lines + [
        line("4000 centres: tuned fit / LIBSVM's one fit", more.seconds / lines[0]["theirs"], ("<=", 1), ours=more.seconds),
        line("4000 centres: test error", 100 * error, ("<=", 2.5), "%"),
    ]


def predict_pendigits(setting):
    """pendigits at the paper's reduction rate of 5 %, against svm-predict."""
    train, test = tables.load("pendigits.train"), tables.load("pendigits.test")
    scaling, names = tables.RangeScaling(train), sorted(set(train.labels))
    svm, svm_test = [tables.write_libsvm(setting.folder / f"{name}.svm", part.numbers(), part.labels, scaling, names)
                     for name, part in (("train", train), ("test", test))]
    model, held_out = setting.folder / "model", test.write_csv(setting.folder / "test.csv")
    setting.ours("fit", train.write_csv(setting.folder / "train.csv"), "-o", model, "--machine", "msvr", "--centers", "5%")
    run("svm-train", "-q", "-c", 8, "-g", 0.5, svm, setting.folder / "model.svm")
    ours, theirs = programs.alternating(
        [setting.command("predict", model, held_out, "-o", setting.folder / "predicted.csv"),
         ("svm-predict", svm_test, setting.folder / "model.svm", setting.folder / "predicted.svm")], 5)
    error = setting.ours_json("evaluate", model, held_out)[1]["error"]
    their_error = libsvm_error(run("svm-predict", svm_test, setting.folder / "model.svm", setting.folder / "predicted.svm").out)
    return [line("svm-predict's time / ours", theirs / ours, (">=", 10), ours=ours, theirs=theirs),
            line("test error - LIBSVM's", 100 * (error - their_error), None, "points", ours=error, theirs=their_error)]


BENCHMARKS = (million_rows, tuned_shuttle, tuned_mnist, predict_pendigits)
