# SPDX-License-Identifier: Apache-2.0
"""Mistakes are the exceptions that scikit-learn users expect, with a message that says what to do."""
import re
import struct

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV

import manyone
from manyone import CodingRegressionClassifier, KernelSVC, OneLSMClassifier, VectorOutputClassifier
from manyone.estimators import ESTIMATORS

FIXED = {"sigma": 1.0, "ridge": 0.125}


@pytest.fixture
def fitted(iris):
    return OneLSMClassifier(**FIXED).fit(*iris)


def refused(X, y, says, estimator=None, error=ValueError, **options):
    with pytest.raises(error, match=says):
        (estimator or OneLSMClassifier(**FIXED)).fit(X, y, **options)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none(value, iris, fitted):
    X = iris[0].copy()
    X[7, 2] = value
    refused(X, iris[1], "NaN|infinity")
    refused(sparse.csr_matrix(X), iris[1], "NaN|infinity")
    with pytest.raises(ValueError, match="NaN|infinity"):
        fitted.predict(X)


@pytest.mark.parametrize("estimator, table, says", [
    (OneLSMClassifier(**FIXED), np.asarray, "was fitted to rows without missing values; .*missing='mean' or missing='indicator'"),
    (OneLSMClassifier(**FIXED), sparse.csr_matrix, "with sparse rows .* fill them in"),
    (OneLSMClassifier(kernel=lambda X, Z: X @ Z.T, ridge=1.0), np.asarray, "with a kernel that is a function .* fill them in"),
])
def test_missing_values_at_predict_are_answered_with_our_parameters(estimator, table, says, iris):
    X = iris[0].copy()
    estimator.fit(table(X), iris[1])
    X[7, 2] = np.nan
    with pytest.raises(ValueError, match="^Input X contains NaN: .*" + says) as raised:
        estimator.predict(table(X))
    assert "HistGradientBoosting" not in str(raised.value)


def test_types_that_are_no_numbers(iris):
    y = iris[1]
    refused(np.array([["a", "b"]] * 150), y, "could not convert|dtype")
    wide = iris[0].astype(object)
    wide[3, 1] = "wide"
    refused(wide, y, r"'wide' \(row 3, column 1 of X\): expected numbers; give a data frame, or nominal=\[...\]")
    refused(wide, y, "make numbers of words", OneLSMClassifier(kernel=lambda X, Z: X @ Z.T, ridge=1.0))
    with pytest.raises(ValueError, match="row 3, column 1 of X.*was fitted to numbers"):
        OneLSMClassifier(**FIXED).fit(*iris).predict(wide)
    refused(np.array([[{}, 1]] * 150, dtype=object), y, "argument must be a string or a real number", error=TypeError)
    refused(iris[0] + 1j, y, "Complex data not supported")
    assert OneLSMClassifier(**FIXED).fit(iris[0].astype(object), y).score(*iris) > 0.9  # numbers in objects are numbers


def test_wrong_shapes(iris, fitted):
    X, y = iris
    refused(X[:, 0], y, "Expected 2D array, got 1D")
    refused(X[None], y, "Found array with dim 3")
    refused(X[:10], y, "inconsistent numbers of samples")
    refused(X[:0], y[:0], "0 sample")
    refused(X[:, :0], y, "0 feature")
    for wrong, says in ((X[:, :3], "3 features.*expecting 4"), (X[0], "Reshape your data")):
        with pytest.raises(ValueError, match=says):
            fitted.predict(wrong)


def test_a_single_class(iris):
    for estimator in ESTIMATORS:
        refused(iris[0][:50], iris[1][:50], "two classes at least.*one class", estimator())
    refused(iris[0], iris[1], "one class", sample_weight=(iris[1] == 1).astype(float))


def test_labels_that_are_none(iris):
    refused(iris[0], np.linspace(0, 1, 150), "Unknown label type")
    refused(iris[0], np.where(iris[1] == 0, np.nan, iris[1]), "NaN")
    refused(iris[0], None, "requires y")


