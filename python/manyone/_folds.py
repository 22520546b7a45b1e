# SPDX-License-Identifier: Apache-2.0
"""Folds of the cross-validation: a number, "loo", a splitter of scikit-learn, splits, or by groups of rows."""
from __future__ import annotations

import numbers
import warnings
from typing import Any, Iterable

import numpy as np
from sklearn.model_selection import GroupKFold, LeaveOneGroupOut, StratifiedGroupKFold
from sklearn.utils.validation import check_consistent_length

from ._checks import ParameterError
from ._frames import is_gap

EXPECTED = "a number, 'loo', a splitter such as sklearn.model_selection.GroupKFold(5), or a list of (train, test) pairs"


def fold_numbers(folds: Any, stratify: bool, X: Any, y: np.ndarray, groups: Any) -> Any:
    """What the core takes: None, a number, "loo", or the number of a fold for each row."""
    if groups is not None:
        groups = checked_groups(groups, y)
        folds = _group_splitter(folds, stratify, len(np.unique(groups)))
    elif folds is None or (isinstance(folds, str) and folds == "loo"):
        return folds
    elif isinstance(folds, numbers.Integral) and not isinstance(folds, bool):
        return _number(folds)
    if hasattr(folds, "split") and not isinstance(folds, str):
        return _of_splits(folds.split(X, y, groups), len(y))
    if isinstance(folds, (str, numbers.Number)) or not isinstance(folds, Iterable):
        raise ParameterError(f"folds must be {EXPECTED}, found {folds!r}")
    given = folds if isinstance(folds, np.ndarray) else list(folds)
    if len(given) > 0 and (isinstance(given[0], str) or not hasattr(given[0], "__len__")):
        return _of_rows(given, len(y))
    return _of_splits(given, len(y))


def checked_groups(groups: Any, y: np.ndarray) -> np.ndarray:
    """A group for each row; values that can be sorted, as splitters do."""
    out = np.asarray(groups)
    if out.ndim == 2 and out.shape[1] == 1:
        out = out[:, 0]
    if out.ndim != 1:
        raise ParameterError(f"groups must be a value for each row, found {f'an array of shape {out.shape}' if out.ndim else repr(groups)}")
    check_consistent_length(y, out)
    values = groups if isinstance(groups, (list, tuple)) else out  # an array of a list has None and NaN as text
    gaps = np.isnat(out) if out.dtype.kind in "mM" else np.array([is_gap(one) for one in values], bool)
    if np.any(gaps):
        row = np.flatnonzero(gaps)[0]
        raise ParameterError(f"groups must be a value for each row, found {values[row]} in row {row}; a row by itself is a group with a value of its own")
    try:
        np.unique(out)
    except TypeError:
        kinds = " and ".join(sorted({type(one).__name__ for one in out.tolist()}))
        raise ParameterError(f"groups must be all numbers or all text, found {kinds}; use astype(str)") from None
    return out


def of_rows(folds: Any, rows: np.ndarray) -> Any:
    """Folds of some of the rows, numbered from 0 without gaps."""
    if not isinstance(folds, np.ndarray):
        return folds
    out = np.unique(folds[rows], return_inverse=True)[1]
    if out.max(initial=0) == 0:
        raise ValueError("folds must be two at least among the rows that are trained on, found one")
    return out


def _number(folds: Any) -> int:
    if folds < 2:
        raise ParameterError(f"folds must be 2 or more, found {folds}")
    return int(folds)


def _group_splitter(folds: Any, stratify: bool, groups: int) -> Any:
    if folds is None or isinstance(folds, numbers.Integral):
        if groups < 2:
            raise ValueError("groups must be two at least, found one")
        count = min(10, groups) if folds is None else _number(folds)
        return (StratifiedGroupKFold if stratify else GroupKFold)(n_splits=count)
    if isinstance(folds, str) and folds == "loo":
        return LeaveOneGroupOut()
    if hasattr(folds, "split"):
        return folds
    raise ParameterError(f"groups go with folds that are a number, 'loo' or a splitter, found folds={folds!r}")


def _of_splits(splits: Any, rows: int) -> np.ndarray:
    out = np.full(rows, -1)
    whole = "folds must put every row into exactly one test part and train on all others"
    fold = -1
    for fold, split in enumerate(splits):
        try:
            train, test = (np.asarray(part) for part in split)
        except (TypeError, ValueError):
            raise ParameterError(f"folds must be {EXPECTED}, found {split!r} in a list") from None
        test = np.arange(rows)[test]  # a mask, too
        if np.any(out[test] >= 0):
            raise ValueError(f"{whole}: row {test[out[test] >= 0][0]} is in several (repeats=5 repeats random folds)")
        if len(np.arange(rows)[train]) != rows - len(test):
            raise ValueError(f"{whole}: split {fold} trains on {len(train)} rows and tests {len(test)} of {rows}")
        out[test] = fold
    if fold < 1:
        raise ValueError(f"folds must be 2 or more, found {fold + 1}")
    if np.any(out < 0):
        raise ValueError(f"{whole}: row {np.flatnonzero(out < 0)[0]} is in none")
    return out


def _of_rows(folds: Any, rows: int) -> np.ndarray:
    """The fold of each row: what folds could be before splitters were."""
    out = np.unique(np.asarray(folds), return_inverse=True)[1]
    if len(out) != rows:
        raise ValueError(f"folds must have an entry for each of the {rows} rows, found {len(out)}")
    if out.max() == 0:
        raise ValueError("folds must be two at least, found the same for every row")
    warnings.warn("folds as an array is deprecated: use folds=PredefinedSplit(array) of sklearn.model_selection, or fit(X, y, groups=array)",
                  FutureWarning, stacklevel=5)
    return out
