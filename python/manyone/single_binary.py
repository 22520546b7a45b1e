# SPDX-License-Identifier: Apache-2.0
"""SingleBinaryClassifier: sbc-ls, sbc-single, sbc-identity, sbc-kernel and sbc-ecoc."""
from __future__ import annotations

from typing import Any, ClassVar, Optional

from ._base import KernelClassifier
from ._progress import Callback


class SingleBinaryClassifier(KernelClassifier):
    """Single-binary machines: one binary problem on copies of the rows, each beside a label.

    Parameters
    ----------
    machine : {"sbc-ls", "sbc-single", "sbc-identity", "sbc-kernel", "sbc-ecoc"}, default="sbc-ls"
        Least squares; or support vectors with copies labelled by the number of the class, by unit vectors, by a kernel
        on labels that is learned, or by the columns of a code.
    labelbook : str or array-like of shape (n_classes, n_columns), optional
        Of sbc-ls and sbc-ecoc.
    label_kernel : str or array-like of shape (n_classes, n_classes), optional
        Of sbc-ls: ``"linear"``, ``"gaussian:S"``, a CSV file, or the Gram matrix of the classes.
    decode : str, optional
        Of sbc-ecoc.
    centers : int, float or str, optional
        Of sbc-ls: kernel values at so many rows (or that share of them) instead of at all.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyone import SingleBinaryClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> SingleBinaryClassifier().fit(X, y).score(X, y) > 0.95
    True
    """

    machines: ClassVar[tuple[str, ...]] = ("sbc-ls", "sbc-single", "sbc-identity", "sbc-kernel", "sbc-ecoc")

    def __init__(self, machine: str = "sbc-ls", *, kernel: Any = "gaussian", sigma: Any = "auto",
                 degree: Optional[int] = None, offset: Optional[float] = None, ridge: Any = "auto",
                 cost: Any = "auto", labelbook: Any = None, length: Optional[int] = None,
                 label_kernel: Any = None, decode: Optional[str] = None, mkl: Optional[str] = None,
                 accuracy: Optional[float] = None, centers: Any = None, reduce: Optional[str] = None,
                 penalty: Optional[str] = None, centers_from: Optional[str] = None,
                 scale: Optional[str] = None, missing: str = "error", nominal: Any = None, scale_per_fold: bool = False,
                 class_weight: Any = None, search: Optional[str] = None, grid: Optional[dict] = None,
                 folds: Any = None, repeats: int = 1, stratify: bool = False, nested: bool = False,
                 random_state: Any = 1, n_jobs: Optional[int] = None, memory: Optional[str] = None,
                 verbose: int = 0, callback: Optional[Callback] = None) -> None:
        self._keep(locals())
