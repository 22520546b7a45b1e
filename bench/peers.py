#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures manyone and LIBSVM in the same run on the same rows and cores, and prints ratios beside their bars.

Every figure is of a whole process, reading included. Features are scaled to -1..1 by the ranges of the training rows
on both sides. Tables come from $MANYONE_DATA, the cache that `./dev data` fills, or data/; what is missing is named.
"""
import argparse
import datetime
import json
import os
import pathlib
import random
import sys
import tempfile
import time

import comparing
import figures
import in_python
import margin
import programs
import reduced
import tables
from programs import BUILD, EXPONENTS, Setting, libsvm_grid, line, run

THREADS = min(2, len(os.sched_getaffinity(0)))

# ---- tuning ----------------------------------------------------------------------------------------------------------

def tune(setting, table, bar, full, default_bar=None):
    train = table.write_csv(setting.folder / "train.csv")
    svm = tables.write_libsvm(setting.folder / "train.svm", table.numbers(), table.labels, tables.RangeScaling(table),
                              sorted(set(table.labels)))
    grid = ("tune", train, "--search", "grid", "--folds", 10)
    before, document = setting.ours_json(*grid)
    theirs, their_error, estimated = libsvm_grid(setting, svm, full)
    one, ten = programs.alternating([setting.command(*grid), setting.command(*grid, "--repeats", 10)], 3)
    ours = (before.seconds + one) / 2  # before and after LIBSVM: a change of load meets both
    our_error = document["cv"]["error"]
    quick, chosen = setting.ours_json("tune", train, median=True)
    return [
        line("LIBSVM's time / ours, 81 cells x 10 folds", theirs / ours, (">=", bar), ours=ours, theirs=theirs, estimated=estimated),
        line("LIBSVM's time / our default search's", theirs / quick.seconds, default_bar and (">=", default_bar), ours=quick.seconds,
             estimated=estimated),
        line("CV error of the default - of our grid", 100 * (chosen["cv"]["error"] - our_error),
             default_bar and ("<=", 0.3), "points", default=chosen["cv"]["error"], grid=our_error),
        line("our CV error - LIBSVM's", 100 * (our_error - their_error), ("<=", 0.5), "points", ours=our_error, theirs=their_error),
        line("time of 10 repeats / of 1", ten / one, ("<=", 1.7), one=one, ten=ten),
    ]


def tune_letter2k(setting):
    """Full grid on the first 2000 rows of letter."""
    return tune(setting, tables.load("letter").part(0, 2000), 15, not setting.quick, 60)


def tune_usps2k(setting):
    """Full grid on the first 2000 rows of usps; LIBSVM's time is estimated unless --full."""
    return tune(setting, tables.load("usps.train").part(0, 2000), 60, setting.full)


# ---- the automatic search against our own grid -----------------------------------------------------------------------

def auto(setting, table, test=None):
    train = table.write_csv(setting.folder / "train.csv")
    model = setting.folder / "model"
    searches = ("auto", "grid")
    seconds = dict(zip(searches, programs.alternating(
        [setting.command("fit", train, "-o", model, "--search", search) for search in searches], 3)))
    chosen, test_error = {}, {}
    for search in searches:
        document = setting.ours_json("fit", train, "-o", model, "--search", search)[1]
        # Both choices are judged alike: on all rows, over ten partitions.
        chosen[search] = setting.ours_json("tune", train, "--sigma", repr(document["kernel"]["sigma"]), "--ridge",
                                           repr(document["ridge"]), "--repeats", 10)[1]["cv"]["error"]
        if test is not None:
            held_out = test.write_csv(setting.folder / "test.csv")
            test_error[search] = setting.ours_json("evaluate", model, held_out)[1]["error"]
    lines = [
        line("time of the grid / of the default", seconds["grid"] / seconds["auto"], (">=", 3), **seconds),
        line("CV error of the default - of the grid", 100 * (chosen["auto"] - chosen["grid"]), ("<=", 0.5), "points", **chosen),
    ]
    if test is not None:
        lines.append(line("test error of the default - of the grid", 100 * (test_error["auto"] - test_error["grid"]), None,
                          "points", **test_error))
    return lines


