# SPDX-License-Identifier: Apache-2.0
"""What fit and the predictions promise: tuned by default, any labels, weights, sparse rows, given kernels, no copies."""
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.datasets import load_wine
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import PredefinedSplit
from threadpoolctl import threadpool_info

import manyone
from manyone import CodingRegressionClassifier, OneLSMClassifier, _core, estimator_for
from manyone.estimators import ESTIMATORS

ALL_MACHINES = [machine for estimator in ESTIMATORS for machine in estimator.machines]
PROGRAMS = {"vo-svm", *manyone.KernelSVC.machines, *manyone.SingleBinaryClassifier.machines[1:]}
# Quadratic programs end at a violation of 1e-3; other machines differ by rounding only.
TOLERANCE = {True: {"rtol": 2e-2, "atol": 2e-2}, False: {"rtol": 1e-6, "atol": 1e-6}}
FIXED = {"sigma": 1.0, "ridge": 0.125}


def named(machine, **parameters):
    return estimator_for(machine).set_params(**parameters)


def test_a_plain_fit_is_tuned(iris):
    classifier = OneLSMClassifier().fit(*iris)
    assert classifier.cv_error_ < 0.05
    assert classifier.sigma_ > 0 and classifier.ridge_ > 0
    assert classifier.cost_ == 1 / classifier.ridge_
    surface = classifier.cv_surface_
    assert set(surface) == {"sigma", "ridge", "cost", "error", "std"}
    assert len(surface["error"]) > 3
    assert surface["error"].min() == classifier.cv_error_


def test_given_parameters_are_used_and_nothing_is_tuned(iris):
    classifier = OneLSMClassifier(**FIXED).fit(*iris)
    assert (classifier.sigma_, classifier.ridge_) == (1.0, 0.125)
    assert classifier.cv_error_ is None and classifier.cv_surface_ is None
    assert OneLSMClassifier(sigma=1.0, cost=8.0).fit(*iris).ridge_ == 0.125


@pytest.mark.parametrize("machine", ALL_MACHINES)
def test_scores_probabilities_and_classes_agree(machine, iris):
    X, y = iris
    classifier = named(machine, sigma=1.0, ridge=0.001 if machine == "sbc-ecoc" else 0.125).fit(X, y)
    assert classifier.score(X, y) > (0.7 if machine == "sbc-single" else 0.9)
    scores, probabilities = classifier.decision_function(X), classifier.predict_proba(X)
    assert scores.shape == probabilities.shape == (150, 3)
    assert_allclose(probabilities.sum(axis=1), 1)
    assert_array_equal(classifier.classes_[scores.argmax(axis=1)], classifier.predict(X))
    assert_array_equal(classifier.classes_[probabilities.argmax(axis=1)], classifier.predict(X))


def test_two_classes_have_one_column_of_decisions(two_classes):
    X, y = two_classes
    classifier = OneLSMClassifier(**FIXED).fit(X, y)
    decisions = classifier.decision_function(X)
    assert decisions.shape == (120,)
    assert_array_equal(decisions > 0, classifier.predict(X) == classifier.classes_[1])


def test_the_expansion_gives_the_scores(iris):
    X, y = iris
    classifier = OneLSMClassifier(**FIXED).fit(X, y)
    offset, factor = classifier.scaling_
    kernel = rbf_kernel((X - offset) * factor, classifier.centers_, gamma=0.5)
    assert_allclose(kernel @ classifier.dual_coef_ + classifier.intercept_, classifier.decision_function(X), atol=1e-10)


@pytest.mark.parametrize("labels", [["b", "a", "c"], [10, -2, 7], [4.0, 1.0, 2.0], [np.int8(3), np.int8(1), np.int8(2)]])
def test_labels_come_back_as_they_were_given(labels, iris):
    X, y = iris
    mine = np.array(labels)[y]
    classifier = OneLSMClassifier(**FIXED).fit(X, mine)
    assert classifier.predict(X).dtype == mine.dtype
    assert_array_equal(classifier.classes_, np.unique(mine))
    assert np.mean(classifier.predict(X) == mine) > 0.9


