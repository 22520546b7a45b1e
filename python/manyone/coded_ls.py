# SPDX-License-Identifier: Apache-2.0
"""CodedLSClassifier: ls-ovo, ls-ova and ls-ecoc."""
from __future__ import annotations

from typing import Any, ClassVar, Optional

from ._base import KernelClassifier
from ._progress import Callback


class CodedLSClassifier(KernelClassifier):
    """Least squares on binary problems: one-vs-one, one-vs-all, error-correcting codes.

    Parameters
    ----------
    machine : {"ls-ovo", "ls-ova", "ls-ecoc"}, default="ls-ovo"
        A problem for each pair of classes, for each class, or for each column of a code.
    labelbook : str or array-like of shape (n_classes, n_columns), optional
        The code of ls-ecoc, such as ``"dense"`` or ``"bch"``, a CSV file, or its rows in the order of ``classes_``.
    decode : str, optional
        ``"votes"``, ``"dag"``, ``"hamming"`` or ``"loss"``.
    bias : bool, default=False
        Of ls-ova.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyone import CodedLSClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> CodedLSClassifier("ls-ecoc", labelbook="dense").fit(X, y).score(X, y) > 0.95
    True
    """

    machines: ClassVar[tuple[str, ...]] = ("ls-ovo", "ls-ova", "ls-ecoc")

    def __init__(self, machine: str = "ls-ovo", *, kernel: Any = "gaussian", sigma: Any = "auto",
                 degree: Optional[int] = None, offset: Optional[float] = None, ridge: Any = "auto",
                 cost: Any = "auto", labelbook: Any = None, length: Optional[int] = None,
                 label_kernel: Any = None, decode: Optional[str] = None, bias: bool = False,
                 centers: Any = None, reduce: Optional[str] = None, penalty: Optional[str] = None,
                 centers_from: Optional[str] = None,
                 scale: Optional[str] = None, missing: str = "error", nominal: Any = None, scale_per_fold: bool = False, class_weight: Any = None,
                 search: Optional[str] = None, grid: Optional[dict] = None, folds: Any = None, repeats: int = 1,
                 stratify: bool = False, nested: bool = False, random_state: Any = 1,
                 n_jobs: Optional[int] = None, memory: Optional[str] = None, verbose: int = 0,
                 callback: Optional[Callback] = None) -> None:
        self._keep(locals())
