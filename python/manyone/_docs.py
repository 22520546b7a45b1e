# SPDX-License-Identifier: Apache-2.0
"""Docstrings of the estimators: every parameter and attribute, written once.

What a parameter is stands in the core's table of parameters; what only Python takes, or takes otherwise, stands here. A
class describes what is its own. All of it is put together in the order of the signature.
"""
from __future__ import annotations

import inspect
import re
import textwrap
from typing import Any, Iterable, Mapping

#: What Python says of a parameter of the core's table; {} is the table's own sentence.
OF_THE_CORE = {
    "sigma": """{}. The gaussian kernel is exp(-|x-z|^2 / (2 sigma^2)), so SVC's gamma is 1 / (2 sigma^2); others are functions of
        |x-z| / sigma. Ignored with a warning where the kernel has none.""",
    "degree": "{}. The kernel is (offset + <x, z>)^degree.",
    "offset": "{}. SVC's coef0.",
    "cost": "{}. SVC's C; give one of both.",
    "labelbook": """The targets of the classes: a name of ``manyone labelbooks``, a CSV file, or a codeword for each class in the order of
        ``classes_``. For machines that take codes a code, such as ``"dense"`` or ``"bch"``.""",
    "label_kernel": "{}, or that matrix.",
    "accuracy": "{}. Other packages' tol.",
    "centers": "{}. A share may be a number below 1.",
    "priors": """Class priors of ``decode="flda"``: all alike ("uniform", when left out), those of the table ("data"), a CSV file, or a
        number for each class in the order of ``classes_``.""",
    "scale": "Scaling of the features, a part of the model: {}.",
    "search": "How parameters that are ``\"auto\"`` are searched for: {}.",
    "nested": "{}, ``nested_error_``.",
}

#: Shapes of the numbers that are taken in the place of text.
SHAPES = {"labelbook": "(n_classes, n_columns)", "label_kernel": "(n_classes, n_classes)", "priors": "(n_classes,)"}

#: What Python takes otherwise, or alone.
OF_PYTHON = """
kernel : {"gaussian", "laplacian", "matern32", "matern52", "polynomial", "linear", "precomputed"} or callable, default="gaussian"
    ``"rbf"`` is another name of ``"gaussian"``, ``"poly"`` of ``"polynomial"``. With ``"precomputed"`` X holds kernel values: of
    all pairs of training rows for ``fit``, of rows with training rows for predictions. A function of two tables gives such
    values itself, as for SVC; the estimator then keeps the training rows, scales nothing and can be pickled, not saved.
grid : dict, optional
    Ranges of the search in powers of two, such as ``{"sigma": (-4, 4), "ridge": (-8, 2, 0.5)}``.
folds : int, "loo", splitter or iterable, optional
    Of the cross-validation: a number (10 when left out), leave-one-out, a splitter of scikit-learn such as
    ``GroupKFold(5)``, or (train, test) pairs. Every row is in one test part. Groups of rows are given to ``fit``.
missing : {"error", "drop", "mean", "indicator"}, default="error"
    What to do with missing values (None, NaN): refuse them, leave the row out of training, take the mean of the training
    rows, or that and a feature that says so. Every row is given a class: where training drops rows, predictions take the
    mean and a warning counts them.
nominal : list of str or int, optional
    Columns that hold categories although they look like numbers, by name or by position from 0. Columns of a data frame
    with text, truth values or the type category hold them in any case.
class_weight : dict or "balanced", optional
    Weights of classes, multiplied with ``sample_weight``.
random_state : int, RandomState instance or None, default=1
    Seed of folds, centres and codes. None takes one from numpy's global state.
n_jobs : int, optional
    Threads; -1 is all, -2 all but one. Left out: all, or as many as joblib (``parallel_backend``, in its workers) and
    threadpoolctl (``threadpool_limits``) allow. Results do not depend on it.
memory : str, optional
    What may be used, such as ``"8G"``; nine tenths of what is free when left out. What would not fit raises MemoryError
    before anything is allocated.
verbose : int, default=0
    Prints progress and notes to standard error.
callback : callable, optional
    Called with a dict for every event of a fit: ``event`` is ``"begin"``, ``"progress"``, ``"end"`` or ``"note"``. What it
    raises ends the fit.
"""