def test_boolean_and_object_labels(two_classes):
    X, y = two_classes
    assert OneLSMClassifier(**FIXED).fit(X, y == 1).predict(X).dtype == bool
    words = np.array(["no", "yes"], dtype=object)[y]
    assert set(OneLSMClassifier(**FIXED).fit(X, words).predict(X)) == {"no", "yes"}


def test_weights_of_rows_and_classes(two_classes):
    X, y = two_classes
    plain = OneLSMClassifier(**FIXED)
    once = plain.fit(X, y).decision_function(X)
    assert_array_equal(plain.fit(X, y, sample_weight=np.ones(120)).decision_function(X), once)
    heavy = OneLSMClassifier(**FIXED, class_weight={0: 50.0, 1: 1.0}).fit(X, y).decision_function(X)
    by_row = plain.fit(X, y, sample_weight=np.where(y == 0, 50.0, 1.0)).decision_function(X)
    assert_allclose(heavy, by_row)
    assert heavy.mean() < once.mean()
    balanced = OneLSMClassifier(**FIXED, class_weight="balanced").fit(X[:90], y[:90]).decision_function(X)
    counts = np.bincount(y[:90])
    assert_allclose(balanced, plain.fit(X[:90], y[:90], sample_weight=(90 / (2 * counts))[y[:90]]).decision_function(X))


def test_the_scale_of_weights_is_that_of_the_ridge(two_classes):
    X, y = two_classes
    weights = np.where(y == 0, 1.0, 2.0)
    tuned, heavy = (OneLSMClassifier().fit(X, y, sample_weight=factor * weights) for factor in (1, 4096))
    assert_allclose(heavy.ridge_, 4096 * tuned.ridge_)
    assert_allclose(heavy.cv_surface_["ridge"], 4096 * tuned.cv_surface_["ridge"])
    assert_array_equal(heavy.decision_function(X), tuned.decision_function(X))
    again = OneLSMClassifier(sigma=heavy.sigma_, ridge=heavy.ridge_).fit(X, y, sample_weight=4096 * weights)
    assert_allclose(again.decision_function(X), heavy.decision_function(X), rtol=1e-6, atol=1e-9)


def test_rows_of_weight_zero_are_as_if_they_were_not_there(iris):
    X, y = iris
    weights = np.ones(150)
    weights[::7] = 0
    with_zeros = OneLSMClassifier().fit(X, y, sample_weight=weights)
    without = OneLSMClassifier().fit(X[weights > 0], y[weights > 0])
    assert_array_equal(with_zeros.decision_function(X), without.decision_function(X))


def test_the_order_of_few_rows_does_not_matter(iris):
    X, y = iris[0][::4], iris[1][::4]
    order = np.random.RandomState(5).permutation(len(y))
    first, second = (manyone.KernelSVC().fit(X[rows], y[rows]) for rows in (np.arange(len(y)), order))
    assert_array_equal(first.decision_function(X), second.decision_function(X))


@pytest.mark.parametrize("machine", ALL_MACHINES)
def test_sparse_rows_give_what_dense_ones_give(machine, iris):
    X, y = iris
    X = np.where(X < 2, 0, X)
    dense = named(machine, scale="maxabs", **FIXED).fit(X, y).decision_function(X)
    for form in (sparse.csr_matrix, sparse.coo_matrix):
        rows = named(machine, scale="maxabs", **FIXED).fit(form(X), y)
        assert sparse.issparse(rows.centers_)
        assert_allclose(rows.decision_function(form(X)), dense, **TOLERANCE[machine in PROGRAMS])
        assert_allclose(rows.decision_function(X), rows.decision_function(form(X)), rtol=1e-9, atol=1e-9)