def auto_letter2k(setting):
    """Default fit against the grid, first 2000 rows of letter."""
    letter = tables.load("letter")
    return auto(setting, letter.part(0, 2000), letter.part(15000))


def auto_glass(setting):
    """Default fit against the grid, glass."""
    return auto(setting, tables.load("glass"))


def auto_vowel(setting):
    """Default fit against the grid, vowel."""
    return auto(setting, tables.load("vowel.train"), tables.load("vowel.test"))


def auto_yeast(setting):
    """Default fit against the grid, yeast."""
    return auto(setting, tables.load("yeast"))


def auto_satimage(setting):
    """Default fit against the grid on all 4435 rows of satimage."""
    return auto(setting, tables.load("satimage.train"), tables.load("satimage.test"))


def auto_usps2k(setting):
    """Default fit against the grid, first 2000 rows of usps."""
    return auto(setting, tables.load("usps.train").part(0, 2000), tables.load("usps.test"))


# ---- one fit ---------------------------------------------------------------------------------------------------------

def classes(setting):
    """Price of 100 classes against 2: 4000 rows of letter's features with made-up labels."""
    table = tables.load("letter").part(0, 4000)
    commands = []
    for count in (2, 100):
        path = table.relabelled(i % count for i in range(4000)).write_csv(setting.folder / f"{count}.csv")
        commands.append(setting.command("fit", path, "-o", setting.folder / "model", "--sigma", 0.5, "--ridge", 0.1))
    two, hundred = programs.alternating(commands, 5)
    return [line("time of 100 classes / of 2", hundred / two, ("<=", 1.25), two=two, hundred=hundred)]


def fit8000(setting):
    """8000 rows of letter at fixed parameters against a Gram matrix and a dpotrf of that size."""
    n = 8000
    path = tables.load("letter").part(0, n).write_csv(setting.folder / "train.csv")
    yardstick = run(BUILD / "bench" / "manyone_gram_potrf", n, 16, setting.threads, 3).json()
    ours = setting.ours("fit", path, "-o", setting.folder / "model", "--sigma", 0.5, "--ridge", 0.1, median=True)
    matrix = 8 * n * n / 2 ** 20
    return [
        line("time / (Gram matrix + dpotrf)", ours.seconds / (yardstick["gram"] + yardstick["potrf"]), ("<=", 1.5),
             ours=ours.seconds, gram=yardstick["gram"], potrf=yardstick["potrf"]),
        line("peak memory", ours.megabytes, ("<=", round(1.25 * matrix + 200)), "MB", matrix=matrix),
    ]


# ---- the other machines ----------------------------------------------------------------------------------------------

def solve_seconds(setting, *arguments):
    return setting.ours_json(*arguments, median=True)[1]["seconds"]["solve"]


def class_blocks(setting):
    """vo-lssvm with indicators against onelsm: 8000 rows of letter, 26 classes, solving only."""
    path = tables.load("letter").part(0, 8000).write_csv(setting.folder / "train.csv")
    fixed = ("fit", path, "-o", setting.folder / "model", "--sigma", 0.5, "--ridge", 0.1)
    one, blocks = (solve_seconds(setting, *fixed, "--machine", machine) for machine in ("onelsm", "vo-lssvm"))
    return [line("time of onelsm / of vo-lssvm", one / blocks, (">=", 50), onelsm=one, vo_lssvm=blocks)]


def single_binary(setting):
    """sbc-ls on the first 2000 rows of usps (10 classes) against one eigendecomposition of that size (LAPACK's dsyevd)."""
    import numpy

    path = tables.load("usps.train").part(0, 2000).write_csv(setting.folder / "train.csv")
    ours = solve_seconds(setting, "fit", path, "-o", setting.folder / "model", "--machine", "sbc-ls", "--sigma", 8, "--ridge", 0.1)
    square = numpy.random.default_rng(1).standard_normal((2000, 2000))
    square = square @ square.T
    start = time.perf_counter()
    numpy.linalg.eigh(square)
    eigen = time.perf_counter() - start
    return [line("time / one eigendecomposition", ours / eigen, ("<=", 1.5), ours=ours, eigen=eigen)]


