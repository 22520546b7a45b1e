# SPDX-License-Identifier: Apache-2.0
"""Rows on their way to the compiled core.

scikit-learn checks what users pass. A C-ordered float64 array goes on as it is, without a copy; every other array is
copied once. Sparse rows are handed over as the three arrays of compressed rows.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from sklearn.utils import check_array

try:  # scikit-learn 1.6 and later
    from sklearn.utils.validation import validate_data

    FINITE = "ensure_all_finite"

    def check_columns(estimator: Any, X: Any, reset: bool) -> None:
        """Names and number of the columns alone."""
        validate_data(estimator, X=X, reset=reset, skip_check_array=True)

except ImportError:
    FINITE = "force_all_finite"

    def validate_data(estimator: Any, X: Any = "no_validation", y: Any = "no_validation", **options: Any) -> Any:
        return estimator._validate_data(X, y, **options)

    def check_columns(estimator: Any, X: Any, reset: bool) -> None:
        """Names and number of the columns alone."""
        estimator._check_feature_names(X, reset=reset)
        estimator._check_n_features(X, reset=reset)


CHECKS = {"accept_sparse": "csr", "accept_large_sparse": False, "dtype": np.float64, "order": "C"}


def check_array_with_gaps(X: Any) -> np.ndarray:
    """Rows of numbers or objects, of which some may be missing."""
    return check_array(X, dtype=None, **{FINITE: "allow-nan" if np.asarray(X).dtype.kind == "f" else False})


def in_order(X: Any, features: int) -> bool:
    """Whether scikit-learn's checks would find nothing: a few microseconds, where they take hundreds."""
    if not (type(X) is np.ndarray and X.dtype == np.float64 and X.ndim == 2 and X.flags.c_contiguous and X.shape[0] > 0
            and X.shape[1] == features):
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(X.sum()))


def for_core(X: Any) -> Any:
    """What the compiled core takes for checked rows."""
    if not sparse.issparse(X):
        # A column or a single row may be both C- and Fortran-ordered with strides of its own.
        return np.ascontiguousarray(X)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return (np.asarray(X.indptr, np.int32), np.asarray(X.indices, np.int32), np.ascontiguousarray(X.data), X.shape[1])


def from_core(rows: Any) -> Any:
    """An array, or a sparse matrix where the core gave compressed rows."""
    if not isinstance(rows, tuple):
        return rows
    starts, columns, values, features = rows
    return sparse.csr_matrix((values, columns, starts), shape=(len(starts) - 1, features))


def canonical_order(X: np.ndarray, labels: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """An order of the rows that depends on what they are, not on where they stand."""
    keys = [*X.T[::-1], labels]
    if weights is not None:
        keys.insert(0, weights)
    return np.lexsort(keys)