# msvr needs centres; the label kernel of sbc-ls has the width of the kernel, which a matrix does not tell.
@pytest.mark.parametrize("machine", [machine for machine in ALL_MACHINES if machine not in ("msvr", "sbc-ls")])
def test_a_given_kernel_matrix_is_that_kernel(machine, iris):
    X, y = iris
    train, test = np.arange(150) % 3 > 0, np.arange(150) % 3 == 0
    direct = named(machine, scale="none", **FIXED).fit(X[train], y[train])
    given = named(machine, kernel="precomputed", ridge=0.125).fit(rbf_kernel(X[train], gamma=0.5), y[train])
    assert given._more_tags()["pairwise"]
    expected = direct.decision_function(X[test])
    assert_allclose(given.decision_function(rbf_kernel(X[test], X[train], gamma=0.5)), expected,
                    **TOLERANCE[machine in PROGRAMS])


def test_columns_of_a_frame_are_remembered(iris):
    frame = pd.DataFrame(iris[0], columns=["a", "b", "c", "d"])
    classifier = OneLSMClassifier(**FIXED).fit(frame, pd.Series(iris[1], name="kind"))
    assert_array_equal(classifier.feature_names_in_, ["a", "b", "c", "d"])
    assert_array_equal(classifier.predict(frame), OneLSMClassifier(**FIXED).fit(*iris).predict(iris[0]))
    with pytest.raises(ValueError, match="feature names"):
        classifier.predict(frame[["b", "a", "c", "d"]])


def test_c_ordered_float64_is_read_where_it_is(iris, monkeypatch):
    X, y = iris
    X = np.ascontiguousarray(X)
    address = X.__array_interface__["data"][0]
    assert _core.address_of_rows(X) == address
    seen = []
    fit = _core.fit
    monkeypatch.setattr(_core, "fit", lambda rows, *rest: seen.append(_core.address_of_rows(rows)) or fit(rows, *rest))
    classifier = OneLSMClassifier(**FIXED).fit(X, y)
    assert seen == [address]
    assert _core.address_of_rows(classifier._checked(X)) == address
    X.setflags(write=False)
    assert_array_equal(classifier.fit(X, y).predict(X), OneLSMClassifier(**FIXED).fit(X, y).predict(X))