def pairs_letter(setting):
    """ls-ovo on 15000 rows of letter against svm-train (one core) at its best setting."""
    letter = tables.load("letter")
    train, test = letter.part(0, 15000), letter.part(15000)
    folder, scaling, names = setting.folder, tables.RangeScaling(train), sorted(set(train.labels))
    ours = setting.ours("fit", train.write_csv(folder / "train.csv"), "-o", folder / "model", "--machine", "ls-ovo", "--sigma", 0.5,
                        "--ridge", 0.1)
    error = setting.ours_json("evaluate", folder / "model", test.write_csv(folder / "test.csv"))[1]["error"]
    svm, held_out = (tables.write_libsvm(folder / f"{name}.svm", part.numbers(), part.labels, scaling, names)
                     for name, part in (("train", train), ("test", test)))
    theirs = run("svm-train", "-q", "-m", 500, "-c", 8, "-g", 2, svm, folder / "model.svm")
    their_error = programs.libsvm_error(run("svm-predict", held_out, folder / "model.svm", folder / "predicted.svm").out)
    return [
        line("time / svm-train's", ours.seconds / theirs.seconds, ("<=", 1), ours=ours.seconds, theirs=theirs.seconds),
        line("test error - LIBSVM's", 100 * (error - their_error), ("<=", 0.5), "points", ours=error, theirs=their_error),
    ]


def gradients_letter(setting):
    """onelsm on 15000 rows of letter by conjugate gradients against its own Cholesky factor."""
    letter = tables.load("letter")
    train = letter.part(0, 15000).write_csv(setting.folder / "train.csv")
    test = letter.part(15000).write_csv(setting.folder / "test.csv")
    models = {solver: setting.folder / solver for solver in ("cg", "direct")}
    cg, direct = programs.alternating(
        [setting.command("fit", train, "-o", model, "--sigma", 0.5, "--ridge", 0.1, "--solver", solver)
         for solver, model in models.items()], 3)
    first, second = (setting.ours_json("predict", model, test)[1]["labels"] for model in models.values())
    different = sum(a != b for a, b in zip(first, second)) / len(first)
    return [
        line("time of the factor / of conjugate gradients", direct / cg, (">=", 2), cg=cg, direct=direct),
        line("test predictions that differ", 100 * different, ("<=", 0.1), "%"),
    ]


def tuned_satimage(setting):
    """Tuned fit on satimage against LIBSVM's 81-cell grid, estimated from nine cells."""
    train, test = tables.load("satimage.train"), tables.load("satimage.test")
    folder, scaling, names = setting.folder, tables.RangeScaling(train), sorted(set(train.labels))
    ours = setting.ours("fit", train.write_csv(folder / "train.csv"), "-o", folder / "model", median=True)
    error = setting.ours_json("evaluate", folder / "model", test.write_csv(folder / "test.csv"))[1]["error"]
    svm, held_out = (tables.write_libsvm(folder / f"{name}.svm", part.numbers(), part.labels, scaling, names)
                     for name, part in (("train", train), ("test", test)))
    centres = [(2.0 ** c, 1 / (2 * 4.0 ** s)) for c in (-3, 0, 3) for s in (-3, 0, 3)]
    seconds, errors = programs.libsvm_cross_validation(svm, centres, setting.threads)
    cost, gamma = centres[errors.index(min(errors))]
    run("svm-train", "-q", "-m", 500, "-c", cost, "-g", gamma, svm, folder / "model.svm")
    their_error = programs.libsvm_error(run("svm-predict", held_out, folder / "model.svm", folder / "predicted.svm").out)
    return [
        line("LIBSVM's grid / our tuned fit", 9 * seconds / ours.seconds, (">=", 40), ours=ours.seconds, theirs=9 * seconds,
             estimated=True),
        line("test error - LIBSVM's", 100 * (error - their_error), ("<=", 0), "points", ours=error, theirs=their_error),
    ]


# ---- prediction ------------------------------------------------------------------------------------------------------

