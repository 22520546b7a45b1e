# SPDX-License-Identifier: Apache-2.0
"""All estimators, one for each family of machines, and which of them has a machine."""
from __future__ import annotations

from typing import Any

from ._base import KernelClassifier
from .coded_ls import CodedLSClassifier
from .coding_regression import CodingRegressionClassifier
from .kernel_svc import KernelSVC
from .onelsm import OneLSMClassifier
from .single_binary import SingleBinaryClassifier
from .vector_output import VectorOutputClassifier

#: All estimators.
ESTIMATORS: tuple[type[KernelClassifier], ...] = (
    OneLSMClassifier, VectorOutputClassifier, KernelSVC, CodingRegressionClassifier, SingleBinaryClassifier,
    CodedLSClassifier)


def estimator_for(machine: str) -> KernelClassifier:
    """An estimator for a machine by its name on the command line.

    Parameters
    ----------
    machine : str
        A name of ``manyone machines``.

    Returns
    -------
    KernelClassifier

    Examples
    --------
    >>> from manyone import estimator_for
    >>> estimator_for("svm-dag")
    KernelSVC(machine='svm-dag')
    """
    for estimator in ESTIMATORS:
        if machine in estimator.machines:
            make: Any = estimator
            return make() if machine == estimator.machines[0] else make(machine)
    known = [name for estimator in ESTIMATORS for name in estimator.machines]
    raise ValueError(f"machine {machine!r} is not known; machines are {', '.join(known)}")