def test_neither_fit_nor_predict_holds_a_second_table():
    program = """
import resource
import numpy as np
from manyone import CodingRegressionClassifier

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

X = np.random.default_rng(1).random((250_000, 50))  # 100 MB
y = np.arange(len(X)) % 3
small = CodingRegressionClassifier(sigma=1.0, ridge=1.0, centers=20).fit(X[:3000], y[:3000])
before = peak()
small.fit(X, y)
fitted = peak()
small.predict(X)
print(fitted - before, peak() - fitted)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    fit, predict = map(float, done.stdout.split())
    assert fit < 70 and predict < 30, done.stdout


def test_other_arrays_are_copied_once_and_right(iris):
    X, y = iris
    expected = OneLSMClassifier(**FIXED).fit(X, y).decision_function(X)
    for other in (np.asfortranarray(X), X[:, ::-1][:, ::-1], X.tolist(), np.vstack([X, X])[::2][:75]):
        rows = np.asarray(other)
        labels = y if len(rows) == 150 else np.hstack([y, y])[::2][:75]
        scores = OneLSMClassifier(**FIXED).fit(other, labels).decision_function(rows)
        if len(rows) == 150:
            assert_array_equal(scores, expected)
    single = OneLSMClassifier(**FIXED).fit(X.astype(np.float32), y)
    assert_allclose(single.decision_function(X.astype(np.float32)), expected, atol=1e-4)


def test_the_core_never_copies_what_it_was_not_given():
    for wrong in (np.ones((2, 2), np.float32), np.asfortranarray(np.ones((2, 3))), np.ones((4, 4))[::2], [[1.0]]):
        with pytest.raises(ValueError, match="C-ordered array of float64"):
            _core.address_of_rows(wrong)


def test_predictions_in_blocks_are_those_of_single_rows(iris):
    X, y = iris
    classifier = OneLSMClassifier(**FIXED).fit(X, y)
    many = np.tile(X, (70, 1))  # more than two blocks
    assert_allclose(classifier.decision_function(many)[-150:], classifier.decision_function(X), rtol=1e-12, atol=1e-12)
    assert_array_equal(classifier.predict(sparse.csr_matrix(many)), classifier.predict(many))


def test_threads_do_not_change_results(iris):
    one, two = (OneLSMClassifier(n_jobs=jobs).fit(*iris).decision_function(iris[0]) for jobs in (1, 2))
    assert_array_equal(one, two)


def test_searches_and_folds(iris):
    grid = OneLSMClassifier(grid={"sigma": (-1, 1), "ridge": (-4, -2)}, folds=5, repeats=3, stratify=True).fit(*iris)
    assert len(grid.cv_surface_["error"]) == 9
    assert np.all(np.isfinite(grid.cv_surface_["std"]))
    assert OneLSMClassifier(folds="loo", search="design").fit(*iris).cv_error_ < 0.06
    given = OneLSMClassifier(folds=PredefinedSplit(np.arange(150) % 5)).fit(*iris)
    assert given.cv_error_ < 0.06
    assert OneLSMClassifier(nested=True).fit(*iris).nested_error_ < 0.1
    assert OneLSMClassifier(nested=False).fit(*iris).nested_error_ is None


def test_seeds_decide_and_none_takes_one_from_numpy(iris):
    errors = {OneLSMClassifier(random_state=seed, sigma=1.0, grid={"ridge": (-6, 2)}).fit(*iris).cv_error_ for seed in range(8)}
    assert len(errors) > 1
    np.random.seed(3)
    first = OneLSMClassifier(random_state=None).fit(*iris).sigma_
    np.random.seed(3)
    assert OneLSMClassifier(random_state=None).fit(*iris).sigma_ == first
    assert OneLSMClassifier(random_state=np.random.RandomState(1)).fit(*iris).sigma_ > 0


def test_centres(iris):
    assert OneLSMClassifier(centers=30).fit(*iris).centers_.shape == (30, 4)
    assert OneLSMClassifier(centers=0.2).fit(*iris).centers_.shape == (30, 4)
    assert OneLSMClassifier(centers="20%", reduce="kmeans").fit(*iris).centers_.shape == (30, 4)


def test_a_callback_hears_of_everything_and_can_stop_it(iris, capsys):
    events = []
    OneLSMClassifier(grid={"sigma": (-4, 4), "ridge": (-4, 4)}, callback=events.append).fit(*iris)
    assert {event["event"] for event in events} >= {"begin", "end"}
    assert all(event["done"] <= event["total"] * (1 + 1e-9) for event in events if event["event"] == "progress")

    def stop(event):
        raise StopIteration("enough")

    with pytest.raises(StopIteration, match="enough"):
        OneLSMClassifier(callback=stop).fit(*iris)
    OneLSMClassifier(verbose=1).fit(iris[0][40:], iris[1][40:])
    captured = capsys.readouterr()
    assert "100 %" in captured.err and captured.out == ""


def test_notes_say_what_is_uncertain(iris):
    classifier = OneLSMClassifier().fit(iris[0][49:], iris[1][49:])
    assert any("single row" in note for note in classifier.notes_)


def test_the_process_keeps_its_environment():
    program = "import sys, ctypes, importlib.util as load; " \
              "load.module_from_spec(load.spec_from_file_location('_core', sys.argv[1])); " \
              "c = ctypes.CDLL(None); c.getenv.restype = ctypes.c_char_p; print(c.getenv(b'OPENBLAS_NUM_THREADS'))"
    for value in (None, "3"):
        environment = {name: text for name, text in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
        if value:
            environment["OPENBLAS_NUM_THREADS"] = value
        done = subprocess.run([sys.executable, "-c", program, _core.__file__], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == str(value.encode() if value else None)


def test_numpy_keeps_its_threads(iris):
    before = {library["filepath"]: library["num_threads"] for library in threadpool_info()}
    assert any("blas" in path for path in before)
    OneLSMClassifier().fit(*iris).predict(iris[0])
    assert {library["filepath"]: library["num_threads"] for library in threadpool_info()} == before


def test_rows_that_stay_centres_while_they_are_held_out_flatter():
    table = load_wine(return_X_y=True)

    def error(who):
        return CodingRegressionClassifier(sigma=0.5, grid={"cost": (2, 2)}, centers_from=who).fit(*table).cv_error_

    assert error("all") < error("training") == error(None)