ATTRIBUTES = """
classes_ : ndarray of shape (n_classes,)
    The labels, sorted.
sigma_ : float or None
    The width that is used; None for kernels without one.
ridge_ : float
    The regularisation that is used.
cost_ : float
    1 / ridge_.
cv_error_ : float or None
    Cross-validation error at the chosen parameters; None when all parameters were given.
nested_error_ : float or None
    With ``nested=True``: the honest estimate.
cv_surface_ : dict of ndarray or None
    Every cell of the search: sigma, ridge, cost, error, std (over repeats).
n_iter_ : int
    Models that the search scored; 1 when all parameters were given.
n_features_in_ : int
    Columns of X.
feature_names_in_ : ndarray of str
    Their names, when all columns of X have one.
centers_ : ndarray or sparse matrix of shape (n_centers, n_features)
    Scaled rows at which the kernel is evaluated.
support_ : ndarray of shape (n_centers,)
    Which training rows they are.
dual_coef_ : ndarray of shape (n_centers, n_outputs)
    Their coefficients. Two classes have one output, which is above 0 where the second is predicted.
intercept_ : ndarray of shape (n_outputs,)
    Biases; with the linear kernel those that go with ``coef_``.
coef_ : ndarray of shape (n_outputs, n_features)
    With the linear kernel: outputs are ``X @ coef_.T + intercept_``, whatever the scaling. One row for two classes.
scaling_ : tuple of two ndarrays
    Offset and factor of each feature.
notes_ : list of str
    What the search has to say, such as classes with fewer rows than folds.
"""

SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)


def entries(text: str) -> dict[str, str]:
    """The entries of a section by their names."""
    out: dict[str, str] = {}
    name = ""
    for line in text.strip().splitlines():
        if line and not line[0].isspace():
            name = re.split(r"\s*:", line)[0]
            out[name] = line
        else:
            out[name] += "\n" + line
    return {name: entry.rstrip() for name, entry in out.items()}


def type_of(parameter: Mapping[str, Any]) -> str:
    """What an entry of the core's table takes, in numpydoc's words."""
    name, kinds = parameter["name"], parameter["takes"].split("|")
    if parameter["type"] in ("flag", "count"):
        return {"flag": "bool", "count": "int"}[parameter["type"]]
    if parameter["type"] == "number":
        return 'float or "auto"' if "auto" in kinds else "float"
    words = [word for word in kinds if word == word.lower()]
    text = "int, float or str" if name == "centers" else "{" + ", ".join(f'"{word}"' for word in words) + "}" if words == kinds else "str"
    return f"{text} or array-like of shape {SHAPES[name]}" if name in SHAPES else text


def of_the_core(table: Iterable[Mapping[str, Any]], defaults: Mapping[str, Any]) -> dict[str, str]:
    """The entries of the parameters that are the core's."""
    out = {}
    for parameter in table:
        name = parameter["name"]
        if name not in defaults:
            continue
        default = "optional" if defaults[name] is None else "default=" + repr(defaults[name]).replace("'", '"')
        sentence = parameter["text"]
        own = " ".join(OF_THE_CORE.get(name, "{}.").split())
        text = own.replace("{}", sentence[0].upper() + sentence[1:] if own.startswith("{}") else sentence)
        out[name] = f"{name} : {type_of(parameter)}, {default}\n" + textwrap.fill(text, 118, initial_indent="    ", subsequent_indent="    ")
    return out


def documented(cls: type, defaults: Mapping[str, Any], table: Iterable[Mapping[str, Any]]) -> None:
    """Completes the docstring of an estimator: all parameters (with their defaults), all attributes. `table`: the core's."""
    if cls.__doc__ is None:  # python -OO
        return
    head, *parts = SECTION.split(inspect.cleandoc(cls.__doc__))
    sections = dict(zip(parts[::2], parts[1::2]))
    described = {**of_the_core(table, defaults), **entries(OF_PYTHON), **entries(sections.get("Parameters", ""))}
    sections["Parameters"] = "\n".join(described[name] for name in defaults if name in described)
    sections["Attributes"] = ATTRIBUTES
    order = ["Parameters", "Attributes", *(name for name in sections if name not in ("Parameters", "Attributes"))]
    cls.__doc__ = "\n\n".join([head.strip(), *(f"{name}\n{'-' * len(name)}\n{sections[name].strip()}" for name in order)]) + "\n"
