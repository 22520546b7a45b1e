# SPDX-License-Identifier: Apache-2.0
"""What scikit-learn's users look for in a fitted estimator, and models for other programs."""
import ctypes
import subprocess

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.svm import SVC

import manyone
from manyone import CodingRegressionClassifier, KernelSVC, OneLSMClassifier
from manyone.estimators import ESTIMATORS

FIXED = {"sigma": 1.0, "ridge": 0.125}


def test_support_are_the_rows_of_the_centers(iris):
    X, y = iris
    for estimator in (KernelSVC(**FIXED), OneLSMClassifier(**FIXED), OneLSMClassifier(centers=30, **FIXED), KernelSVC("ww", kernel="linear", cost=1.0)):
        fitted = estimator.fit(X, y)
        offset, factor = fitted.scaling_
        assert len(set(fitted.support_)) == len(fitted.centers_)
        assert_array_equal((X[fitted.support_] - offset) * factor, fitted.centers_)
    rows = KernelSVC(scale="maxabs", **FIXED).fit(sparse.csr_matrix(X), y)
    assert_array_equal(rows.support_, KernelSVC(scale="maxabs", **FIXED).fit(X, y).support_)


def test_support_is_that_of_svc():
    X, y = load_digits(return_X_y=True)
    theirs = SVC(C=1.0, gamma=1 / 2048, tol=1e-6).fit(X[:500], y[:500])
    ours = KernelSVC(cost=1.0, sigma=32.0, scale="none", accuracy=1e-6).fit(X[:500], y[:500])
    assert_array_equal(np.sort(ours.support_), np.sort(theirs.support_))


def test_support_counts_rows_as_they_were_given(iris):
    X, y = iris[0][::4], iris[1][::4]  # few rows, which are put in an order of their own
    weights = np.where(np.arange(len(y)) % 5 == 0, 0.0, 1.0)
    fitted = OneLSMClassifier(**FIXED).fit(X, y, weights)
    assert_array_equal(np.sort(fitted.support_), np.flatnonzero(weights))
    offset, factor = fitted.scaling_
    assert_array_equal((X[fitted.support_] - offset) * factor, fitted.centers_)


def test_support_of_a_given_kernel_and_of_centres_that_are_no_rows(iris):
    X, y = iris
    given = KernelSVC(kernel="precomputed", cost=1.0).fit(X @ X.T, y)
    assert 0 < len(given.support_) < 150
    with pytest.raises(AttributeError, match="centres that are training rows"):
        CodingRegressionClassifier(centers=20, reduce="kmeans", **FIXED).fit(X, y).support_


@pytest.mark.parametrize("scale", ["range", "standard", "none"])
def test_coef_gives_the_outputs_from_rows_as_they_are(scale, iris):
    X, y = iris
    X = X * [1, 10, 100, 1000] + 5
    fitted = OneLSMClassifier(kernel="linear", ridge=0.1, scale=scale).fit(X, y)
    assert fitted.coef_.shape == (3, 4)
    assert_allclose(X @ fitted.coef_.T + fitted.intercept_, fitted.decision_function(X), rtol=1e-7, atol=1e-6)
    with pytest.raises(AttributeError, match="kernel='linear' only"):
        OneLSMClassifier(**FIXED).fit(X, y).coef_


def test_coef_is_that_of_svc(two_classes):
    X, y = two_classes
    theirs = SVC(kernel="linear", C=0.5, tol=1e-8).fit(X, y)
    ours = KernelSVC(kernel="linear", cost=0.5, scale="none", accuracy=1e-8).fit(X, y)
    assert_allclose(ours.coef_, theirs.coef_, rtol=1e-4)
    assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-4, atol=1e-6)
    by_row = dict(zip(ours.support_, ours.dual_coef_[:, 0]))
    assert_allclose([by_row[row] for row in theirs.support_], theirs.dual_coef_[0], rtol=1e-4, atol=1e-6)
    rows = OneLSMClassifier(kernel="linear", ridge=0.1, scale="maxabs").fit(sparse.csr_matrix(X), y)
    assert_allclose(rows.coef_, OneLSMClassifier(kernel="linear", ridge=0.1, scale="maxabs").fit(X, y).coef_)


MACHINES = [(machine, {}) for estimator in ESTIMATORS for machine in estimator.machines]


@pytest.mark.parametrize("machine, parameters", [*MACHINES, ("msvr", {"decode": "ssvm"}), ("msvr", {"decode": "argmax"}), ("msvr", {"priors": [1.0, 3.0]}),
                                                 ("svm-ecoc", {"decode": "hamming"}), ("sbc-ecoc", {"decode": "loss:linear"}), ("ls-ecoc", {"decode": "loss:exponential"}),
                                                 ("svm-ovo", {"decode": "votes:first"}), ("onelsm", {"label_kernel": "gaussian:1", "bias": True})])
def test_coef_of_two_classes_is_above_0_where_the_second_is_predicted(machine, parameters, iris):
    X, y = iris[0], np.where(iris[1] == 2, "yes", "no")
    fitted = manyone.estimator_for(machine).set_params(kernel="linear", cost=1.0, **parameters).fit(X, y)
    assert fitted.coef_.shape == (1, 4) and fitted.intercept_.shape == (1,) and fitted.dual_coef_.shape == (len(fitted.centers_), 1)
    outputs = (X @ fitted.coef_.T + fitted.intercept_)[:, 0]
    assert_array_equal(outputs > 0, fitted.predict(X) == "yes")
    assert_array_equal(outputs > 0, fitted.decision_function(X) > 0)


