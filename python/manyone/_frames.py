# SPDX-License-Identifier: Apache-2.0
"""Tables with categories, text and missing values, encoded by the library as the cells of a file are.

A data frame is read as the CSV file that it would be: a column of text, categories or truth values becomes a feature for
each of its values, None and NaN are missing.
"""
from __future__ import annotations

import numbers
import warnings
from typing import Any, Optional

import numpy as np
from scipy import sparse

from . import _core
from ._checks import ParameterError
from ._rows import check_array_with_gaps


FEW_ROWS = 10  # fewer count, or differ, by chance


def is_frame(X: Any) -> bool:
    return hasattr(X, "columns") and hasattr(X, "dtypes")


def needs_encoding(estimator: Any, X: Any) -> bool:
    """Whether columns are more than numbers that are all there."""
    if callable(estimator.kernel) or estimator.kernel == "precomputed":
        return False
    if estimator.missing != "error" or (estimator.nominal is not None and len(estimator.nominal) > 0):
        if sparse.issparse(X):
            raise ValueError("sparse rows hold numbers only; leave missing and nominal out")
        return True
    return is_frame(X) and (len(X.columns) == 0 or not all(getattr(kind, "kind", "O") in "iuf" for kind in X.dtypes))


def encode(X: Any, missing: str, nominal: Any, memory: Optional[str]) -> tuple[np.ndarray, Optional[np.ndarray], Any]:
    """Features, the rows that were kept (None: all), and the encoding."""
    names, columns = columns_of(X)
    features, kept, encoding = _core.encode(columns, names, _positions(X, names, nominal), missing, memory or "")
    return features, None if kept is None else np.asarray(kept), encoding


def encode_by(encoding: Any, X: Any) -> np.ndarray:
    """Features of rows that are predicted; values that training never saw, and rows that it would have dropped, are warned of."""
    names, columns = columns_of(X)
    features, unseen, filled = _core.encode_by(encoding, columns, names)
    if filled:
        warnings.warn(f"{filled} of {len(features)} rows have missing values, which missing='drop' leaves out of training; to give them a class, "
                      "the means of the training rows stand in", UserWarning, stacklevel=4)
    if unseen:
        told = "; ".join(f"{count} of {column}, such as {example!r}" for column, example, count in unseen)
        warnings.warn(f"values that training never saw are encoded as none of the known ones: {told}", UserWarning, stacklevel=4)
    return features


def columns_of(X: Any) -> tuple[Optional[list[str]], list[Any]]:
    """Names, where all are text, and the columns as the core takes them."""
    if not is_frame(X):
        rows = check_array_with_gaps(X)
        return None, [_cells(rows[:, k], f"column {k}") for k in range(rows.shape[1])]
    labels = list(X.columns)
    if not labels:
        raise ValueError("Found a data frame with 0 feature(s), expected a column at least")
    if len(set(labels)) < len(labels):
        raise ValueError("names of columns must differ, found one twice")
    names = labels if all(isinstance(label, str) for label in labels) else None
    return names, [_cells(X[label], f"column {label!r}") for label in labels]


def is_gap(value: Any) -> bool:
    """None, NaN, or what pandas has in their place."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, numbers.Real) and value != value)


def _is_category(kind: Any) -> bool:
    return str(kind).lower().startswith(("category", "categorical", "enum"))


def warn_of_identifiers(X: Any) -> None:
    """Columns that number or name the rows tell nothing of new rows, and may tell the classes of these."""
    if not is_frame(X) or len(X) < FEW_ROWS:
        return
    for label in X.columns:
        values = np.asarray(X[label])
        if values.dtype.kind in "iu" and (values[0] == 0 or values[0] == 1) and np.array_equal(values, np.arange(len(values)) + values[0]):
            what = "counts the rows"
        elif values.dtype.kind in "OUT" and all(isinstance(value, str) for value in values) and len(set(values)) == len(values):
            what = "has words of its own in every row"
        else:
            continue
        warnings.warn(f"column {label!r} {what} and is used as a feature; drop it if new rows will not be known by it", UserWarning, stacklevel=4)


def _cells(column: Any, label: str) -> Any:
    """Numbers, or text with "" for what is missing."""
    values = np.asarray(column)
    if _is_category(getattr(column, "dtype", None)) and values.dtype.kind not in "iuf":
        return ["" if is_gap(value) else str(value) for value in values.tolist()]
    if values.dtype.kind in "iuf":
        return np.ascontiguousarray(values, np.float64)
    if values.dtype.kind not in "bOUT":
        raise ParameterError(f"{label} holds {values.dtype}; expected numbers, text or categories: make numbers of it")
    return [_text(value, label) for value in values.tolist()]


def _text(value: Any, label: str) -> str:
    if isinstance(value, str):
        return value
    if is_gap(value):
        return ""
    if isinstance(value, (bool, np.bool_)) or isinstance(value, numbers.Integral):
        return str(value)
    if isinstance(value, numbers.Real):
        return repr(float(value))
    # In scikit-learn's words for an object that is neither.
    raise TypeError(f"{label} holds {type(value).__name__}: argument must be a string or a real number; make numbers of it (such as "
                    "astype(float), or the year of a date) or categories (astype(str))")


def _positions(X: Any, names: Optional[list[str]], nominal: Any) -> list[int]:
    """Of columns that hold categories whatever they look like: those that are asked for, and those of pandas' own kind."""
    kinds = list(X.dtypes) if is_frame(X) else []
    out = {k for k, kind in enumerate(kinds) if _is_category(kind)}
    count = len(kinds) if is_frame(X) else np.shape(X)[1]
    for one in nominal if nominal is not None else ():
        if isinstance(one, str):
            if names is None or one not in names:
                raise ValueError(f"nominal: no column is called {one!r}; columns are {'numbered from 0' if names is None else ', '.join(names)}")
            out.add(names.index(one))
        elif not 0 <= one < count:
            raise ValueError(f"nominal: columns are 0 to {count - 1}, found {one}")
        else:
            out.add(int(one))
    return sorted(out)