def rows_per_second(setting, model, test, count):
    return count / setting.ours("predict", model, test, "-o", setting.folder / "predicted", median=True).seconds


def libsvm_rates(setting, train, test, count, settings):
    """For each (gamma, cost): rows per second of svm-predict, and its error."""
    out = []
    for gamma, cost in settings:
        model = setting.folder / "model.svm"
        run("svm-train", "-q", "-m", 500, "-c", cost, "-g", gamma, train, model)
        done = programs.median_run("svm-predict", test, model, setting.folder / "predicted.svm", at_most=3)
        out.append({"gamma": gamma, "cost": cost, "rows_per_second": count / done.seconds, "error": programs.libsvm_error(done.out)})
    return out


def prediction_lines(setting, model, test, tenfold, count, peers):
    ours = rows_per_second(setting, model, test, count)
    error = setting.ours_json("evaluate", model, test)[1]["error"]
    fastest = max(peers, key=lambda peer: peer["rows_per_second"])
    once, ten = (setting.ours("predict", model, path, "-o", setting.folder / "predicted").megabytes for path in (test, tenfold))
    return [
        line("our rows/s / LIBSVM's fastest", ours / fastest["rows_per_second"], (">=", 10), ours=ours, error=error, libsvm=peers),
        line("peak memory of ten times the rows / of once", ten / once, ("<=", 1.1), once=once, ten=ten),
    ]


def predict_letter(setting):
    """15000 rows of letter trained, 5000 predicted."""
    letter = tables.load("letter")
    train, test = letter.part(0, 15000), letter.part(15000)
    model, folder = setting.folder / "model", setting.folder
    setting.ours("fit", train.write_csv(folder / "train.csv"), "-o", model, "--sigma", 0.5, "--ridge", 0.1)
    scaling, names = tables.RangeScaling(train), sorted(set(train.labels))
    peers = libsvm_rates(setting, tables.write_libsvm(folder / "train.svm", train.numbers(), train.labels, scaling, names),
                         tables.write_libsvm(folder / "test.svm", test.numbers(), test.labels, scaling, names), len(test),
                         [(2, 8), (0.5, 8)])
    return prediction_lines(setting, model, test.write_csv(folder / "test.csv"), test.repeated(10).write_csv(folder / "ten.csv"),
                            len(test), peers)


def predict_mnist(setting):
    """First 10000 training rows of mnist, all 10000 test rows; both sides scaled by the largest value (0..1)."""
    train, test = tables.Images("mnist-train", 10000), tables.Images("mnist-t10k", 10000)
    model, folder = setting.folder / "model", setting.folder
    setting.ours("fit", train.write_idx(folder, "train"), "-o", model, "--sigma", 5, "--ridge", 0.1, "--scale", "maxabs")
    scaling, names = tables.MaxabsScaling(train.rows()), range(10)
    peers = libsvm_rates(setting, tables.write_libsvm(folder / "train.svm", train.rows(), train.labels, scaling, names),
                         tables.write_libsvm(folder / "test.svm", test.rows(), test.labels, scaling, names), len(test),
                         [(0.02, 8)])
    return prediction_lines(setting, model, test.write_idx(folder, "test"), test.write_idx(folder, "ten", 10), len(test), peers)


# ---- reading ---------------------------------------------------------------------------------------------------------

def read_csv(setting):
    """Reading CSV: letter repeated to 100 MB, and 256 columns of made-up grey levels."""
    letter = tables.load("letter")
    size = 100e6
    once = letter.write_csv(setting.folder / "letter.csv")
    letter.repeated(max(1, round(size / once.stat().st_size))).write_csv(once)
    stream = random.Random(1)
    grey = setting.folder / "grey.csv"
    rows = [",".join(f"{stream.uniform(-1, 1):.3f}" for _ in range(256)) + f",{k % 10}\n" for k in range(1000)]
    with open(grey, "w", encoding="ascii") as file:
        file.write(",".join(f"p{k}" for k in range(256)) + ",class\n")
        for _ in range(round(size / sum(map(len, rows)))):
            file.writelines(rows)
    measured = [json.loads(text) for text in run(BUILD / "bench" / "manyone_read_csv", once, grey).out.splitlines()]
    return [line(f"reading {name}", figure["bytes"] / 1e6 / figure["seconds"], (">=", 100), "MB/s", **figure)
            for name, figure in zip(("letter", "256 columns of decimals"), measured)]


