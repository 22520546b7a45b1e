# SPDX-License-Identifier: Apache-2.0
"""Model files of any machine."""
from __future__ import annotations

import json
import os
from typing import Any

from . import _core
from ._base import KernelClassifier
from .estimators import estimator_for


def load(path: Any) -> KernelClassifier:
    """The estimator of a model file, written by ``save`` or by ``manyone fit``.

    Class names that are all integers (or all floats, or True and False) become such labels; others stay text.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    KernelClassifier
        Fitted. Its parameters are those of the file as far as it holds them.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn.datasets import load_iris
    >>> import manyone
    >>> X, y = load_iris(return_X_y=True)
    >>> path = os.path.join(tempfile.mkdtemp(), "iris.safetensors")
    >>> manyone.OneLSMClassifier(sigma=1, ridge=0.1).fit(X, y).save(path)
    >>> manyone.load(path).predict(X[:3])
    array([0, 0, 0])
    """
    with open(path, "rb"):
        model = _core.Model.load(os.fspath(path))
    return type(estimator_for(json.loads(model.description)["machine"]))._from_model(model)
