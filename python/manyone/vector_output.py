# SPDX-License-Identifier: Apache-2.0
"""VectorOutputClassifier: vo-lssvm, vo-rls-beta, vo-rls-f and vo-svm."""
from __future__ import annotations

from typing import Any, ClassVar, Optional

from ._base import KernelClassifier
from ._progress import Callback


class VectorOutputClassifier(KernelClassifier):
    """Vector-output machines: as many unknowns as rows, whatever the number of classes.

    Parameters
    ----------
    machine : {"vo-lssvm", "vo-rls-beta", "vo-rls-f", "vo-svm"}, default="vo-lssvm"
        Least squares with constraints; with a penalty on the coefficients or on the function; or support vectors.
    bias : bool, default=False
        Of vo-lssvm and vo-svm, with a labelbook whose codewords sum to 0.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from manyone import VectorOutputClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> VectorOutputClassifier(labelbook="mincorr", bias=True).fit(X, y).cv_error_ < 0.05
    True
    """

    machines: ClassVar[tuple[str, ...]] = ("vo-lssvm", "vo-rls-beta", "vo-rls-f", "vo-svm")

    def __init__(self, machine: str = "vo-lssvm", *, kernel: Any = "gaussian", sigma: Any = "auto",
                 degree: Optional[int] = None, offset: Optional[float] = None, ridge: Any = "auto",
                 cost: Any = "auto", labelbook: Any = None, length: Optional[int] = None, label_kernel: Any = None,
                 decode: Optional[str] = None, bias: bool = False, accuracy: Optional[float] = None, centers: Any = None,
                 reduce: Optional[str] = None, centers_from: Optional[str] = None,
                 scale: Optional[str] = None, missing: str = "error", nominal: Any = None, scale_per_fold: bool = False,
                 class_weight: Any = None, search: Optional[str] = None, grid: Optional[dict] = None,
                 folds: Any = None, repeats: int = 1, stratify: bool = False, nested: bool = False,
                 random_state: Any = 1, n_jobs: Optional[int] = None, memory: Optional[str] = None,
                 verbose: int = 0, callback: Optional[Callback] = None) -> None:
        self._keep(locals())