# ---- second opinion --------------------------------------------------------------------------------------------------

def second_opinion(setting, train, test, sigma, ridge):
    """scikit-learn's KernelRidge on one-hot targets is the same machine: predictions must agree but for near-ties."""
    import numpy
    from sklearn.kernel_ridge import KernelRidge

    model = setting.folder / "model"
    _, fitted = setting.ours_json("fit", train.write_csv(setting.folder / "train.csv"), "-o", model, "--sigma", sigma, "--ridge", ridge,
                                  median=True)
    _, ours = setting.ours_json("predict", model, test.write_csv(setting.folder / "test.csv"), "--scores")
    scaling, names = tables.RangeScaling(train), ours["classes"]
    X, Z = (numpy.array([scaling(row) for row in table.numbers()]) for table in (train, test))
    targets = numpy.array([[label == name for name in names] for label in train.labels], dtype=float)
    peer = KernelRidge(alpha=ridge, kernel="rbf", gamma=1 / (2 * sigma ** 2))
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        peer.fit(X, targets)
        seconds.append(time.perf_counter() - start)
    scores = peer.predict(Z)
    theirs = [names[k] for k in scores.argmax(axis=1)]
    top = numpy.sort(scores, axis=1)
    decided = top[:, -1] - top[:, -2] > 1e-6  # closer than that, rounding decides
    differ = sum(bool(d) and a != b for d, a, b in zip(decided, ours["labels"], theirs))
    agree = sum(a == b for a, b in zip(ours["labels"], theirs)) / len(theirs)
    return [
        line("predictions that differ, near-ties aside", differ, ("<=", 0), "", agreement=agree, rows=len(theirs)),
        line("largest difference of a score", float(numpy.abs(scores - numpy.array(ours["scores"])).max()), ("<=", 1e-6), ""),
        line("KernelRidge's fit time / our solve", sorted(seconds)[1] / fitted["seconds"]["solve"], ours=fitted["seconds"]["solve"],
             theirs=sorted(seconds)[1]),
    ]


def second_opinion_letter2k(setting):
    """scikit-learn's KernelRidge on the first 2000 rows of letter."""
    letter = tables.load("letter")
    return second_opinion(setting, letter.part(0, 2000), letter.part(15000), 0.5, 0.125)


def second_opinion_satimage(setting):
    """scikit-learn's KernelRidge on satimage."""
    return second_opinion(setting, tables.load("satimage.train"), tables.load("satimage.test"), 0.5, 0.125)


BENCHMARKS = {function.__name__.replace("_", "-"): function for function in (
    tune_letter2k, tune_usps2k, auto_letter2k, auto_glass, auto_vowel, auto_yeast, auto_satimage, auto_usps2k, classes, fit8000,
    class_blocks, single_binary, pairs_letter, gradients_letter, tuned_satimage, *margin.BENCHMARKS, *reduced.BENCHMARKS,
    *comparing.BENCHMARKS, *in_python.BENCHMARKS,
    predict_letter, predict_mnist, read_csv, second_opinion_letter2k, second_opinion_satimage)}


# ---- what was found --------------------------------------------------------------------------------------------------

def chosen_benchmarks(names, parser):
    """All of them, or those whose name is or begins with a given word."""
    out = []
    for word in names:
        found = [name for name in BENCHMARKS if name == word or name.startswith(word + "-")]
        if not found:
            parser.error(f"no benchmark is called {word}; there are {', '.join(BENCHMARKS)}")
        out += [name for name in found if name not in out]
    return out or list(BENCHMARKS)


def show(name, lines):
    for entry in lines:
        holds = {True: "holds", False: "MISSED", None: ""}[entry["holds"]]
        value, bar = figures.words(entry["value"], entry["unit"]), figures.bar_words(entry["bar"])
        estimated = "  (LIBSVM estimated from 9 cells)" if entry.get("estimated") else ""
        print(f"{name:<24}{entry['quantity']:<52}{value:>14}  {bar:<9}{holds}{estimated}", flush=True)