def test_names_of_features_that_differ(iris):
    frame = pd.DataFrame(iris[0], columns=list("abcd"))
    estimator = OneLSMClassifier(**FIXED).fit(frame, iris[1])
    with pytest.raises(ValueError, match="feature names should match"):
        estimator.predict(frame.rename(columns={"a": "z"}))
    with pytest.warns(UserWarning, match="valid feature names"):
        estimator.predict(iris[0])


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_an_estimator_that_is_not_fitted(estimator, iris, tmp_path):
    for ask in (lambda e: e.predict(iris[0]), lambda e: e.predict_proba(iris[0]), lambda e: e.decision_function(iris[0]),
                lambda e: e.save(tmp_path / "m"), lambda e: e.centers_, lambda e: manyone.report(e, tmp_path / "page.html")):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            ask(estimator())


def test_huge_numbers_are_numbers(iris):
    X, y = iris
    huge = (X / X.max() * np.finfo(np.float32).max).astype(np.float32)
    assert OneLSMClassifier(**FIXED).fit(huge, y).score(huge, y) > 0.9
    largest = X / X.max() * np.finfo(np.float64).max  # their sum is not finite, and they are
    assert OneLSMClassifier(**FIXED).fit(largest, y).score(largest, y) > 0.9
    with np.errstate(over="ignore"):
        refused((huge.astype(np.float64) * 10).astype(np.float32), y, "infinity")


@pytest.mark.parametrize("parameters, says", [
    ({"sigma": -1.0}, "sigma must be a number above 0 or 'auto', found -1.0"),
    ({"sigma": "wide"}, "sigma must be a number above 0 or 'auto', found 'wide'"),
    ({"ridge": 0}, "ridge must be a number above 0"),
    ({"ridge": 1.0, "cost": 1.0}, "cost is 1/ridge; give one of them"),
    ({"kernel": "sigmoid"}, "kernel 'sigmoid' is not known"),
    ({"kernel": 5}, "kernel must be the name of a kernel or a function of two tables, found 5"),
    ({"folds": 0}, "folds must be 2 or more, found 0"),
    ({"folds": 1}, "folds must be 2 or more"),
    ({"folds": True}, "folds must be a number, 'loo'"),
    ({"folds": 2.5}, "folds must be a number, 'loo'"),
    ({"folds": np.zeros(150)}, "folds must be two at least, found the same for every row"),
    ({"memory": 5}, "memory must be a size such as '8G' or '500M', or None, found 5"),
    ({"n_jobs": "a"}, "n_jobs must be a whole number other than 0, or None, found 'a'"),
    ({"n_jobs": 1.5}, "n_jobs must be a whole number"),
    ({"nested": "yes"}, "nested must be True or False, found 'yes'"),
    ({"verbose": "yes"}, "verbose must be a whole number, found 'yes'"),
    ({"random_state": "one"}, "random_state must be a whole number, a RandomState or None, found 'one'"),
    ({"missing": "median"}, "missing must be one of 'error', 'drop', 'mean' and 'indicator', found 'median'"),
    ({"nominal": "colour"}, "nominal must be a list with names or positions of columns, or None, found 'colour'"),
    ({"labelbook": [[1.0, 2.0], [3.0]]}, "labelbook must be text or an array of numbers with two dimensions"),
    ({"label_kernel": [1.0, 2.0]}, "label_kernel must be text or an array of numbers with two dimensions, found an array of shape (2,)"),
    ({"labelbook": np.eye(4)}, "labelbook: expected one codeword for each of the 3 classes, found 4 rows"),
    ({"labelbook": [[0, 1], [1, 0], [0, 1]]}, "labelbook: codewords 0 and 2 are equal"),
    ({"label_kernel": np.eye(4)}, "label_kernel: expected a 3 x 3 matrix"),
    ({"label_kernel": -np.eye(3)}, "label_kernel: the label Gram matrix is not positive semidefinite"),
    ({"folds": 1000}, "folds=1000 needs as many rows, found 150"),
    ({"folds": "many"}, "folds must be a number, 'loo'"),
    ({"folds": [1, 2, 3]}, "folds must have an entry for each of the 150 rows, found 3"),
    ({"repeats": 1.5}, "repeats must be an integer, found 1.5"),
    ({"bias": "yes"}, "bias must be True or False, found 'yes'"),
    ({"grid": {"width": (0, 1)}}, "grid has axes sigma and ridge"),
    ({"grid": {"sigma": (0,)}}, "low, high"),
    ({"search": "random"}, "search must be 'auto', 'grid', 'halving', 'design' or 'greedy', found 'random'"),
    ({"sigma": 1.0, "ridge": 1.0, "search": "grid"}, "nothing to search"),
    ({"class_weight": "heavy"}, "class_weight must be a dict, 'balanced' or None"),
    ({"class_weight": {0: -1.0}}, "class_weight must be above 0"),
    ({"random_state": -1}, "random_state must be 0 or more"),
    ({"centers": 2.5}, "centers must be a number of rows"),
    ({"memory": "much"}, "memory must be a size such as '8G'"),
    ({"n_jobs": 0}, "n_jobs must not be 0"),
    ({"n_jobs": 10**5}, "n_jobs must be 4096 at most, found 100000"),
    ({"callback": 3}, "callback must be a function"),
    ({"labelbook": "dictionary"}, "dictionary"),
    ({"scale": "log"}, "scaling 'log' is not known"),
])
def test_parameters_that_cannot_be_used(parameters, says, iris):
    with pytest.raises(ValueError, match=re.escape(says) if "*" not in says else says):
        OneLSMClassifier(**parameters).fit(*iris)


