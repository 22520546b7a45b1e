# SPDX-License-Identifier: Apache-2.0
"""Comparisons of machines, and results as pages."""
from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Mapping, Optional, Union

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import KernelClassifier, target_of
from ._checks import ParameterError, check_types
from ._folds import checked_groups, fold_numbers
from ._labels import names_of
from ._progress import Callback, observer
from ._rows import for_core
from ._table import checked_rows, scaled_weights
from ._threads import threads
from ._weights import combined
from .estimators import estimator_for
from .onelsm import OneLSMClassifier


class Comparison:
    """What ``compare`` found. ``print`` it for people.

    Attributes
    ----------
    document : dict
        Everything, as ``manyone compare --json`` prints it (docs/result-schema.md).
    notes : list of str
        What the machines have to say.
    """

    def __init__(self, document: dict[str, Any], text: str, notes: list[str]) -> None:
        self.document = document
        self.notes = notes
        self._text = text

    @property
    def errors(self) -> dict[str, dict[str, float]]:
        """Mean error of each contestant on each table."""
        return {table["name"]: {one["name"]: one["error"] for one in table["machines"]} for table in self.document["sets"]}

    @property
    def pairs(self) -> list[dict[str, Any]]:
        """The test of each pair: first, second, difference, p, holm_p, verdict and others."""
        return self.document["pairs"]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Comparison({self.errors})"


def _tables(data: Any) -> list[tuple[str, Any, Any]]:
    named = data if isinstance(data, Mapping) else {"data": data}
    out = []
    for name, table in named.items():
        if not isinstance(table, (tuple, list)) or len(table) != 2:
            raise ValueError(f"expected (X, y) or a dict of such pairs, found {type(table).__name__} for {name!r}")
        X, y = table
        out.append((str(name), X, y))
    if not out:
        raise ValueError("expected a table at least, found none")
    return out


def _groups_by_table(groups: Any, tables: list[str]) -> dict[str, Any]:
    if groups is None:
        return {}
    if not isinstance(groups, Mapping):
        if len(tables) > 1:
            raise ValueError(f"groups must be a dict by table for the {len(tables)} tables {', '.join(tables)}, found {type(groups).__name__}")
        return {tables[0]: groups}
    out = {str(name): of_table for name, of_table in groups.items() if of_table is not None}
    unknown = [name for name in out if name not in tables]
    if unknown:
        raise ValueError(f"groups: no table is called {unknown[0]!r}; tables are {', '.join(tables)}")
    return out


def _group_names(table: str, groups: Any, y: np.ndarray, rows: np.ndarray) -> list[str]:
    """As text, which the core sorts as the command line does."""
    checked = checked_groups(groups, y)[rows]
    if len(np.unique(checked)) < 2:
        raise ValueError(f"{table}: groups must be two at least, found one")
    return [str(group) for group in checked.tolist()]


def _contestants(machines: Any) -> dict[str, KernelClassifier]:
    items = machines.items() if isinstance(machines, Mapping) else [one if isinstance(one, tuple) else (None, one) for one in machines]
    out: dict[str, KernelClassifier] = {}
    for name, one in items:
        estimator = estimator_for(one) if isinstance(one, str) else one
        if not isinstance(estimator, KernelClassifier):
            raise ValueError(f"expected names of machines or estimators of manyone, found {type(estimator).__name__}")
        name = name or (one if isinstance(one, str) else estimator._machine())
        if name in out:
            raise ValueError(f"{name!r} is there twice; give a dict or (name, estimator) pairs with different names")
        if estimator.nested or estimator.kernel == "precomputed" or not (estimator.folds is None or isinstance(estimator.folds, (int, str))):
            raise ValueError(f"{name!r}: nested, precomputed kernels and given folds do not go with compare, which has its own")
        if callable(estimator.kernel):
            raise ValueError(f"{name!r}: a kernel that is a Python function does not go with compare; use cross_val_score")
        check_types(estimator.get_params(deep=False))
        out[name] = clone(estimator)
    return out


