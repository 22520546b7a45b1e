# SPDX-License-Identifier: Apache-2.0
"""scikit-learn's checks for every machine that is not the first of its class.

At given parameters: tuning is the same code for all machines, and a search over quadratic programs of many variables
takes minutes. MANYONE_LONG_TESTS=1 tunes them all the same.
"""
import os

from sklearn.utils.estimator_checks import parametrize_with_checks

from manyone import _core, estimator_for
from manyone.estimators import ESTIMATORS

OTHERS = [machine for estimator in ESTIMATORS for machine in estimator.machines[1:]]
GIVEN = {} if os.environ.get("MANYONE_LONG_TESTS") else {"sigma": 0.5, "ridge": 0.01}


@parametrize_with_checks([estimator_for(machine).set_params(**GIVEN) for machine in OTHERS])
def test_every_machine_passes(estimator, check):
    check(estimator)


def test_the_estimators_have_every_machine():
    assert sorted(_core.machines()) == sorted(machine for estimator in ESTIMATORS for machine in estimator.machines)
