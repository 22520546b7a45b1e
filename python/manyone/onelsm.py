# SPDX-License-Identifier: Apache-2.0
"""OneLSMClassifier, the package's first choice. The parameters that all estimators share are described here."""
from __future__ import annotations

from typing import Any, ClassVar, Optional

from ._base import KernelClassifier
from ._progress import Callback


class OneLSMClassifier(KernelClassifier):
    """One least-squares machine for all classes, tuned by ``fit``.

    One factorisation of ``K + ridge I`` serves every class, and one inverse every fold of the cross-validation, so that
    the width of the kernel and the ridge are found in little more than the time of a fit.

    Parameters
    ----------
    kernel : {"gaussian", "laplacian", "polynomial", "linear", "precomputed"}, default="gaussian"
        With ``"precomputed"`` X holds kernel values: of all pairs of training rows for ``fit``, of rows with training
        rows for predictions.
    sigma : float or "auto", default="auto"
        Width of the gaussian kernel exp(-|x-z|^2 / (2 sigma^2)) and of the laplacian one.
    degree : int, optional
        Of the polynomial kernel (offset + <x, z>)^degree; 3 when left out.
    offset : float, optional
        Of the polynomial kernel; 1 when left out.
    ridge : float or "auto", default="auto"
        Regularisation: larger is smoother.
    cost : float or "auto", default="auto"
        The same as 1 / ridge; give one of them.
    labelbook : str, optional
        The targets of the classes: a name of ``manyone labelbooks`` or a CSV file with a codeword for each class.
    length : int, optional
        Columns of a code of free length.
    label_kernel : str, optional
        Kernel on codewords: ``"linear"``, ``"gaussian:S"`` or a CSV file with a Gram matrix of the classes.
    decode : str, optional
        From outputs to classes; what suits the machine when left out.
    bias : bool, default=False
        Adds a bias term.
    solver : {"auto", "direct", "cg"}, optional
        A factorisation, or conjugate gradients (which auto takes above 10000 rows).
    accuracy : float, optional
        Relative residual at which conjugate gradients stop.
    centers : int, float or str, optional
        Kernel values at so many rows (or that share of them) instead of at all: less memory, and a time that grows
        linearly with the rows.
    reduce : {"stratified", "random", "kmeans", "leverage", "pca"}, optional
        How centres are chosen.
    penalty : {"identity", "rkhs"}, optional
        With centres: the ridge on the coefficients or on the function.
    scale : {"range", "standard", "maxabs", "none"}, optional
        Scaling of the features, a part of the model. Left out: range (to -1..1), maxabs for sparse rows.
    scale_per_fold : bool, default=False
        Every training part of the cross-validation has a scaling of its own (slow: no closed form).
    class_weight : dict or "balanced", optional
        Weights of classes, multiplied with ``sample_weight``.
    search : {"auto", "grid", "halving", "design", "greedy"}, optional
        How parameters that are ``"auto"`` are searched for.
    grid : dict, optional
        Ranges of the search in powers of two, such as ``{"sigma": (-4, 4), "ridge": (-8, 2, 0.5)}``.
    folds : int, "loo" or array-like of shape (n_samples,), optional
        Of the cross-validation: a number (10 when left out), leave-one-out, or the fold of each row.
    repeats : int, default=1
        Partitions to average over.
    stratify : bool, default=False
        Spreads every class evenly over the folds.
    nested : bool, default=False
        Also estimates the error of the whole search, ``nested_error_``.
    random_state : int, RandomState instance or None, default=1
        Seed of folds, centres and codes. None takes one from numpy's global state.
    n_jobs : int, optional
        Threads; all when left out, in workers of joblib as many as joblib allows. Results do not depend on it.
    memory : str, optional
        What may be used, such as ``"8G"``; nine tenths of what is free when left out. What would not fit raises
        MemoryError before anything is allocated.
    verbose : int, default=0
        Prints progress and notes to standard error.
    callback : callable, optional
        Called with a dict for every event of a fit: ``event`` is ``"begin"``, ``"progress"``, ``"end"`` or ``"note"``.
        What it raises ends the fit.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    sigma_ : float or None
        The width that is used; None for kernels without one.
    ridge_, cost_ : float
        The regularisation that is used, cost_ = 1 / ridge_.
    cv_error_ : float or None
        Cross-validation error at the chosen parameters: the smallest of all that were tried, so a little optimistic.
        None when all parameters were given.
    nested_error_ : float or None
        With ``nested=True``: the honest estimate.
    cv_surface_ : dict of ndarray or None
        Every cell of the search: sigma, ridge, cost, error, std (over repeats).
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only when X has column names.
    centers_ : ndarray or sparse matrix of shape (n_centers, n_features)
        Scaled rows at which the kernel is evaluated.
    dual_coef_ : ndarray of shape (n_centers, n_outputs)
    intercept_ : ndarray of shape (n_outputs,)
    scaling_ : tuple of two ndarrays
        Offset and factor of each feature.
    notes_ : list of str
        What the search has to say, such as classes with fewer rows than folds.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyone import OneLSMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> classifier = OneLSMClassifier().fit(X, y)
    >>> classifier.cv_error_ < 0.05
    True
    >>> classifier.predict(X[:3])
    array([0, 0, 0])
    >>> classifier.predict_proba(X[:3]).argmax(axis=1)
    array([0, 0, 0])
    """

    machines: ClassVar[tuple[str, ...]] = ("onelsm",)

    def __init__(self, *, kernel: str = "gaussian", sigma: Any = "auto", degree: Optional[int] = None,
                 offset: Optional[float] = None, ridge: Any = "auto", cost: Any = "auto",
                 labelbook: Optional[str] = None, length: Optional[int] = None, label_kernel: Optional[str] = None,
                 decode: Optional[str] = None, bias: bool = False, solver: Optional[str] = None,
                 accuracy: Optional[float] = None, centers: Any = None, reduce: Optional[str] = None,
                 penalty: Optional[str] = None, scale: Optional[str] = None, scale_per_fold: bool = False,
                 class_weight: Any = None, search: Optional[str] = None, grid: Optional[dict] = None,
                 folds: Any = None, repeats: int = 1, stratify: bool = False, nested: bool = False,
                 random_state: Any = 1, n_jobs: Optional[int] = None, memory: Optional[str] = None,
                 verbose: int = 0, callback: Optional[Callback] = None) -> None:
        super().__init__(kernel=kernel, sigma=sigma, degree=degree, offset=offset, ridge=ridge, cost=cost,
                         scale=scale, class_weight=class_weight, search=search, grid=grid, folds=folds,
                         repeats=repeats, stratify=stratify, nested=nested, random_state=random_state, n_jobs=n_jobs,
                         memory=memory, verbose=verbose, callback=callback)
        self.labelbook = labelbook
        self.length = length
        self.label_kernel = label_kernel
        self.decode = decode
        self.bias = bias
        self.solver = solver
        self.accuracy = accuracy
        self.centers = centers
        self.reduce = reduce
        self.penalty = penalty
        self.scale_per_fold = scale_per_fold