@pytest.mark.parametrize("parameters", [{"memory": 5}, {"n_jobs": "a"}, {"folds": 0}, {"kernel": 5}, {"callback": 3}])
def test_a_value_of_the_wrong_type_is_a_type_error_too(parameters, iris):
    with pytest.raises(TypeError, match=next(iter(parameters))):
        OneLSMClassifier(**parameters).fit(*iris)


@pytest.mark.parametrize("name, says", [("gamma", "gamma = 1 / (2 * sigma**2)"), ("C", "use cost, which is C"), ("coef0", "use offset"),
                                        ("tol", "use accuracy"), ("probability", "predict_proba is always there"), ("cv", "use folds")])
def test_names_of_other_packages_are_answered(name, says):
    with pytest.raises(TypeError, match=re.escape(says)):
        KernelSVC(**{name: 1.0})
    with pytest.raises(ValueError, match=re.escape(says)):
        KernelSVC().set_params(**{name: 1.0})
    with pytest.raises(TypeError, match="unexpected keyword argument 'gama'"):
        KernelSVC(gama=1.0)


def test_parameters_of_another_kernel_are_ignored_with_a_warning(iris):
    plain = OneLSMClassifier(kernel="linear", ridge=0.1).fit(*iris)
    with pytest.warns(UserWarning, match="kernel='linear' has no sigma: sigma=2.0 is ignored"):
        ignored = OneLSMClassifier(kernel="linear", ridge=0.1, sigma=2.0).fit(*iris)
    assert np.array_equal(plain.decision_function(iris[0]), ignored.decision_function(iris[0]))
    with pytest.warns(UserWarning, match="has no degree"):
        OneLSMClassifier(**FIXED, degree=2).fit(*iris)
    with pytest.warns(UserWarning, match="the axis sigma of grid is ignored"):
        surface = OneLSMClassifier(kernel="linear", grid={"sigma": (0, 2), "ridge": (-2, 2)}).fit(*iris).cv_surface_
    assert len(surface["error"]) == 5 and "sigma" not in surface


def test_a_grid_over_kernels_takes_the_parameters_of_all_of_them(iris):
    with pytest.warns(UserWarning, match="is ignored"):
        search = GridSearchCV(KernelSVC(cost=1.0), {"kernel": ["linear", "rbf", "poly"], "sigma": [0.5, 1.0], "degree": [2]}, cv=3).fit(*iris)
    assert np.all(search.cv_results_["mean_test_score"] > 0.9)


def test_choices_that_do_not_go_together_name_the_parameters(iris):
    refused(*iris, "leave bias out", KernelSVC(bias=True))
    refused(*iris, "labelbook", VectorOutputClassifier(bias=True))
    refused(*iris, "machine must be one of svm-ovo, .* found 'onelsm'", KernelSVC("onelsm"))
    refused(*iris, "precomputed kernel has none", CodingRegressionClassifier(kernel="precomputed"))
    refused(sparse.csr_matrix(iris[0]), iris[1], "scale='maxabs' or none", OneLSMClassifier(scale="range"))


