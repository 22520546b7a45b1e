# SPDX-License-Identifier: Apache-2.0
"""CodingRegressionClassifier: msvr."""
from __future__ import annotations

from typing import Any, ClassVar, Optional

from ._base import KernelClassifier
from ._progress import Callback


class CodingRegressionClassifier(KernelClassifier):
    """Coding and regression on kernel values at centres (mSVR), then a small decoder: for any number of rows.

    Parameters
    ----------
    decode : str, optional
        ``"flda"`` (Fisher's discriminant, the default), ``"ssvm[:COST]"`` (a smooth SVM for each pair of classes) or
        ``"argmax"``, the default with ``class_weight``: a discriminant scales the outputs and undoes weights of classes.
    centers : int, float or str, optional
        How many rows are centres, or which share. Left out: all rows up to 2000, then a twentieth of them within
        1000..2000.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from manyone import CodingRegressionClassifier
    >>> X, y = load_digits(return_X_y=True)
    >>> classifier = CodingRegressionClassifier(centers=200).fit(X[:1000], y[:1000])
    >>> classifier.centers_.shape
    (200, 64)
    >>> classifier.score(X[1000:], y[1000:]) > 0.9
    True
    """

    machines: ClassVar[tuple[str, ...]] = ("msvr",)

    def __init__(self, *, kernel: Any = "gaussian", sigma: Any = "auto", degree: Optional[int] = None,
                 offset: Optional[float] = None, ridge: Any = "auto", cost: Any = "auto",
                 labelbook: Any = None, length: Optional[int] = None, decode: Optional[str] = None,
                 priors: Any = None, centers: Any = None, reduce: Optional[str] = None,
                 penalty: Optional[str] = None, centers_from: Optional[str] = None,
                 scale: Optional[str] = None, missing: str = "error", nominal: Any = None, class_weight: Any = None,
                 search: Optional[str] = None, grid: Optional[dict] = None, folds: Any = None, repeats: int = 1,
                 stratify: bool = False, nested: bool = False, random_state: Any = 1,
                 n_jobs: Optional[int] = None, memory: Optional[str] = None, verbose: int = 0,
                 callback: Optional[Callback] = None) -> None:
        self._keep(locals())

    def _parameters(self, weights: Any, folds: Any) -> dict[str, Any]:
        out = super()._parameters(weights, folds)
        if self.class_weight is not None and self.decode is None and self.priors is None:
            out["decode"] = "argmax"
        return out
