# SPDX-License-Identifier: Apache-2.0
"""What all estimators share: checks, fit, predictions, files.

Subclasses only list their parameters. A parameter goes to the compiled core under its own name, unless it is one of
those that are dealt with here.
"""
from __future__ import annotations

import errno
import inspect
import json
import os
from typing import Any, ClassVar, Optional, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._checks import KERNELS, ParameterError, check_types, drop_what_does_not_apply, refuse_foreign
from ._docs import documented
from ._frames import encode_by, is_frame
from ._labels import labels_of, names_of
from ._progress import Callback, observer
from ._rows import CHECKS, check_columns, for_core, from_core, in_order, validate_data
from ._table import explained, training_table
from ._threads import threads

# Parameters that are not passed on under their own name.
HANDLED_HERE = {"class_weight", "random_state", "n_jobs", "memory", "verbose", "callback", "nested", "centers", "missing", "nominal"}
# Text, or numbers of the caller's with so many dimensions.
ARRAYS = {one["name"]: one["dimensions"] for one in _core.parameters() if one["type"] == "text" and one["dimensions"] > 0}

Self = TypeVar("Self", bound="KernelClassifier")


class KernelClassifier(ClassifierMixin, BaseEstimator):
    """Base of all estimators; see the subclasses."""

    machines: ClassVar[tuple[str, ...]] = ()
    __signature__: ClassVar[inspect.Signature]

    # Parameters of all subclasses that this class looks at.
    kernel: Any
    class_weight: Any
    missing: str
    nested: bool
    random_state: Any
    n_jobs: Optional[int]
    memory: Optional[str]
    verbose: int
    callback: Optional[Callback]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
        cls.__signature__ = inspect.Signature(parameters)  # not that of __new__
        documented(cls, {parameter.name: parameter.default for parameter in parameters}, _core.parameters())

    def __new__(cls: type[Self], *_: Any, **parameters: Any) -> Self:
        """An estimator; a parameter of another package is a TypeError that says what it is called here."""
        refuse_foreign(f"{cls.__name__}()", parameters, cls.__signature__.parameters)
        return super().__new__(cls)

    def _keep(self, given: dict[str, Any]) -> None:
        """All that a constructor does: `given` are its locals, which become attributes under their own names."""
        for name, value in given.items():
            if name != "self":
                setattr(self, name, value)

    def set_params(self: Self, **params: Any) -> Self:
        """Set parameters by name.

        Parameters
        ----------
        **params : dict
            Parameters of the estimator.

        Returns
        -------
        self
        """
        try:
            refuse_foreign(type(self).__name__, params, self.__signature__.parameters)
        except TypeError as error:
            raise ValueError(str(error)) from None  # what scikit-learn raises for an unknown name
        return super().set_params(**params)

    # --- fitting ------------------------------------------------------------------------------------------------

    def fit(self: Self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Tune what is ``"auto"`` and train on all rows.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` the square matrix of kernel values. C-ordered float64 is not copied. Columns
            of a data frame may hold text or categories.
        y : array-like of shape (n_samples,)
            Labels of any type, of two classes at least.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows in the training criterion. Rows of weight 0 are left out.
        groups : array-like of shape (n_samples,), optional
            Rows of a group (a patient, a speaker) stay together in the folds of the cross-validation.

        Returns
        -------
        self
        """
        check_types(self.get_params(deep=False))
        target = getattr(y, "name", None)
        table = training_table(self, X, y, sample_weight, groups)
        names = getattr(self, "feature_names_in_", None)
        rows = self._gram(table.X, table.X) if callable(self.kernel) else table.X
        parameters = self._parameters(table.weights, table.folds)
        if groups is not None:
            parameters["stratify"] = False  # the folds are, where it was asked for
        model = _core.fit(
            for_core(rows), np.ascontiguousarray(table.labels, np.int32), names_of(table.classes), parameters,
            None if names is None or callable(self.kernel) else names.tolist(), self._target_name(target, names), bool(self.nested),
            threads(self.n_jobs), self.memory or "", observer(self.verbose, self.callback), table.encoding)
        self._kernel_rows = table.X if callable(self.kernel) else None
        self._encodes = table.encoding is not None
        self._set_model(model, table.classes, table.unit)
        self._support = self._training_rows(for_core(table.X), table.rows)
        return self

    def _training_rows(self, X: Any, rows: np.ndarray) -> Optional[np.ndarray]:
        """Which rows the centres are; None where they are others, such as means."""
        if self._model.kernel == "precomputed":
            return rows[np.any(self._model.coefficients != 0, axis=1)]
        of_centers = self._model.rows_of_centers(X)
        return rows[of_centers] if len(of_centers) > 0 else None

    def _gram(self, X: Any, Z: Any) -> np.ndarray:
        """Values of a kernel that is a function of the caller's."""
        values = self.kernel(X, Z)
        try:
            out = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"kernel must give an array of numbers of shape {(X.shape[0], Z.shape[0])}, found {type(values).__name__} of others") from None
        if out.shape != (X.shape[0], Z.shape[0]):
            raise ValueError(f"kernel must give an array of shape {(X.shape[0], Z.shape[0])}, found {out.shape}")
        if not np.all(np.isfinite(out)):
            raise ValueError("kernel must give finite numbers, found NaN or infinity")
        return np.ascontiguousarray(out)

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
        out["kernel"] = "precomputed" if callable(self.kernel) else KERNELS.get(self.kernel, self.kernel)
        for name, dimensions in ARRAYS.items():
            if out.get(name) is not None and not isinstance(out[name], str):
                out[name] = _numbers(name, out[name], dimensions)
        if getattr(self, "centers", None) is not None:
            out["centers"] = _centers_text(self.centers)
        drop_what_does_not_apply(out, out["kernel"])
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
        self.n_iter_ = 1 if self.cv_surface_ is None else len(self.cv_surface_["error"])
        self.notes_ = model.notes

    # --- predicting ---------------------------------------------------------------------------------------------

    def _checked(self, X: Any) -> Any:
        """Rows as the core takes them: numbers, encoded as in training."""
        check_is_fitted(self, "classes_")
        encodes, stored = getattr(self, "_encodes", False), getattr(self, "_kernel_rows", None)
        if encodes and not self._is_encoded(X):
            check_columns(self, X, reset=False)
            return encode_by(self._model.encoding, X)
        if stored is None and not hasattr(self, "feature_names_in_") and in_order(X, self.n_features_in_):
            return X
        with explained(self, X, fitted=True):
            rows = check_array(X, **CHECKS) if encodes else validate_data(self, X, reset=False, **CHECKS)
        return for_core(rows if stored is None else self._gram(rows, stored))

    def _is_encoded(self, X: Any) -> bool:
        """Whether these are the features already that the columns become."""
        if is_frame(X):
            return self._model.feature_names is not None and list(X.columns) == self._model.feature_names
        return np.ndim(X) == 2 and np.shape(X)[1] == self._model.features != self.n_features_in_

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

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of ``predict_proba``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``; -inf where a probability is 0.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    # --- what is known of the model -----------------------------------------------------------------------------

    @property
    def centers_(self) -> Any:
        """Rows that the kernel is evaluated at, after scaling; None for a precomputed kernel."""
        check_is_fitted(self, "classes_")
        if getattr(self, "_kernel_rows", None) is not None:
            return self._kernel_rows
        return None if self._model.kernel == "precomputed" else from_core(self._model.centers)

    @property
    def support_(self) -> np.ndarray:
        """Numbers of the training rows that are centres: support vectors, or all rows of a least-squares machine."""
        check_is_fitted(self, "classes_")
        if getattr(self, "_support", None) is None:
            raise AttributeError("support_ is known after fit, of centres that are training rows")
        return self._support

    @property
    def dual_coef_(self) -> np.ndarray:
        """Coefficients of the centres, one column for each output of the machine; of two classes one, towards the second."""
        check_is_fitted(self, "classes_")
        line = self._model.line
        return self._model.coefficients if line is None else self._model.coefficients @ line[0][:, None]

    @property
    def coef_(self) -> np.ndarray:
        """Weights of the features as they were given, a row for each output: outputs are ``X @ coef_.T + intercept_``.

        Two classes have one row: that is above 0 where the second is predicted.
        """
        check_is_fitted(self, "classes_")
        if self._model.kernel != "linear":
            raise AttributeError(f"coef_ is there with kernel='linear' only, found {self._model.kernel!r}")
        return (from_core(self._model.centers).T @ self.dual_coef_).T * self._model.factor

    @property
    def intercept_(self) -> np.ndarray:
        """Biases, one for each output of the machine (of two classes one); with the linear kernel those that go with ``coef_``."""
        check_is_fitted(self, "classes_")
        line = self._model.line
        bias = self._model.bias if line is None else np.array([self._model.bias @ line[0] + line[1]])
        return bias if self._model.kernel != "linear" else bias - self.coef_ @ self._model.offset

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
        self._model_for_file().save(target_of(path))

    def export_onnx(self, path: Any, *, float32: bool = False) -> None:
        """Write an ONNX model: input ``features``, outputs ``label``, ``scores`` and ``probabilities``.

        Parameters
        ----------
        path : str or path-like
        float32 : bool, default=False
            Single precision; half the size.
        """
        self._model_for_file().export_onnx(target_of(path), float32)

    def export_cpp(self, path: Any, *, namespace: Optional[str] = None) -> None:
        """Write a C++17 header without dependencies: ``predict``, ``scores`` and ``probabilities`` of a row.

        Parameters
        ----------
        path : str or path-like
        namespace : str, optional
            An identifier; the name of the file when left out.
        """
        if namespace is not None and not (isinstance(namespace, str) and namespace.isidentifier()):
            raise ParameterError(f"namespace must be an identifier of C++ or None, found {namespace!r}")
        self._model_for_file().export_cpp(target_of(path), namespace or "")

    def export_libsvm(self, path: Any) -> None:
        """Write a model for LIBSVM's ``svm-predict``, over scaled features: of one-vs-one machines that decode by votes.

        Parameters
        ----------
        path : str or path-like
        """
        self._model_for_file().export_libsvm(target_of(path))

    def _model_for_file(self) -> Any:
        check_is_fitted(self, "classes_")
        if getattr(self, "_kernel_rows", None) is not None:
            raise ValueError("a kernel that is a Python function cannot be written to a model file; pickle the estimator instead")
        return self._model

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
        told = {**known, **known["kernel"], "kernel": known["kernel"]["name"]}
        given = {parameter["name"]: told.get(parameter["name"]) for parameter in _core.parameters() if parameter["in_model"]}
        fixed = known["search"] == "fixed"
        given.update(search=None, sigma=model.sigma if fixed and model.sigma is not None else "auto", ridge=model.ridge if fixed else "auto",
                     class_weight="balanced" if known["weights"] == "balanced" else None, missing=model.missing,
                     nominal=[name or place for place, (name, nominal) in enumerate(model.columns) if nominal] or None)
        make: Any = cls  # subclasses have defaults for all parameters
        estimator = make()
        accepted = estimator.get_params(deep=False)
        estimator.set_params(**{name: value for name, value in given.items() if name in accepted})
        estimator._set_model(model, labels_of(model.classes))
        estimator._encodes = model.missing != "error" or any(nominal for _, nominal in model.columns)
        estimator.n_features_in_ = len(model.columns) or model.features
        if model.feature_names is not None:
            estimator.feature_names_in_ = np.array([name for name, _ in model.columns], dtype=object)
        return estimator

    # --- scikit-learn's tags ------------------------------------------------------------------------------------

    def _more_tags(self) -> dict[str, Any]:
        return {"pairwise": self._pairwise_rows, "allow_nan": self._takes_nan}

    def __sklearn_tags__(self) -> Any:  # scikit-learn 1.6 and later
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self._pairwise_rows
        tags.input_tags.allow_nan = self._takes_nan
        return tags

    @property
    def _pairwise_rows(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    @property
    def _takes_nan(self) -> bool:
        return self.missing != "error" and not self._pairwise_rows and not callable(self.kernel)


def target_of(path: Any) -> str:
    """The path as text, if there is a folder to write it to."""
    text = os.fspath(path)
    folder = os.path.dirname(text) or "."
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), folder)
    return text


def _numbers(name: str, value: Any, dimensions: int) -> np.ndarray:
    """An array in the place of the name of a book, of a kernel on labels or of priors."""
    expected = f"text or an array of numbers with {'two dimensions' if dimensions == 2 else 'one dimension'}"
    try:
        out = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be {expected}, found {value!r}") from None
    if out.ndim != dimensions:
        raise ParameterError(f"{name} must be {expected}, found an array of shape {out.shape}")
    if name == "priors" and not np.all((out > 0) & np.isfinite(out)):
        raise ParameterError(f"priors must be numbers above 0, one for each class in the order of classes_, found {out.tolist()}")
    return np.ascontiguousarray(out if dimensions == 2 else out[:, None])


def _centers_text(centers: Any) -> str:
    """A number of rows, a share of them, or text as on the command line."""
    if isinstance(centers, str):
        return centers
    if isinstance(centers, (int, np.integer)) and not isinstance(centers, bool) and centers > 0:
        return str(int(centers))
    if isinstance(centers, (float, np.floating)) and 0 < centers < 1:
        return f"{100 * float(centers):.17g}%"
    raise ValueError(f"centers must be a number of rows, a share between 0 and 1, text such as '5%', or None, found {centers!r}")
