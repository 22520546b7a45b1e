# SPDX-License-Identifier: Apache-2.0
"""The same checks for every machine that is not the first of its class."""
from sklearn.utils.estimator_checks import parametrize_with_checks

from manyone import _core, estimator_for
from manyone.estimators import ESTIMATORS

OTHERS = [machine for estimator in ESTIMATORS for machine in estimator.machines[1:]]


@parametrize_with_checks([estimator_for(machine) for machine in OTHERS])
def test_every_machine_passes(estimator, check):
    check(estimator)


def test_the_estimators_have_every_machine():
    assert sorted(_core.machines()) == sorted(machine for estimator in ESTIMATORS for machine in estimator.machines)