def details(entry):
    rest = {key: value for key, value in entry.items() if key not in figures.LINE}
    return ", ".join(f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}" for key, value in rest.items())


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="Benchmarks: " + ", ".join(BENCHMARKS))
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks, or the beginnings of their names; default: all")
    parser.add_argument("--list", action="store_true", help="say what there is")
    parser.add_argument("--threads", type=int, default=THREADS,
                        help="our threads, and LIBSVM's processes at a time; default: %(default)s")
    parser.add_argument("--quick", action="store_true", help="estimate LIBSVM's grids from 9 of their 81 cells")
    parser.add_argument("--full", action="store_true", help="measure all cells of LIBSVM, also where that takes ten minutes")
    parser.add_argument("--verbose", action="store_true", help="show what each ratio is made of")
    parser.add_argument("--output", type=pathlib.Path, default=tables.ROOT / "bench" / "results" / "latest.json",
                        help="file for the results; default: %(default)s")
    parser.add_argument("--write", action="store_true",
                        help="also put the figures into bench/figures.json and from there into the pages, to be committed")
    options = parser.parse_args()
    if options.quick and options.full:
        parser.error("--quick and --full exclude each other")
    if options.quick and options.write:
        parser.error("--quick measures less than the pages say; --write takes the whole")
    if options.threads < 1:
        parser.error("--threads must be 1 or more")
    options.names = chosen_benchmarks(options.names, parser)
    return options


def command(name, options):
    """What measures this again, alike."""
    threads = "" if options.threads == THREADS else f" --threads {options.threads}"
    return f"./dev bench {name}{threads}" + (" --full" if options.full else "")


def main():
    options = arguments()
    if options.list:
        for name in options.names:
            print(f"{name:<26}{BENCHMARKS[name].__doc__.splitlines()[0]}")
        return 0
    programs.require_peers()
    results = {"machine": programs.machine(), "load": round(os.getloadavg()[0], 2), "threads": options.threads,
               "manyone": run(programs.TOOL, "--version").out.strip(), "benchmarks": {}, "skipped": {}}
    print("\n".join(f"{key:<11}{value}" for key, value in results["machine"].items()))
    busy = {"load": results["load"]} if results["load"] > 0.5 else {}
    if busy:
        print(f"The machine is busy (load {results['load']}): times below are not to be relied on.")
    print(f"threads    {options.threads}\n")
    for name in options.names:
        with tempfile.TemporaryDirectory(prefix="manyone-bench-") as folder:
            try:
                lines = BENCHMARKS[name](Setting(options, pathlib.Path(folder)))
            except tables.Missing as missing:
                results["skipped"][name] = str(missing)
                print(f"{name:<24}skipped: {missing}")
                continue
            except ImportError as error:
                results["skipped"][name] = str(error)
                print(f"{name:<24}skipped: {error}")
                continue
        results["benchmarks"][name] = lines
        show(name, lines)
        if options.verbose:
            print("".join(f"    {entry['quantity']}: {details(entry)}\n" for entry in lines), end="")
        figures.write(options.output, json.dumps(results, indent=2) + "\n")
        if options.write:
            figures.record(name, lines, results["machine"], what=BENCHMARKS[name].__doc__.splitlines()[0].rstrip("."),
                           command=command(name, options), date=datetime.date.today().isoformat(),
                           manyone=results["manyone"], **busy)
    missed = [name for name, lines in results["benchmarks"].items() if any(entry["holds"] is False for entry in lines)]
    print(f"\n{len(results['benchmarks'])} measured, {len(missed)} missed a bar" + (f" ({', '.join(missed)})" if missed else "")
          + (f"; skipped for want of data: {', '.join(results['skipped'])} (./dev data fetches what Debian ships)"
             if results["skipped"] else ""))
    figures.write(options.output, json.dumps(results, indent=2) + "\n")
    print(f"written to {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
