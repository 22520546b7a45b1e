# SPDX-License-Identifier: Apache-2.0
"""Parameters of estimators: which values have the right type, which do not apply, and what other packages call them."""
from __future__ import annotations

import numbers
import warnings
from typing import Any, Callable, Mapping

import numpy as np

from . import _core

#: Names that scikit-learn's users know a kernel by.
KERNELS = {"rbf": "gaussian", "poly": "polynomial"}

MISSING = ("error", "drop", "mean", "indicator")

#: What other estimators call a parameter, and what to write here.
FOREIGN = {
    "gamma": "use sigma, the width: gamma = 1 / (2 * sigma**2), so sigma = (2 * gamma) ** -0.5; sigma='auto' is searched for",
    "length_scale": "use sigma, the width of the kernel",
    "C": "use cost, which is C; ridge is 1 / C",
    "alpha": "use ridge, which is alpha; cost is 1 / alpha",
    "coef0": "use offset: the polynomial kernel is (offset + <x, z>) ** degree",
    "tol": "use accuracy, where the machine iterates",
    "cv": "use folds",
    "probability": "leave it out: predict_proba is always there, and calibrated",
    "decision_function_shape": "leave it out: there is one score for each class",
    "break_ties": "leave it out: ties are broken by the scores",
    "shrinking": "leave it out: it is not needed",
    "cache_size": "use memory, such as memory='8G'",
    "max_iter": "leave it out: a fit ends where accuracy is reached; Ctrl-C ends it before",
    "dual": "leave it out: all machines are solved in the dual",
}


class ParameterError(ValueError, TypeError):
    """A parameter with a value of the wrong kind; a ValueError and a TypeError, as scikit-learn's is."""


def refuse_foreign(estimator: str, names: Any, known: Any) -> None:
    """A TypeError that says what another package's parameter is called here."""
    for name in names:
        if name in FOREIGN and name not in known:
            raise TypeError(f"{estimator} has no parameter {name!r}: {FOREIGN[name]}")


def _flag(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_))


def _seed(value: Any) -> bool:
    return value is None or isinstance(value, (numbers.Integral, np.random.RandomState)) or value is np.random


def _places(value: Any) -> bool:
    return value is None or (isinstance(value, (list, tuple, np.ndarray)) and all(isinstance(one, (str, numbers.Integral)) for one in value))


#: What a parameter must be that is dealt with in Python; the core checks the others.
RULES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "kernel": ("the name of a kernel or a function of two tables", lambda value: isinstance(value, str) or callable(value)),
    "memory": ("a size such as '8G' or '500M', or None", lambda value: value is None or isinstance(value, str)),
    "nested": ("True or False", _flag),
    "verbose": ("a whole number", lambda value: isinstance(value, (numbers.Integral, np.bool_))),
    "random_state": ("a whole number, a RandomState or None", _seed),
    "callback": ("a function of one dict or None", lambda value: value is None or callable(value)),
    "missing": ("one of 'error', 'drop', 'mean' and 'indicator'", lambda value: isinstance(value, str) and value in MISSING),
    "nominal": ("a list with names or positions of columns, or None", _places),
}


def check_types(parameters: Mapping[str, Any]) -> None:
    """Refuses values of the wrong kind by the name of their parameter."""
    for name, (expected, fits) in RULES.items():
        if name in parameters and not fits(parameters[name]):
            raise ParameterError(f"{name} must be {expected}, found {parameters[name]!r}")


def drop_what_does_not_apply(parameters: dict[str, Any], kernel: str) -> None:
    """Parameters of other kernels are left out with a warning: a grid over kernels gives them to all."""
    sets = _core.kernels().get(kernel, ())
    for name in ("sigma", "degree", "offset"):
        if name not in sets and parameters.get(name) not in (None, "auto"):
            warnings.warn(f"kernel={kernel!r} has no {name}: {name}={parameters[name]!r} is ignored", UserWarning, stacklevel=4)
            parameters[name] = None
    grid = parameters.get("grid")
    if "sigma" not in sets and isinstance(grid, dict) and "sigma" in grid:
        warnings.warn(f"kernel={kernel!r} has no sigma: the axis sigma of grid is ignored", UserWarning, stacklevel=4)
        parameters["grid"] = {axis: values for axis, values in grid.items() if axis != "sigma"} or None
