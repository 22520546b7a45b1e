# SPDX-License-Identifier: Apache-2.0
"""The estimators inside scikit-learn's tools, in pickles and in other processes."""
import copy
import pickle
import subprocess
import sys
import threading

import joblib
import numpy as np
import pytest
from joblib.externals import cloudpickle
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_digits
from sklearn.ensemble import VotingClassifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from manyone import KernelSVC, OneLSMClassifier, VectorOutputClassifier
from manyone.estimators import ESTIMATORS

FIXED = {"sigma": 1.0, "ridge": 0.125}


def test_a_pipeline_with_ours_in_the_place_of_svc(iris):
    X, y = iris
    pipeline = make_pipeline(StandardScaler(), OneLSMClassifier(scale="none")).fit(X, y)
    assert pipeline.score(X, y) > 0.95
    assert pipeline.predict_proba(X).shape == (150, 3)


def test_the_parameters_of_svc_translate():
    X, y = load_digits(return_X_y=True)
    X = X / 16
    for cost, sigma in ((1.0, 2.0), (10.0, 1.0), (0.1, 4.0)):
        theirs = SVC(C=cost, gamma=1 / (2 * sigma**2), break_ties=True).fit(X[:900], y[:900])
        ours = KernelSVC(cost=cost, sigma=sigma, scale="none").fit(X[:900], y[:900])
        assert np.mean(ours.predict(X[900:]) == theirs.predict(X[900:])) > 0.995
        assert abs(len(ours.centers_) - theirs.n_support_.sum()) < 0.02 * len(ours.centers_)
    cubic = SVC(kernel="poly", degree=3, coef0=1.0, gamma=1.0, C=0.1, break_ties=True).fit(X[:900], y[:900])
    ours = KernelSVC(kernel="polynomial", degree=3, offset=1.0, cost=0.1, scale="none").fit(X[:900], y[:900])
    assert np.mean(ours.predict(X[900:]) == cubic.predict(X[900:])) > 0.99


def test_grid_search_over_our_parameters(iris):
    search = GridSearchCV(KernelSVC(sigma=1.0), {"cost": [0.1, 1.0, 10.0], "machine": ["svm-ovo", "cs"]}, cv=3).fit(*iris)
    assert search.best_score_ > 0.9
    assert search.best_estimator_.cost_ == pytest.approx(search.best_params_["cost"])


def test_cross_validation_in_processes_and_in_threads(iris):
    X, y = iris
    estimator = OneLSMClassifier(**FIXED)
    plain = cross_val_predict(estimator, X, y, cv=5)
    assert np.mean(plain == y) > 0.9
    assert_array_equal(cross_val_predict(estimator, X, y, cv=5, n_jobs=2), plain)
    with joblib.parallel_backend("threading", n_jobs=2):
        assert_array_equal(cross_val_predict(estimator, X, y, cv=5), plain)


def test_a_forked_process_has_threads_of_its_own(iris):
    X, y = iris
    estimator = OneLSMClassifier(**FIXED).fit(X, y)
    expected = estimator.predict(X)  # the threads of this process are running now
    with joblib.parallel_backend("multiprocessing", n_jobs=2):
        parts = joblib.Parallel()(joblib.delayed(estimator.predict)(X) for _ in range(4))
    for part in parts:
        assert_array_equal(part, expected)


def test_cross_validation_of_a_given_kernel(iris):
    X, y = iris
    scores = cross_val_score(VectorOutputClassifier(kernel="precomputed"), rbf_kernel(X, gamma=0.5), y, cv=3)
    assert scores.mean() > 0.9


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_clones_copies_and_pickles(estimator, iris):
    X, y = iris
    fitted = estimator(**FIXED).fit(X, y)
    assert not hasattr(clone(fitted), "classes_")
    assert clone(fitted).get_params() == fitted.get_params()
    for other in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted)):
        assert_array_equal(other.decision_function(X), fitted.decision_function(X))
        assert_array_equal(other.predict_proba(X), fitted.predict_proba(X))
        assert_array_equal(other.classes_, fitted.classes_)
        assert other.get_params() == fitted.get_params()


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_protocol_of_pickle(estimator, protocol, iris, tmp_path):
    X, y = iris
    fitted = estimator(**FIXED).fit(X, y)
    other = pickle.loads(pickle.dumps(fitted, protocol))
    assert_array_equal(other.decision_function(X), fitted.decision_function(X))
    model = pickle.loads(pickle.dumps(fitted._model, protocol))
    assert model.bytes() == fitted._model.bytes()
    joblib.dump(fitted, tmp_path / "m.joblib", protocol=protocol)
    assert_array_equal(joblib.load(tmp_path / "m.joblib").predict(X), fitted.predict(X))