def compare(data: Any, machines: Any, *, protocol: str = "5x2cv", random_state: int = 1, journal: Any = None,
            groups: Any = None, folds: Any = None, missing: str = "error", nominal: Any = None, n_jobs: Optional[int] = None, memory: Optional[str] = None,
            verbose: int = 0, callback: Optional[Callback] = None) -> Comparison:
    """Which machine is better, and is the difference real?

    Machines see the same rows, and each is tuned inside every training part.

    Parameters
    ----------
    data : tuple (X, y) or dict of such tuples by name
        With two tables or more, machines are also ranked over all of them. X may be a data frame with text and categories.
    machines : list or dict
        Names of machines, estimators of this package, (name, estimator) pairs, or a dict of them by name.
    protocol : str, default="5x2cv"
        ``"5x2cv"`` (five halvings, combined F test), ``"cv[:FOLDS[xREPEATS]]"`` (t test corrected for overlap) or
        ``"holdout[:SHARE]"`` (McNemar's test).
    random_state : int, default=1
        Seed of the splits.
    journal : str or path-like, optional
        Finished trials are written to this file, and those found there are not run again.
    groups : array-like or dict of array-likes by name, optional
        Rows of a group (a patient, a speaker) stay together: in the parts of the protocol and in the folds that machines are
        tuned by. With several tables a dict; tables that are not in it have no groups.
    folds : int or "loo", optional
        Folds that machines are tuned by inside every training part, where an estimator does not say; 10 when left out. With
        groups ``"loo"`` makes a fold of each.
    missing : {"error", "drop", "mean", "indicator"}, default="error"
        What to do with missing values of the tables; what the estimators say is left aside.
    nominal : list of str or int, optional
        Columns of the tables that hold categories although they look like numbers.
    n_jobs : int, optional
        Threads, as for the estimators.
    memory : str, optional
        What may be used, such as ``"8G"``.
    verbose : int, default=0
        Prints progress and notes to standard error.
    callback : callable, optional
        Called with a dict for every event, as for the estimators.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import manyone
    >>> result = manyone.compare(load_iris(return_X_y=True), ["onelsm", "vo-lssvm"], protocol="cv:3")
    >>> sorted(result.errors["data"])
    ['onelsm', 'vo-lssvm']
    >>> result.pairs[0]["holm_p"] > 0.05
    True
    """
    contestants = _contestants(machines)
    tables = []
    parameters: dict[str, list[dict[str, Any]]] = {name: [] for name in contestants}
    check_types({"random_state": random_state, "memory": memory, "missing": missing, "nominal": nominal})
    if not (folds is None or isinstance(folds, (int, np.integer)) or (isinstance(folds, str) and folds == "loo")) or isinstance(folds, bool):
        raise ParameterError(f"folds must be a number, 'loo' or None for compare, found {folds!r}")
    as_read = OneLSMClassifier(missing=missing, nominal=nominal, memory=memory)
    given = _tables(data)
    groups_of = _groups_by_table(groups, [name for name, _, _ in given])
    for name, X, y in given:
        names = [str(column) for column in X.columns] if hasattr(X, "columns") else None
        X, y, kept, encoding = checked_rows(as_read, X, y)
        rows = np.arange(len(y)) if kept is None else kept
        of_rows = _group_names(name, groups_of[name], y, rows) if name in groups_of else None
        y = y[rows]
        classes, labels = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"{name}: two classes at least are needed, found only one class: {classes[0]!r}")
        tables.append((for_core(X), np.ascontiguousarray(labels, np.int32), names_of(classes), names, name, encoding, of_rows))
        for contestant, estimator in contestants.items():
            weights, _ = scaled_weights(estimator, combined(None, estimator.class_weight, classes, labels))
            inner = folds if estimator.folds is None else estimator.folds
            parameters[contestant].append(estimator._parameters(weights, fold_numbers(inner, False, X, y, None)))
    document, text, notes = _core.compare(tables, list(parameters.items()), protocol, random_state,
                                          "" if journal is None else os.fspath(journal), threads(n_jobs), memory or "",
                                          observer(verbose, callback))
    return Comparison(json.loads(document), text, notes)


def report(result: Union[Comparison, KernelClassifier, dict, str, os.PathLike], path: Any) -> None:
    """Write a result as one HTML page that needs nothing else.

    Parameters
    ----------
    result : Comparison, estimator, dict, str or path-like
        What ``compare`` gave, an estimator that was fitted in this process, a result document, or the path of one.
    path : str or path-like
        The page to write.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn.datasets import load_iris
    >>> import manyone
    >>> classifier = manyone.OneLSMClassifier().fit(*load_iris(return_X_y=True))
    >>> path = os.path.join(tempfile.mkdtemp(), "iris.html")
    >>> manyone.report(classifier, path)
    """
    if isinstance(result, KernelClassifier):
        check_is_fitted(result, "classes_")
        document = result._model.document(f"{result!r}.fit(X, y)".replace("\n", " "))
    elif isinstance(result, Comparison):
        document = json.dumps(result.document)
    elif isinstance(result, dict):
        document = json.dumps(result)
    else:
        document = pathlib.Path(result).read_text(encoding="utf-8")
    _core.write_page(document, target_of(path))
