# SPDX-License-Identifier: Apache-2.0
"""scikit-learn's own checks of estimators: every class and every machine passes all of them, none is expected to fail."""
import inspect

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from manyone.estimators import ESTIMATORS


@parametrize_with_checks([estimator() for estimator in ESTIMATORS])
def test_every_estimator_passes(estimator, check):
    check(estimator)


def test_none_is_expected_to_fail():
    for estimator in ESTIMATORS:
        assert "_xfail_checks" not in estimator()._more_tags()


def test_no_check_is_left_out():
    import pandas  # without it one of the checks would be skipped

    assert pandas.__version__


# What newer versions of scikit-learn check, too.


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("value", [-1, 3.0, "helloworld", np.array([1.0, 4.0]), [1], {}, []], ids=str)
def test_parameters_are_stored_as_they_are_given_and_not_judged_before_fit(estimator, value):
    for name in inspect.signature(estimator).parameters:
        assert estimator(**{name: value}).get_params()[name] is value
        assert estimator().set_params(**{name: value}).get_params()[name] is value


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_tags_have_both_forms_in_one_class(estimator):
    for kind in estimator.__mro__:
        if kind.__module__.startswith("manyone") and "_more_tags" in vars(kind):
            assert "__sklearn_tags__" in vars(kind)


@pytest.mark.parametrize("kernel, missing", [("gaussian", "error"), ("precomputed", "error"), ("gaussian", "mean"), (np.dot, "mean")])
def test_tags_of_version_1_6(kernel, missing, monkeypatch):
    class Anything:
        def __init__(self):
            self.input_tags = self
            self.sparse = self.pairwise = self.allow_nan = False

    base = ESTIMATORS[0].__mro__[3]
    monkeypatch.setattr(base, "__sklearn_tags__", lambda self: Anything(), raising=False)
    estimator = ESTIMATORS[0](kernel=kernel, missing=missing)
    tags = estimator.__sklearn_tags__()
    assert tags.sparse
    assert {"pairwise": tags.pairwise, "allow_nan": tags.allow_nan} == estimator._more_tags()
    assert tags.pairwise == (isinstance(kernel, str) and kernel == "precomputed") and tags.allow_nan == (missing == "mean" and isinstance(kernel, str))


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_metadata_that_routing_can_ask_for(estimator):
    # scikit-learn makes set_fit_request(sample_weight=..., groups=...) of the names that fit takes.
    assert list(inspect.signature(estimator.fit).parameters)[3:] == ["sample_weight", "groups"]
    if hasattr(estimator(), "set_fit_request"):
        estimator().set_fit_request(sample_weight=True, groups=True)
