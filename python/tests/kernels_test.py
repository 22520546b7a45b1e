# SPDX-License-Identifier: Apache-2.0
"""Kernels by scikit-learn's names, and kernels that are functions."""
import pickle
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.gaussian_process.kernels import Matern
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC

from manyone import CodingRegressionClassifier, KernelSVC, OneLSMClassifier, compare
from manyone import _core
from manyone.estimators import ESTIMATORS

# Machines whose kernel matrix may be given.
TAKE_FUNCTIONS = [estimator for estimator in ESTIMATORS if estimator is not CodingRegressionClassifier]


def half(X, Z):
    """gamma 1/2: sigma 1."""
    return rbf_kernel(X, Z, gamma=0.5)


@pytest.mark.parametrize("name, ours", [("rbf", "gaussian"), ("poly", "polynomial")])
def test_names_of_scikit_learn(name, ours, iris):
    first, second = (OneLSMClassifier(kernel=kernel).fit(*iris) for kernel in (name, ours))
    assert first.kernel == name and clone(first).kernel == name
    assert_array_equal(first.decision_function(iris[0]), second.decision_function(iris[0]))


@pytest.mark.parametrize("estimator", TAKE_FUNCTIONS)
def test_a_function_is_the_kernel(estimator, iris):
    X, y = iris
    ours = estimator(kernel=half, ridge=0.125).fit(X[::2], y[::2])
    given = estimator(kernel="precomputed", ridge=0.125).fit(half(X[::2], X[::2]), y[::2])
    assert_allclose(ours.decision_function(X), given.decision_function(half(X, X[::2])), atol=1e-10)
    assert_array_equal(ours.centers_, X[::2])
    assert ours.n_features_in_ == 4 and not ours._more_tags()["pairwise"]
    assert estimator(kernel=half).fit(X, y).cv_error_ < 0.1


def test_a_function_as_svc_takes_it(iris):
    X, y = iris
    theirs = SVC(kernel=laplacian_kernel, C=1.0, break_ties=True).fit(X, y)
    ours = KernelSVC(kernel=laplacian_kernel, cost=1.0).fit(X, y)
    assert_array_equal(ours.predict(X), theirs.predict(X))
    assert_array_equal(np.sort(ours.support_), np.sort(theirs.support_))
    rows = KernelSVC(kernel=half, cost=1.0).fit(sparse.csr_matrix(X), y)
    assert_allclose(rows.decision_function(sparse.csr_matrix(X)), KernelSVC(kernel=half, cost=1.0).fit(X, y).decision_function(X))


def test_a_function_goes_into_a_pickle_and_not_into_a_file(iris, tmp_path):
    X, y = iris
    fitted = OneLSMClassifier(kernel=half, ridge=0.1).fit(X[:, :3], y)
    assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(X[:, :3]), fitted.predict(X[:, :3]))
    assert cross_val_score(fitted, X, y, cv=3).mean() > 0.9
    for write in (fitted.save, fitted.export_onnx, fitted.export_cpp, fitted.export_libsvm):
        with pytest.raises(ValueError, match="Python function.*pickle"):
            write(tmp_path / "model")
    with pytest.raises(ValueError, match="3 features|expecting 3"):
        fitted.predict(X)


@pytest.mark.parametrize("kernel, says", [(lambda X, Z: np.ones((2, 2)), r"kernel must give an array of shape \(150, 150\), found \(2, 2\)"),
                                          (lambda X, Z: [["wide"] * len(Z)] * len(X), r"kernel must give an array of numbers of shape \(150, 150\), found list"),
                                          (lambda X, Z: np.full((len(X), len(Z)), np.nan), "kernel must give finite numbers"),
                                          (lambda X, Z: np.arange(len(X) * len(Z)).reshape(len(X), len(Z)), "not symmetric")])
def test_functions_that_are_no_kernels(kernel, says, iris):
    with pytest.raises(ValueError, match=says):
        OneLSMClassifier(kernel=kernel).fit(*iris)
    with pytest.raises(ValueError, match="scale='none'"):
        OneLSMClassifier(kernel=half, scale="range").fit(*iris)
    with pytest.raises(ValueError, match="does not go with compare"):
        compare(iris, {"a": OneLSMClassifier(kernel=half), "b": OneLSMClassifier()})


def test_documented_kernels_are_those_there_are():
    line = next(line for line in KernelSVC.__doc__.splitlines() if line.startswith("kernel :"))
    assert re.findall(r'"(\w+)"', line.split("}")[0]) == list(_core.kernels())


@pytest.mark.parametrize("nu", [1.5, 2.5])
def test_matern_kernels_are_those_of_scikit_learn(nu, iris):
    X, y = iris
    theirs = Matern(length_scale=1.3, nu=nu)
    ours = OneLSMClassifier(kernel=f"matern{int(2 * nu)}2", sigma=1.3, ridge=0.5, scale="none").fit(X, y)
    by_hand = OneLSMClassifier(kernel=theirs, ridge=0.5).fit(X, y)
    assert_allclose(ours.decision_function(X), by_hand.decision_function(X), rtol=1e-9, atol=1e-12)