def test_copies_of_the_model_of_an_estimator(iris):
    fitted = OneLSMClassifier(**FIXED).fit(*iris)
    for other in (copy.copy(fitted), copy.deepcopy(fitted), cloudpickle.loads(cloudpickle.dumps(fitted))):
        assert_array_equal(other.predict_proba(iris[0]), fitted.predict_proba(iris[0]))
    for model in (copy.copy(fitted._model), copy.deepcopy(fitted._model)):
        assert model.bytes() == fitted._model.bytes()


def test_garbage_in_a_pickle_is_an_exception_and_never_the_end_of_the_process(iris):
    program = """
import pickle, random, resource
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))  # a length in a broken pickle may be any number
from sklearn.datasets import load_iris
from manyone import OneLSMClassifier, _core
X, y = load_iris(return_X_y=True)
fitted = OneLSMClassifier(sigma=1.0, ridge=0.125).fit(X, y)
whole, pickled = fitted._model.bytes(), pickle.dumps(fitted)
draw = random.Random(1)

def refused(action):
    try:
        action()
    except Exception:
        return True
    return False

def mutated(data):
    data = bytearray(data)
    for _ in range(draw.randint(1, 8)):
        data[draw.randrange(len(data))] = draw.randrange(256)
    return bytes(data[:draw.choice([len(data), draw.randrange(len(data))])])

Model = _core.Model
states = [None, 0, 3.5, "", "text", b"", b"junk", [], {}, (1,), object(), whole[:-1], bytes(64), *(mutated(whole) for _ in range(500))]
assert all(refused(lambda: Model.__new__(Model).__setstate__(state)) for state in states)
empty = Model.__new__(Model)
for ask in (empty.bytes, lambda: empty.predict(X), lambda: empty.scores(X), lambda: empty.probabilities(X), lambda: pickle.dumps(empty),
            lambda: empty.rows_of_centers(X), lambda: empty.document(""), lambda: empty.export_onnx("/dev/null/no", False),
            *(lambda name=name: getattr(empty, name) for name in dir(empty))):
    refused(ask)
for broken in (mutated(pickled) for _ in range(500)):
    refused(lambda: pickle.loads(broken).predict(X))
for state in ({"_model": 3, "classes_": y}, {"classes_": y}, {"_model": empty, "classes_": y, "n_features_in_": 4}, 5, None, b"x"):
    estimator = OneLSMClassifier()
    refused(lambda: estimator.__setstate__(state))
    assert refused(lambda: estimator.predict(X)), state
print("alive")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "alive\n", done.stderr[-2000:] + str(done.returncode)


def test_a_pickle_is_the_model_file(iris):
    fitted = OneLSMClassifier(**FIXED).fit(*iris)
    assert fitted._model.bytes() in pickle.dumps(fitted)


def test_a_pickle_keeps_labels_and_the_surface(iris):
    X, y = iris
    fitted = OneLSMClassifier().fit(X, np.array(["x", "y", "z"], dtype=object)[y])
    other = pickle.loads(pickle.dumps(fitted))
    assert other.predict(X).dtype == object
    assert_array_equal(other.cv_surface_["error"], fitted.cv_surface_["error"])
    assert other.cv_error_ == fitted.cv_error_


def test_other_ensembles_take_them(iris):
    X, y = iris
    votes = VotingClassifier([("a", OneLSMClassifier(**FIXED)), ("b", KernelSVC(**FIXED))], voting="soft").fit(X, y)
    assert votes.score(X, y) > 0.95
    assert CalibratedClassifierCV(OneLSMClassifier(**FIXED), cv=3).fit(X, y).score(X, y) > 0.9


def test_other_threads_run_while_a_fit_works():
    rng = np.random.RandomState(0)
    X = rng.randn(700, 10)
    y = rng.randint(0, 3, 700)
    done = threading.Event()
    ticks = []

    def tick():
        while not done.wait(0.002):
            ticks.append(None)

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    OneLSMClassifier(grid={"sigma": (-4, 4), "ridge": (-4, 4)}).fit(X, y)
    during = len(ticks) - before
    done.set()
    thread.join()
    assert during > 5
