# SPDX-License-Identifier: Apache-2.0
"""OneLSMClassifier, the package's first choice."""
from __future__ import annotations

from typing import Any, ClassVar, Optional

from ._base import KernelClassifier
from ._progress import Callback


class OneLSMClassifier(KernelClassifier):
    """One least-squares machine for all classes, tuned by ``fit``.

    One factorisation of ``K + ridge I`` serves every class, and one inverse every fold of the cross-validation, so that
    the width of the kernel and the ridge are found in little more than the time of a fit.

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

    def __init__(self, *, kernel: Any = "gaussian", sigma: Any = "auto", degree: Optional[int] = None,
                 offset: Optional[float] = None, ridge: Any = "auto", cost: Any = "auto",
                 labelbook: Any = None, length: Optional[int] = None, label_kernel: Any = None,
                 decode: Optional[str] = None, bias: bool = False, solver: Optional[str] = None,
                 accuracy: Optional[float] = None, centers: Any = None, reduce: Optional[str] = None,
                 penalty: Optional[str] = None, centers_from: Optional[str] = None,
                 scale: Optional[str] = None, missing: str = "error", nominal: Any = None, scale_per_fold: bool = False,
                 class_weight: Any = None, search: Optional[str] = None, grid: Optional[dict] = None,
                 folds: Any = None, repeats: int = 1, stratify: bool = False, nested: bool = False,
                 random_state: Any = 1, n_jobs: Optional[int] = None, memory: Optional[str] = None,
                 verbose: int = 0, callback: Optional[Callback] = None) -> None:
        self._keep(locals())