@pytest.mark.parametrize("decode", ["hamming", "loss:hinge", "loss:exponential"])
def test_outputs_that_no_line_decides_of_stay_apart(decode, iris):
    X, y = iris[0], iris[1] == 2
    fitted = manyone.estimator_for("sbc-ecoc").set_params(kernel="linear", cost=1.0, decode=decode).fit(X, y)
    assert fitted.coef_.shape == (fitted.dual_coef_.shape[1], 4) and len(fitted.coef_) > 1


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_logarithms_and_iterations(estimator, iris):
    fitted = estimator(**FIXED).fit(*iris)
    assert_allclose(np.exp(fitted.predict_log_proba(iris[0])), fitted.predict_proba(iris[0]))
    assert fitted.n_iter_ == 1


def test_iterations_are_models_that_were_scored(iris):
    fitted = OneLSMClassifier(grid={"sigma": (-1, 1), "ridge": (-4, -2)}).fit(*iris)
    assert fitted.n_iter_ == 9


def test_export_onnx_is_that_of_the_command_line(iris, tool, tmp_path):
    fitted = OneLSMClassifier(**FIXED).fit(*iris)
    fitted.save(tmp_path / "m.safetensors")
    fitted.export_onnx(tmp_path / "ours.onnx")
    fitted.export_onnx(tmp_path / "ours32.onnx", float32=True)
    tool("export", "m.safetensors", "--onnx", "theirs.onnx")
    assert (tmp_path / "ours.onnx").read_bytes() == (tmp_path / "theirs.onnx").read_bytes()
    assert (tmp_path / "ours32.onnx").stat().st_size < 0.7 * (tmp_path / "ours.onnx").stat().st_size


def test_an_exported_header_compiles_and_predicts(iris, tmp_path):
    X, y = iris
    fitted = KernelSVC(**FIXED).fit(X, y)
    fitted.export_cpp(tmp_path / "flowers.hpp", namespace="flowers")
    (tmp_path / "use.cpp").write_text('#include "flowers.hpp"\nextern "C" int predict(const double* x) { return flowers::predict(x); }\n')
    subprocess.run(["c++", "-std=c++17", "-shared", "-fPIC", "-o", "use.so", "use.cpp"], cwd=tmp_path, check=True)
    predict = ctypes.CDLL(str(tmp_path / "use.so")).predict
    found = [predict(row.ctypes.data_as(ctypes.c_void_p)) for row in np.ascontiguousarray(X)]
    assert_array_equal(fitted.classes_[found], fitted.predict(X))
    with pytest.raises(ValueError, match="namespace must be an identifier"):
        fitted.export_cpp(tmp_path / "flowers.hpp", namespace="a; int b")


def test_export_libsvm(iris, tmp_path):
    KernelSVC(decode="votes:first", **FIXED).fit(*iris).export_libsvm(tmp_path / "m.svm")
    assert (tmp_path / "m.svm").read_text().startswith("svm_type c_svc")
    with pytest.raises(ValueError, match="machine='svm-ovo' decode='votes:first', or use export_onnx"):
        OneLSMClassifier(**FIXED).fit(*iris).export_libsvm(tmp_path / "m.svm")


def test_numbers_in_the_place_of_names_of_books_kernels_and_priors(iris, tmp_path):
    X, y = iris
    np.savetxt(tmp_path / "book.csv", book := np.array([[1.0, 0, 0.5], [0, 1, 0], [0, 0, 1]]), delimiter=",")
    np.savetxt(tmp_path / "gram.csv", gram := np.array([[1, 0.2, 0], [0.2, 1, 0], [0, 0, 1]]), delimiter=",")
    np.savetxt(tmp_path / "priors.csv", priors := np.array([0.2, 0.5, 0.3]))
    np.savetxt(tmp_path / "code.csv", code := np.array([[1, 1, 0], [-1, 0, 1], [0, -1, -1]]), delimiter=",")
    for estimator, name, given in ((OneLSMClassifier, "labelbook", book), (OneLSMClassifier, "label_kernel", gram),
                                   (CodingRegressionClassifier, "priors", priors), (CodingRegressionClassifier, "labelbook", book),
                                   (manyone.CodedLSClassifier, "labelbook", code), (manyone.KernelSVC, "labelbook", code)):
        machine = {"machine": estimator.machines[-1] if estimator is manyone.CodedLSClassifier else "svm-ecoc"} if given is code else {}
        path = tmp_path / {"labelbook": "code.csv" if given is code else "book.csv", "label_kernel": "gram.csv", "priors": "priors.csv"}[name]
        by_file = estimator(**machine, **FIXED, **{name: str(path)}).fit(X, y).decision_function(X)
        plain = estimator(**machine, **FIXED).fit(X, y).decision_function(X)
        assert by_file.shape != plain.shape or not np.array_equal(by_file, plain)
        for value in (given, given.tolist()):
            fitted = estimator(**machine, **FIXED, **{name: value}).fit(X, y)
            assert_array_equal(fitted.decision_function(X), by_file)
        fitted.save(tmp_path / "m.safetensors")
        assert_array_equal(manyone.load(tmp_path / "m.safetensors").decision_function(X), by_file)
    tuned = OneLSMClassifier(label_kernel=gram).fit(X, y)
    assert tuned.cv_error_ == OneLSMClassifier(label_kernel=str(tmp_path / "gram.csv")).fit(X, y).cv_error_
    with pytest.raises(ValueError, match="not positive semidefinite"):
        OneLSMClassifier(label_kernel=-np.eye(3)).fit(X, y)
    with pytest.raises(ValueError, match="^priors: expected 3 numbers above 0"):
        CodingRegressionClassifier(priors=[1, 2]).fit(X, y)
