# SPDX-License-Identifier: Apache-2.0
"""KernelSVC: svm-ovo, svm-ova, svm-dag, svm-ecoc, ww, cs and llw."""
from __future__ import annotations

from typing import Any, ClassVar, Optional

from ._base import KernelClassifier
from ._progress import Callback


class KernelSVC(KernelClassifier):
    """Support vector machines for many classes: reductions to binary ones, and single machines.

    Parameters
    ----------
    machine : {"svm-ovo", "svm-ova", "svm-dag", "svm-ecoc", "ww", "cs", "llw"}, default="svm-ovo"
        One-vs-one decoded by votes (what scikit-learn's SVC is) or by a graph, one-vs-all, error-correcting codes; the
        single machines of Weston and Watkins, Crammer and Singer, and Lee, Lin and Wahba.
    labelbook : str or array-like of shape (n_classes, n_columns), optional
        The code of svm-ecoc, such as ``"dense"`` or ``"bch"``, a CSV file, or its rows in the order of ``classes_``.
    decode : str, optional
        ``"votes"``, ``"dag"``, ``"hamming"`` or ``"loss"``.
    bias : bool, default=False
        Of ww and svm-ova; the other machines that have one have it in any case.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyone import KernelSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> classifier = KernelSVC(cost=1.0, sigma=1.0).fit(X, y)
    >>> classifier.score(X, y) > 0.95
    True
    >>> classifier.decision_function(X[:2]).shape
    (2, 3)
    """

    machines: ClassVar[tuple[str, ...]] = ("svm-ovo", "svm-ova", "svm-dag", "svm-ecoc", "ww", "cs", "llw")

    def __init__(self, machine: str = "svm-ovo", *, kernel: Any = "gaussian", sigma: Any = "auto",
                 degree: Optional[int] = None, offset: Optional[float] = None, ridge: Any = "auto",
                 cost: Any = "auto", labelbook: Any = None, length: Optional[int] = None,
                 decode: Optional[str] = None, bias: bool = False, accuracy: Optional[float] = None,
                 scale: Optional[str] = None, missing: str = "error", nominal: Any = None, scale_per_fold: bool = False, class_weight: Any = None,
                 search: Optional[str] = None, grid: Optional[dict] = None, folds: Any = None, repeats: int = 1,
                 stratify: bool = False, nested: bool = False, random_state: Any = 1,
                 n_jobs: Optional[int] = None, memory: Optional[str] = None, verbose: int = 0,
                 callback: Optional[Callback] = None) -> None:
        self._keep(locals())
