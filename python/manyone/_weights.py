# SPDX-License-Identifier: Apache-2.0
"""Row weights from ``sample_weight`` and ``class_weight``."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import _check_sample_weight


def checked(sample_weight: Any, X: Any) -> np.ndarray | None:
    """A weight for each row, or None where all are 1. Negative weights are a ValueError."""
    if sample_weight is None:
        return None
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
    if np.any(weights < 0):
        raise ValueError(f"Negative values in data passed to `sample_weight`: expected weights of 0 or more, found {weights.min()}")
    if not np.any(weights > 0):
        raise ValueError("sample_weight leaves no row: expected weights above 0, found only zeros, so no class is left")
    return None if np.all(weights == 1) else weights


def combined(weights: np.ndarray | None, class_weight: Any, classes: np.ndarray, labels: np.ndarray) -> Any:
    """What the core takes: None, ``"balanced"`` or a number for each row."""
    if class_weight is None:
        return weights
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ValueError(f"class_weight must be a dict, 'balanced' or None, found {class_weight!r}")
        if weights is None:
            return "balanced"
    elif not isinstance(class_weight, dict):
        raise ValueError(f"class_weight must be a dict, 'balanced' or None, found {class_weight!r}")
    of_class = compute_class_weight(class_weight, classes=classes, y=classes[labels])
    if np.any(of_class <= 0):
        raise ValueError(f"class_weight must be above 0 for every class, found {of_class.min()}; leave the rows of a class out instead")
    return of_class[labels] if weights is None else of_class[labels] * weights
