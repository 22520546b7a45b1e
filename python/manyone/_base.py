# SPDX-License-Identifier: Apache-2.0
"""What all estimators share: checks, fit, predictions, files.

Subclasses only list their parameters. A parameter goes to the compiled core under its own name, unless it is one of
those that are dealt with here.
"""
from __future__ import annotations

import json
import os
from typing import Any, ClassVar, Optional, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._labels import labels_of, names_of
from ._progress import Callback, observer, threads
from ._rows import CHECKS, for_core, from_core, in_order, validate_data
from ._table import training_table

# Parameters that are not passed on under their own name.
HANDLED_HERE = {"class_weight", "random_state", "n_jobs", "memory", "verbose", "callback", "nested", "centers"}

Self = TypeVar("Self", bound="KernelClassifier")


class KernelClassifier(ClassifierMixin, BaseEstimator):
    """Base of all estimators; see the subclasses."""

    machines: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *, kernel: str, sigma: Any, degree: Optional[int], offset: Optional[float], ridge: Any, cost: Any,
                 scale: Optional[str], class_weight: Any, search: Optional[str], grid: Optional[dict], folds: Any,
                 repeats: int, stratify: bool, nested: bool, random_state: Any, n_jobs: Optional[int],
                 memory: Optional[str], verbose: int, callback: Optional[Callback]) -> None:
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree
        self.offset = offset
        self.ridge = ridge
        self.cost = cost
        self.scale = scale
        self.class_weight = class_weight
        self.search = search
        self.grid = grid
        self.folds = folds
        self.repeats = repeats
        self.stratify = stratify
        self.nested = nested
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.verbose = verbose
        self.callback = callback

    # --- fitting ------------------------------------------------------------------------------------------------

    def fit(self: Self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Tune what is ``"auto"`` and train on all rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` the square matrix of kernel values. C-ordered float64 is not copied.
        y : array-like of shape (n_samples,)
            Labels of any type, of two classes at least.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows in the training criterion. Rows of weight 0 are left out.

        Returns
        -------
        self
        """
        target = getattr(y, "name", None)
        table = training_table(self, X, y, sample_weight)
        names = getattr(self, "feature_names_in_", None)
        model = _core.fit(
            for_core(table.X), np.ascontiguousarray(table.labels, np.int32), names_of(table.classes),
            self._parameters(table.weights, table.folds), None if names is None else names.tolist(),
            self._target_name(target, names), bool(self.nested), threads(self.n_jobs), self.memory or "",
            observer(self.verbose, self.callback))
        self._set_model(model, table.classes, table.unit)
        return self

    def _machine(self) -> str:
        machine = getattr(self, "machine", self.machines[0])
        if machine not in self.machines:
            raise ValueError(f"machine must be one of {', '.join(self.machines)} for {type(self).__name__}, found {machine!r}")
        return machine

    def _parameters(self, weights: Any, folds: Any) -> dict[str, Any]:
        """The recipe for the core."""
        out = {name: value for name, value in self.get_params(deep=False).items() if name not in HANDLED_HERE}
        out["machine"] = self._machine()
        out["weights"] = weights
        out["folds"] = folds
        out["seed"] = self._seed()
        if getattr(self, "centers", None) is not None:
            out["centers"] = _centers_text(self.centers)
        return out

    def _seed(self) -> int:
        if isinstance(self.random_state, (int, np.integer)):
            if self.random_state < 0:
                raise ValueError(f"random_state must be 0 or more, found {self.random_state}")
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    @staticmethod
    def _target_name(target: Any, names: Optional[np.ndarray]) -> str:
        taken = set() if names is None else set(names)
        return target if isinstance(target, str) and target not in taken else "class"

    def _set_model(self, model: Any, classes: np.ndarray, unit: float = 1.0) -> None:
        """`unit`: the mean weight of rows, by which weights were divided."""
        self._model = model
        self.classes_ = classes
        self.sigma_ = model.sigma
        self.ridge_ = model.ridge * unit
        self.cost_ = 1 / self.ridge_
        self.cv_error_ = model.cv_error
        self.nested_error_ = model.nested_error
        self.cv_surface_ = model.surface
        if unit != 1 and self.cv_surface_ is not None:
            self.cv_surface_.update(ridge=self.cv_surface_["ridge"] * unit, cost=self.cv_surface_["cost"] / unit)
        self.notes_ = model.notes

    # --- predicting ---------------------------------------------------------------------------------------------

    def _checked(self, X: Any) -> Any:
        check_is_fitted(self, "classes_")
        if not hasattr(self, "feature_names_in_") and in_order(X, self.n_features_in_):
            return X
        return for_core(validate_data(self, X, reset=False, **CHECKS))

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels as they were given to ``fit``.
        """
        rows = self._checked(X)
        return self.classes_.take(self._model.predict(rows, threads(self.n_jobs)))

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores, larger for more likely classes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
            With two classes the score of the second less that of the first.
        """
        rows = self._checked(X)
        scores = self._model.scores(rows, threads(self.n_jobs))
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict_proba(self, X: Any) -> np.ndarray:
        """Calibrated probabilities; the largest is that of the class that ``predict`` gives.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``.
        """
        rows = self._checked(X)
        return self._model.probabilities(rows, threads(self.n_jobs))

    # --- what is known of the model -----------------------------------------------------------------------------

    @property
    def centers_(self) -> Any:
        """Rows that the kernel is evaluated at, after scaling; None for a precomputed kernel."""
        check_is_fitted(self, "classes_")
        return None if self.kernel == "precomputed" else from_core(self._model.centers)

    @property
    def dual_coef_(self) -> np.ndarray:
        """Coefficients of the centres, one column for each output of the machine."""
        check_is_fitted(self, "classes_")
        return self._model.coefficients

    @property
    def intercept_(self) -> np.ndarray:
        """Biases, one for each output of the machine."""
        check_is_fitted(self, "classes_")
        return self._model.bias

    @property
    def scaling_(self) -> tuple[np.ndarray, np.ndarray]:
        """(offset, factor) of each feature: rows are scaled to ``(x - offset) * factor``."""
        check_is_fitted(self, "classes_")
        return self._model.offset, self._model.factor

    # --- files --------------------------------------------------------------------------------------------------

    def save(self, path: Any) -> None:
        """Write a model file, which ``manyone predict`` and ``manyone.load`` read.

        Parameters
        ----------
        path : str or path-like
        """
        check_is_fitted(self, "classes_")
        self._model.save(os.fspath(path))

    @classmethod
    def load(cls: type[Self], path: Any) -> Self:
        """The estimator of a model file, from here or from ``manyone fit``.

        Parameters
        ----------
        path : str or path-like

        Returns
        -------
        KernelClassifier
            Of this class. ``manyone.load`` takes files of all machines.
        """
        with open(path, "rb"):  # a file that is not there is a FileNotFoundError, as everywhere in Python
            model = _core.Model.load(os.fspath(path))
        machine = json.loads(model.description)["machine"]
        if machine not in cls.machines:
            raise ValueError(f"{path}: expected a model of {', '.join(cls.machines)}, found {machine}; use manyone.load")
        return cls._from_model(model)

    @classmethod
    def _from_model(cls: type[Self], model: Any) -> Self:
        """An estimator whose parameters are those of the model, so that a clone would be trained alike."""
        known = json.loads(model.description)
        fixed = known["search"] == "fixed"
        kernel = known["kernel"]
        given = {"machine": known["machine"], "kernel": kernel["name"], "scale": known["scale"],
                 "labelbook": known["labelbook"], "label_kernel": known["label_kernel"], "bias": known["bias"], "decode": known["decode"],
                 "degree": kernel.get("degree"), "offset": kernel.get("offset"),
                 "class_weight": "balanced" if known["weights"] == "balanced" else None}
        if fixed:
            given["sigma"] = model.sigma if model.sigma is not None else "auto"
            given["ridge"] = model.ridge
        make: Any = cls  # subclasses have defaults for all parameters
        estimator = make()
        accepted = estimator.get_params(deep=False)
        estimator.set_params(**{name: value for name, value in given.items() if name in accepted})
        estimator._set_model(model, labels_of(model.classes))
        estimator.n_features_in_ = model.features
        if model.feature_names is not None:
            estimator.feature_names_in_ = np.array(model.feature_names, dtype=object)
        return estimator

    # --- scikit-learn's tags ------------------------------------------------------------------------------------

    def _more_tags(self) -> dict[str, Any]:
        return {"pairwise": self.kernel == "precomputed"}

    def __sklearn_tags__(self) -> Any:  # scikit-learn 1.6 and later
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags


def _centers_text(centers: Any) -> str:
    """A number of rows, a share of them, or text as on the command line."""
    if isinstance(centers, str):
        return centers
    if isinstance(centers, (int, np.integer)) and not isinstance(centers, bool) and centers > 0:
        return str(int(centers))
    if isinstance(centers, (float, np.floating)) and 0 < centers < 1:
        return f"{100 * float(centers):.17g}%"
    raise ValueError(f"centers must be a number of rows, a share between 0 and 1, text such as '5%', or None, found {centers!r}")
