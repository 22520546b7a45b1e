# SPDX-License-Identifier: Apache-2.0
"""scikit-learn's own checks of estimators: every class and every machine passes all of them, none is expected to fail."""
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
