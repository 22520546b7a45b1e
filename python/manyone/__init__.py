# SPDX-License-Identifier: Apache-2.0
"""Multiclass kernel classification at the price of one binary machine.

scikit-learn estimators that are tuned by ``fit``:

>>> from sklearn.datasets import load_iris
>>> from manyone import OneLSMClassifier
>>> X, y = load_iris(return_X_y=True)
>>> OneLSMClassifier().fit(X, y).score(X, y) > 0.95
True
"""
from ._base import KernelClassifier
from ._core import __version__
from .coded_ls import CodedLSClassifier
from .coding_regression import CodingRegressionClassifier
from .comparing import Comparison, compare, report
from .estimators import estimator_for
from .files import load
from .kernel_svc import KernelSVC
from .onelsm import OneLSMClassifier
from .single_binary import SingleBinaryClassifier
from .vector_output import VectorOutputClassifier

__all__ = ["CodedLSClassifier", "CodingRegressionClassifier", "Comparison", "KernelClassifier", "KernelSVC", "OneLSMClassifier",
           "SingleBinaryClassifier", "VectorOutputClassifier", "__version__", "compare", "estimator_for", "load", "report"]
