# SPDX-License-Identifier: Apache-2.0
"""Labels of any type and their names in model files.

A model file holds text. Labels become text by ``str``; text becomes integers, floats or booleans again where every name
is exactly what ``str`` makes of one, and stays text otherwise.
"""
from __future__ import annotations

from typing import Sequence

import numpy as np


def names_of(classes: np.ndarray) -> list[str]:
    """A name for each class.

    >>> names_of(np.array([1, 2, 10]))
    ['1', '2', '10']
    """
    names = [str(label) for label in classes.tolist()]
    if len(set(names)) < len(names):
        raise ValueError(f"classes must have different names as text, found {names}; give labels of one type")
    return names


def labels_of(names: Sequence[str]) -> np.ndarray:
    """The labels that such names stand for.

    >>> labels_of(["1", "2", "10"])
    array([ 1,  2, 10])
    >>> labels_of(["01", "2"])
    array(['01', '2'], dtype='<U2')
    >>> labels_of(["0.5", "1.5"])
    array([0.5, 1.5])
    >>> labels_of(["False", "True"])
    array([False,  True])
    """
    if set(names) <= {"False", "True"}:
        return np.array([name == "True" for name in names])
    for number in (int, float):
        try:
            values = [number(name) for name in names]
        except ValueError:
            continue
        if [str(value) for value in values] == list(names) and np.all(np.isfinite(values)):
            return np.array(values)
    return np.array(names)
