# SPDX-License-Identifier: Apache-2.0
"""Messages speak of parameters, not of options of the command line."""
import itertools
import re
import warnings

import numpy as np
import pytest
from scipy import sparse

import manyone
from manyone import CodedLSClassifier, CodingRegressionClassifier, KernelSVC, OneLSMClassifier, SingleBinaryClassifier, VectorOutputClassifier, _core
from manyone.estimators import ESTIMATORS

OPTION = re.compile(r"(?<![\w-])--[a-z]")

MISTAKES = [
    (OneLSMClassifier(kernel="precomputed", scale="range"), "leave scale out or use scale='none'"),
    (KernelSVC(cost=1.0, sigma=1.0, search="grid"), "leave search and grid out"),
    (CodingRegressionClassifier(decode="votes"), "decode votes does not go with msvr|decode='votes' does not go with msvr"),
    (CodingRegressionClassifier(priors="data", decode="argmax"), "priors goes with decode='flda'"),
    (CodingRegressionClassifier(reduce="pca", penalty="rkhs"), "leave penalty='rkhs' out"),
    (OneLSMClassifier(reduce="kmeans"), "reduce and penalty go with centers"),
    (CodingRegressionClassifier(centers=20, centers_from="rows"), "centers_from must be 'training' or 'all'|centers_from: expected"),
    (OneLSMClassifier(label_kernel="round"), "label_kernel must be linear"),
    (OneLSMClassifier(label_kernel="gaussian:-1"), "label_kernel='gaussian:S' needs a width"),
    (OneLSMClassifier(decode="dag"), "decode='dag' needs one output for each pair"),
    (OneLSMClassifier(accuracy=7.0), "accuracy must be a number"),
    (OneLSMClassifier(scale="none", scale_per_fold=True), "scale_per_fold needs rows that are scaled"),
    (OneLSMClassifier(folds="loo", stratify=True), "stratify needs random folds"),
    (OneLSMClassifier(memory="1k"), "memory"),
    (OneLSMClassifier(nested=True, folds=[(np.arange(75), np.arange(75, 150)), (np.arange(75, 150), np.arange(75))]), "nested needs at least three given folds"),
    (KernelSVC(labelbook="indicator"), "labelbook"),
    (CodedLSClassifier("ls-ecoc", labelbook="dense", decode="flda"), "decode"),
    (CodedLSClassifier(label_kernel="gaussian:1"), "label_kernel"),
    (VectorOutputClassifier("vo-svm", bias=True), "leave bias out"),
    (VectorOutputClassifier(centers="10", reduce="none"), "none"),
    (SingleBinaryClassifier("sbc-ls", mkl="simplex"), "mkl goes with sbc-kernel"),
    (SingleBinaryClassifier(centers="no.csv"), "centers must be a number"),
]


@pytest.mark.parametrize("estimator, says", MISTAKES)
def test_common_mistakes(estimator, says, iris):
    X = iris[0] @ iris[0].T if estimator.kernel == "precomputed" else iris[0]
    with pytest.raises((ValueError, MemoryError), match=says) as raised:
        estimator.fit(X, iris[1])
    assert not OPTION.search(str(raised.value)), raised.value


def test_no_pair_of_parameters_provokes_an_option(iris):
    values = {"kernel": ["linear", "polynomial"], "bias": [True], "decode": ["argmax", "votes", "loss", "flda", "ssvm:x"], "solver": ["cg"],
              "accuracy": [2.0], "centers": [1, "500%"], "reduce": ["kmeans", "pca"], "penalty": ["rkhs"], "labelbook": ["mincorr", "bch", "nothing"],
              "label_kernel": ["gaussian:1"], "length": [1, 1000], "priors": ["data", "no.csv"], "scale": ["none", "log"], "scale_per_fold": [True],
              "mkl": ["simplex"], "search": ["greedy"], "folds": ["loo"], "stratify": [True], "repeats": [3, 0], "nested": [True]}
    X, y = iris[0][::3], iris[1][::3]
    seen = set()
    for kind in ESTIMATORS:
        known = kind().get_params()
        single = [(name, value) for name in values if name in known for value in values[name]]
        for pair in [*((one,) for one in single), *itertools.combinations(single, 2)]:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    fitted = kind(**{"sigma": 1.0, "ridge": 0.5, **dict(pair)}).fit(X, y)
                seen.update(fitted.notes_)
            except (ValueError, MemoryError) as error:
                seen.add(str(error))
    assert len(seen) > 40
    assert not [message for message in seen if OPTION.search(message)]


def test_advice_is_of_python(iris):
    X, y = iris
    edge = OneLSMClassifier(grid={"sigma": (4, 6), "ridge": (2, 4)}).fit(X, y).notes_
    assert any("grid={'sigma': (low, high)} says where to look" in note for note in edge)
    with pytest.raises(ValueError, match="every value of column 4 is missing; use a selection of columns to leave it out"):
        OneLSMClassifier(missing="mean").fit(np.c_[X, np.full(150, np.nan)], y)
    inf = X.astype(object)
    inf[3, 1] = "inf"
    with pytest.raises(ValueError, match=r"'inf' in column 1 is not finite; if the value is missing, leave the cell empty \(NaN\)"):
        OneLSMClassifier(missing="mean").fit(inf, y)
    with pytest.raises(ValueError, match=r"such as \['onelsm', 'svm-ovo'\]"):
        manyone.compare(iris, ["onelsm"])


def test_what_looks_like_a_mark_stays_as_it_is(iris):
    with pytest.raises(ValueError, match="labelbook '`bias`' is neither"):
        OneLSMClassifier(labelbook="`bias`").fit(*iris)


def test_notes_and_other_errors(iris):
    rows = np.random.RandomState(1).normal(size=(3500, 3))
    heard = []
    fitted = OneLSMClassifier(callback=lambda event: heard.append(event.get("message", ""))).fit(rows, rows[:, 0] > 0)
    assert not [note for note in [*fitted.notes_, *heard] if OPTION.search(note)]
    with pytest.raises(ValueError, match="scale='maxabs'"):
        OneLSMClassifier(scale="range").fit(sparse.csr_matrix(iris[0]), iris[1])
    with pytest.raises(ValueError) as raised:
        manyone.compare(iris, ["onelsm"])
    assert not OPTION.search(str(raised.value))
    with pytest.raises(ValueError, match="features"):
        _core.Model.from_bytes(fitted._model.bytes()).predict(np.zeros((2, 9)))