def test_priors_that_are_none(iris):
    for priors in ([5, 3, -2], [0, 1, 1], [1, np.nan, 1]):
        refused(*iris, "priors must be numbers above 0, one for each class in the order of classes_", CodingRegressionClassifier(priors=priors, **FIXED))


def test_rows_are_counted_from_0(iris):
    K = iris[0] @ iris[0].T
    K[3, 4] += 1
    refused(K, iris[1], r"entry \(4, 3\) is .* but \(3, 4\)", OneLSMClassifier(kernel="precomputed", ridge=1.0))
    far = np.where(np.arange(150)[:, None] == 3, 1e200, iris[0])
    refused(far, iris[1], "row 3 of X has a squared length", OneLSMClassifier(kernel="linear", ridge=1.0, scale="none"), RuntimeError)
    words = iris[0].astype(object)
    words[3, 1] = "wide"
    filled = OneLSMClassifier(missing="mean", **FIXED)
    refused(words, iris[1], r"'wide' in column 1; use nominal=\[1\]", filled)
    with pytest.raises(ValueError, match="'wide' in row 3 of X, column 1"):
        filled.fit(*iris).predict(words)
    refused(pd.DataFrame({"a": iris[0][:, 0], "b": ["x"] * 3 + [None] * 147}), iris[1], "row 3 of X, column 'b'")


def test_weights_that_cannot_be_used(iris):
    refused(*iris, "Negative values", sample_weight=np.full(150, -1.0))
    refused(*iris, "leaves no row", sample_weight=np.zeros(150))
    refused(*iris, "sample_weight.shape", sample_weight=np.ones(3))


def test_a_kernel_matrix_must_be_one(iris):
    estimator = OneLSMClassifier(kernel="precomputed", ridge=1.0)
    refused(*iris, "square", estimator)
    K = iris[0] @ iris[0].T
    K[3, 4] += 1
    refused(K, iris[1], "not symmetric", estimator)


def test_too_little_memory_is_said_before_it_is_needed(iris):
    with pytest.raises(MemoryError, match="may be used"):
        OneLSMClassifier(**FIXED, memory="10k").fit(*iris)


def test_files_that_are_no_models(iris, tmp_path):
    path = tmp_path / "m.safetensors"
    with pytest.raises(FileNotFoundError):
        manyone.load(path)
    path.write_bytes(b"no model")
    with pytest.raises(ValueError, match="m.safetensors"):
        manyone.load(path)
    OneLSMClassifier(**FIXED).fit(*iris).save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-8])
    with pytest.raises(ValueError, match="m.safetensors"):
        OneLSMClassifier.load(path)
    fitted = OneLSMClassifier(**FIXED).fit(*iris)
    for write in (fitted.save, fitted.export_onnx, fitted.export_cpp, fitted.export_libsvm):
        with pytest.raises(FileNotFoundError, match="no"):
            write(tmp_path / "no" / "model")


def test_a_model_from_a_newer_version(iris, tmp_path):
    path = tmp_path / "m.safetensors"
    OneLSMClassifier(**FIXED).fit(*iris).save(path)
    whole = path.read_bytes()
    size, = struct.unpack("<Q", whole[:8])
    header = whole[8:8 + size]
    newer = re.sub(rb'"version":"\d+"', b'"version":"9"', header)
    assert newer != header and len(newer) == len(header)
    path.write_bytes(whole[:8] + newer + whole[8 + size:])
    with pytest.raises(ValueError, match="format version 9.*newer"):
        manyone.load(path)


def test_rows_whose_scores_overflow_are_named(iris):
    X, y = iris
    classifier = OneLSMClassifier(kernel="polynomial", degree=10, ridge=0.125).fit(X, y)
    far = np.array(X[:4])
    far[[1, 3]] = 1e150
    for predict in (classifier.predict, classifier.predict_proba, classifier.decision_function):
        with pytest.raises(ValueError, match="rows 1, 3 of X are not finite"):
            predict(far)
        assert len(predict(far[[0, 2]])) == 2
