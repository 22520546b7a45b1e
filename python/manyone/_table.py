# SPDX-License-Identifier: Apache-2.0
"""From what a user passes to ``fit`` to the table that is trained on: checked rows, classes, weights, folds."""
from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Iterator, Optional

import numpy as np
from scipy import sparse
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from . import _folds
from ._frames import encode, needs_encoding, warn_of_identifiers
from ._rows import CHECKS, canonical_order, check_columns, validate_data
from ._weights import checked, combined

# Tables with fewer rows are put in an order of their own: with so few, the folds that a row falls into would decide
# which parameters are chosen, and the order of rows should not.
SMALL = 50


@dataclass
class TrainingTable:
    """Rows that are trained on."""

    X: Any
    labels: np.ndarray  # numbers of classes
    classes: np.ndarray
    weights: Any  # None, "balanced" or a number for each row
    folds: Any  # a number, "loo", None, or a number for each row
    rows: np.ndarray  # of the table that was given
    encoding: Any = None  # how columns became features, if they had to
    unit: float = 1.0  # by which the weights were divided


def training_table(estimator: Any, X: Any, y: Any, sample_weight: Any, groups: Any) -> TrainingTable:
    """Checks everything with scikit-learn's functions; sets ``n_features_in_`` and ``feature_names_in_``."""
    given = X
    X, y, kept, encoding = checked_rows(estimator, X, y)
    warn_of_identifiers(given)
    weights = checked(sample_weight, given if encoding is not None else X)
    folds = _folds.fold_numbers(estimator.folds, estimator.stratify, given, y, groups)
    given_kernel = estimator.kernel == "precomputed"
    rows = np.arange(len(y)) if kept is None else kept
    if weights is not None and np.any(weights[rows] == 0):
        if given_kernel:
            raise ValueError("rows of weight 0 cannot be left out of a precomputed kernel; leave them out of the matrix")
        some = np.flatnonzero(weights[rows])
        X, rows = X[some], rows[some]
    classes, labels = np.unique(y[rows], return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"{type(estimator).__name__} needs two classes at least, found only one class: {classes[0]!r}")
    if len(rows) < SMALL and not sparse.issparse(X) and not given_kernel:
        order = canonical_order(X, labels, None if weights is None else weights[rows])
        X, labels, rows = X[order], labels[order], rows[order]
    weights = None if weights is None else weights[rows]
    weights, unit = scaled_weights(estimator, combined(weights, estimator.class_weight, classes, labels))
    return TrainingTable(X, labels, classes, weights, _folds.of_rows(folds, rows), rows, encoding, unit)


def checked_rows(estimator: Any, X: Any, y: Any) -> tuple[Any, np.ndarray, Optional[np.ndarray], Any]:
    """Numbers, the labels of all rows that were given, the rows that the numbers are of (None: all), the encoding."""
    if needs_encoding(estimator, X):
        y = checked_labels(estimator, X, y)
        check_classification_targets(y)
        check_columns(estimator, X, reset=True)
        X, kept, encoding = encode(X, estimator.missing, estimator.nominal, estimator.memory)
        return X, y, kept, encoding
    X, y = checked_numbers(estimator, X, y)
    check_classification_targets(y)
    return X, y, None, None


def checked_labels(estimator: Any, X: Any, y: Any) -> np.ndarray:
    """Labels of a table whose rows are not numbers yet."""
    if y is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None")
    check_consistent_length(X, y)
    return column_or_1d(check_array(y, ensure_2d=False, dtype=None, input_name="y"), warn=True)


def checked_numbers(estimator: Any, X: Any, y: Any) -> tuple[Any, np.ndarray]:
    """Rows and labels by scikit-learn's checks."""
    with explained(estimator, X):
        return validate_data(estimator, X, y, **CHECKS)


@contextmanager
def explained(estimator: Any, X: Any, fitted: bool = False) -> Iterator[None]:
    """What scikit-learn's checks say of missing values and of words, with our advice, where theirs is another package."""
    of_rows = not callable(estimator.kernel) and estimator.kernel != "precomputed"
    name = type(estimator).__name__
    try:
        yield
    except ValueError as error:
        text = str(error)
        if text.startswith("Input X contains NaN"):
            if not of_rows or sparse.issparse(X):
                what = "sparse rows" if of_rows else "kernel='precomputed'" if estimator.kernel == "precomputed" else "a kernel that is a function"
                advice = f"with {what} {name} takes no missing values; fill them in"
            elif fitted:
                advice = f"this {name} was fitted to rows without missing values; fill them in, or fit it with missing='mean' or missing='indicator'"
            else:
                advice = (f"{name} takes missing values with missing='mean', missing='indicator' (and a feature that says so) or missing='drop' (the row)")
            raise ValueError(f"Input X contains NaN: {advice}") from None
        if text.startswith("could not convert string to float"):
            advice = ("give a data frame, or nominal=[...] with the columns that hold categories" if of_rows and not fitted else
                      f"this {name} was fitted to numbers" if of_rows else "make numbers of words for such a kernel, such as with OneHotEncoder")
            raise ValueError(f"{text} ({_place_of_word(X)}): expected numbers; {advice}") from None
        raise


def _place_of_word(X: Any) -> str:
    rows = np.asarray(X, dtype=object)
    for place in np.ndindex(rows.shape):
        try:
            float(rows[place])
        except (TypeError, ValueError):
            break
    return ", ".join(f"{what} {k}" for what, k in zip(("row", "column"), place)) + " of X"


def scaled_weights(estimator: Any, weights: Any) -> tuple[Any, float]:
    """Weights for the core, and what they were divided by.

    Ridges grow with the weights. A search that is left to itself looks where weights of 1 on average have their ridges,
    so it is given such weights; ridges and ranges that the user gives are for the weights as they are.
    """
    if not isinstance(weights, np.ndarray) or estimator.grid is not None or estimator.ridge != "auto" or estimator.cost != "auto":
        return weights, 1.0
    unit = float(weights.mean())
    return weights / unit, unit
