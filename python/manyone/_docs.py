# SPDX-License-Identifier: Apache-2.0
"""Docstrings of the estimators: every parameter and attribute, written once.

A class describes what is its own. What all share is added here, in the order of the signature.
"""
from __future__ import annotations

import inspect
import re
from typing import Iterable

PARAMETERS = """
kernel : {"gaussian", "laplacian", "matern32", "matern52", "polynomial", "linear", "precomputed"} or callable, default="gaussian"
    ``"rbf"`` is another name of ``"gaussian"``, ``"poly"`` of ``"polynomial"``. With ``"precomputed"`` X holds kernel values: of
    all pairs of training rows for ``fit``, of rows with training rows for predictions. A function of two tables gives such
    values itself, as for SVC; the estimator then keeps the training rows, scales nothing and can be pickled, not saved.
sigma : float or "auto", default="auto"
    Width of the gaussian kernel exp(-|x-z|^2 / (2 sigma^2)), of which SVC's gamma is 1 / (2 sigma^2), and of the other
    kernels of distances, such as laplacian, exp(-|x-z| / sigma). Ignored with a warning where the kernel has none.
degree : int, optional
    Of the polynomial kernel (offset + <x, z>)^degree; 3 when left out.
offset : float, optional
    Of the polynomial kernel (SVC's coef0); 1 when left out.
ridge : float or "auto", default="auto"
    Regularisation: larger is smoother.
cost : float or "auto", default="auto"
    The same as 1 / ridge, and SVC's C; give one of them.
labelbook : str or array-like of shape (n_classes, n_columns), optional
    The targets of the classes: a name of ``manyone labelbooks``, a CSV file, or a codeword for each class in the order of
    ``classes_``. For machines that take codes a code, such as ``"dense"`` or ``"bch"``.
length : int, optional
    Columns of a code of free length.
label_kernel : str or array-like of shape (n_classes, n_classes), optional
    Kernel on codewords: ``"linear"``, ``"gaussian:S"``, a CSV file, or the Gram matrix of the classes.
decode : str, optional
    From outputs to classes: ``"argmax"``, ``"hamming"``, ``"loss"``, ``"votes"`` or ``"dag"``, as far as the machine has
    such outputs; what suits it when left out.
bias : bool, default=False
    Adds a bias term.
solver : {"auto", "direct", "cg"}, optional
    A factorisation, or conjugate gradients (which auto takes above 10000 rows).
accuracy : float, optional
    Where iterations stop (other packages' tol): the relative residual of conjugate gradients, 1e-6 when left out, or the
    largest violation in a quadratic program, 1e-3 when left out.
mkl : {"published", "simplex"}, optional
    How sbc-kernel learns its kernel on labels: the paper's algorithm, or the paper's problem solved.
centers : int, float or str, optional
    Kernel values at so many rows (or that share of them) instead of at all: less memory, and a time that grows linearly
    with the rows.
reduce : {"stratified", "random", "kmeans", "leverage", "pca"}, optional
    How centres are chosen.
penalty : {"identity", "rkhs"}, optional
    With centres: the ridge on the coefficients or on the function.
centers_from : {"training", "all"}, optional
    In cross-validation a row that is held out is no centre ("training", when left out), or stays one ("all", as in Chen et
    al. 2009: too good for new rows).
priors : {"uniform", "data"}, str or array-like of shape (n_classes,), optional
    Class priors of ``decode="flda"``: all alike, those of the table, a CSV file, or a number for each class in the order of
    ``classes_``; uniform when left out.
scale : {"range", "standard", "maxabs", "none"}, optional
    Scaling of the features, a part of the model. Left out: range (to -1..1), maxabs for sparse rows.
scale_per_fold : bool, default=False
    Every training part of the cross-validation has a scaling of its own (slow: no closed form).
missing : {"error", "drop", "mean", "indicator"}, default="error"
    What to do with missing values (None, NaN): refuse them, leave the row out of training, take the mean of the training
    rows, or that and a feature that says so. Every row is given a class: where training drops rows, predictions take the
    mean and a warning counts them.
nominal : list of str or int, optional
    Columns that hold categories although they look like numbers, by name or by position from 0. Columns of a data frame
    with text, truth values or the type category hold them in any case.
class_weight : dict or "balanced", optional
    Weights of classes, multiplied with ``sample_weight``.
search : {"auto", "grid", "halving", "design", "greedy"}, optional
    How parameters that are ``"auto"`` are searched for.
grid : dict, optional
    Ranges of the search in powers of two, such as ``{"sigma": (-4, 4), "ridge": (-8, 2, 0.5)}``.
folds : int, "loo", splitter or iterable, optional
    Of the cross-validation: a number (10 when left out), leave-one-out, a splitter of scikit-learn such as
    ``GroupKFold(5)``, or (train, test) pairs. Every row is in one test part. Groups of rows are given to ``fit``.
repeats : int, default=1
    Partitions to average over.
stratify : bool, default=False
    Spreads every class evenly over the folds.
nested : bool, default=False
    Also estimates the error of the whole search, ``nested_error_``.
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


def documented(cls: type, parameters: Iterable[str]) -> None:
    """Completes the docstring of an estimator: all parameters, all attributes."""
    if cls.__doc__ is None:  # python -OO
        return
    head, *parts = SECTION.split(inspect.cleandoc(cls.__doc__))
    sections = dict(zip(parts[::2], parts[1::2]))
    described = {**entries(PARAMETERS), **entries(sections.get("Parameters", ""))}
    sections["Parameters"] = "\n".join(described[name] for name in parameters if name in described)
    sections["Attributes"] = ATTRIBUTES
    order = ["Parameters", "Attributes", *(name for name in sections if name not in ("Parameters", "Attributes"))]
    cls.__doc__ = "\n\n".join([head.strip(), *(f"{name}\n{'-' * len(name)}\n{sections[name].strip()}" for name in order)]) + "\n"
