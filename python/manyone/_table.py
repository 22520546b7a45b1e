# SPDX-License-Identifier: Apache-2.0
"""From what a user passes to ``fit`` to the table that is trained on: checked rows, classes, weights, folds."""
from __future__ import annotations

import numbers
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets

from ._rows import CHECKS, canonical_order, validate_data
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
    folds: Any  # as the user gave it, or a number for each row
    unit: float = 1.0  # by which the weights were divided


def training_table(estimator: Any, X: Any, y: Any, sample_weight: Any) -> TrainingTable:
    """Checks everything with scikit-learn's functions; sets ``n_features_in_`` and ``feature_names_in_``."""
    X, y = validate_data(estimator, X, y, **CHECKS)
    check_classification_targets(y)
    weights = checked(sample_weight, X)
    folds = fold_numbers(estimator.folds, X.shape[0])
    given_kernel = estimator.kernel == "precomputed"
    if weights is not None and np.any(weights == 0):
        if given_kernel:
            raise ValueError("rows of weight 0 cannot be left out of a precomputed kernel; leave them out of the matrix")
        kept = np.flatnonzero(weights)
        X, y, weights, folds = X[kept], y[kept], weights[kept], of_rows(folds, kept)
    classes, labels = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"{type(estimator).__name__} needs two classes at least, found only one class: {classes[0]!r}")
    if X.shape[0] < SMALL and not sparse.issparse(X) and not given_kernel:
        order = canonical_order(X, labels, weights)
        X, labels, weights, folds = X[order], labels[order], of_rows(weights, order), of_rows(folds, order)
    weights, unit = scaled_weights(estimator, combined(weights, estimator.class_weight, classes, labels))
    return TrainingTable(X, labels, classes, weights, folds, unit)


def of_rows(values: Any, rows: np.ndarray) -> Any:
    return values[rows] if isinstance(values, np.ndarray) else values


def fold_numbers(folds: Any, rows: int) -> Any:
    """Numbers for the folds of rows, where the user gave a fold for each."""
    if folds is None or isinstance(folds, (str, numbers.Number)):
        return folds
    out = np.unique(np.asarray(folds), return_inverse=True)[1]
    if len(out) != rows:
        raise ValueError(f"folds must have an entry for each of the {rows} rows, found {len(out)}")
    return out


def scaled_weights(estimator: Any, weights: Any) -> tuple[Any, float]:
    """Weights for the core, and what they were divided by.

    Ridges grow with the weights. A search that is left to itself looks where weights of 1 on average have their ridges,
    so it is given such weights; ridges and ranges that the user gives are for the weights as they are.
    """
    if not isinstance(weights, np.ndarray) or estimator.grid is not None or estimator.ridge != "auto" or estimator.cost != "auto":
        return weights, 1.0
    unit = float(weights.mean())
    return weights / unit, unit
