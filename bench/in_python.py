# SPDX-License-Identifier: Apache-2.0
"""The Python package: what it costs above the calls it makes, and what scikit-learn's way of tuning costs instead.

Both sides of a comparison run in the same process or in turns, on the same rows and cores.
"""
import statistics
import sys
import time

import tables
from programs import BUILD, EXPONENTS, line, run

ROUNDS = 5


def package():
    """The package of the build; an ImportError where Python was off."""
    sys.path.insert(0, str(BUILD / "python"))
    import manyone

    return manyone


def arrays(table):
    import numpy

    return numpy.ascontiguousarray(table.numbers()), numpy.array(table.labels)


def best_seconds(rounds, call):
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def in_turns(rounds, *calls):
    """Median seconds of each call."""
    seconds = [[] for _ in calls]
    for _ in range(rounds):
        for call, taken in zip(calls, seconds):
            taken.append(best_seconds(1, call))
    return [statistics.median(taken) for taken in seconds]


def python_calls(setting):
    """fit and predict of 2000 x 16 from Python against the same calls of the library.

    A call of milliseconds differs between processes by more than the package adds, so that predict is compared with the
    compiled call in the same process; the other process is shown beside it.
    """
    manyone = package()
    table = tables.load("letter").part(0, 2000)
    path = table.write_csv(setting.folder / "letter.csv")
    X, y = arrays(table)
    library, python = {"fit": [], "predict": []}, {"fit": [], "predict": []}
    estimator = manyone.OneLSMClassifier(n_jobs=setting.threads)
    for _ in range(ROUNDS):  # in turns: a change of load meets both
        measured = run(BUILD / "bench" / "manyone_library_calls", path, 1, 30, setting.threads).json()
        python["fit"].append(best_seconds(1, lambda: estimator.fit(X, y)))
        python["predict"].append(best_seconds(30, lambda: estimator.predict(X)))
        for call in library:
            library[call].append(measured[call])
    whole, compiled = in_turns(100, lambda: estimator.predict(X), lambda: estimator._model.predict(X, setting.threads))
    ratio = {call: min(python[call]) / min(library[call]) for call in python}
    return [line("fit from Python / from C++", ratio["fit"], ("<=", 1.05), python=min(python["fit"]), library=min(library["fit"])),
            line("predict from Python / the compiled call in it", whole / compiled, ("<=", 1.05), python=whole, compiled=compiled),
            line("predict from Python / from C++, another process", ratio["predict"], python=min(python["predict"]),
                 library=min(library["predict"]))]


def grid_search_letter2k(setting):
    """Plain OneLSMClassifier().fit against GridSearchCV(SVC), 81 cells x 10 folds, on the first 2000 rows of letter."""
    manyone = package()
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler
    from sklearn.svm import SVC

    letter = tables.load("letter")
    X, y = arrays(letter.part(0, 2000))
    test_X, test_y = arrays(letter.part(15000))
    ours = manyone.OneLSMClassifier(n_jobs=setting.threads)
    before = best_seconds(2, lambda: ours.fit(X, y))
    theirs = GridSearchCV(make_pipeline(MinMaxScaler((-1, 1)), SVC()),
                          {"svc__C": [2.0 ** c for c in EXPONENTS], "svc__gamma": [1 / (2 * 4.0 ** s) for s in EXPONENTS]},
                          cv=10, n_jobs=setting.threads)
    start = time.perf_counter()
    theirs.fit(X, y)
    their_seconds = time.perf_counter() - start
    our_seconds = min(before, best_seconds(2, lambda: ours.fit(X, y)))
    our_error, their_error, their_cv = (float(1 - score) for score in (
        ours.score(test_X, test_y), theirs.score(test_X, test_y), theirs.best_score_))  # numpy's numbers are not JSON's
    return [line("GridSearchCV(SVC)'s time / OneLSMClassifier's", their_seconds / our_seconds, (">=", 20), ours=our_seconds,
                 theirs=their_seconds),
            line("test error, ours - theirs", 100 * (our_error - their_error), ("<=", 0), "points", ours=our_error, theirs=their_error),
            line("cross-validation error, ours - theirs", 100 * (ours.cv_error_ - their_cv), None, "points",
                 ours=ours.cv_error_, theirs=their_cv)]


BENCHMARKS = [python_calls, grid_search_letter2k]
