# SPDX-License-Identifier: Apache-2.0
"""Folds of the cross-validation: numbers, splitters, splits, groups of rows."""
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, KFold, LeaveOneGroupOut, PredefinedSplit, RepeatedKFold, ShuffleSplit, StratifiedKFold

from manyone import OneLSMClassifier, _core

FIVE = np.arange(150) % 5


@pytest.fixture
def given(monkeypatch):
    """The folds that reach the core."""
    seen = []
    fit = _core.fit
    monkeypatch.setattr(_core, "fit", lambda *a: seen.append(a[3]["folds"]) or fit(*a))
    return seen


def test_splitters_and_splits(iris, given):
    X, y = iris
    for folds in (PredefinedSplit(FIVE), list(PredefinedSplit(FIVE).split()), PredefinedSplit(FIVE).split(), [(FIVE != k, FIVE == k) for k in range(5)]):
        assert OneLSMClassifier(folds=folds).fit(X, y).cv_error_ < 0.06
        assert_array_equal(given[-1], FIVE)
    OneLSMClassifier(folds=StratifiedKFold(3, shuffle=True, random_state=2)).fit(X, y)
    assert_array_equal(np.sort(np.bincount(given[-1][y == 1])), [16, 17, 17])
    estimator = OneLSMClassifier(folds=KFold(4))
    assert clone(estimator).folds.n_splits == 4
    OneLSMClassifier(folds="loo", sigma=1.0).fit(X, y)
    OneLSMClassifier(folds=np.int64(4), sigma=1.0).fit(X, y)
    assert given[-2:] == ["loo", 4]


def test_groups_stay_together(iris, given):
    X, y = iris
    groups = np.array([f"patient {k}" for k in np.random.RandomState(1).permutation(np.arange(150) // 6)])
    for folds, count in ((None, 10), (5, 5), ("loo", 25), (GroupKFold(3), 3), (LeaveOneGroupOut(), 25)):
        OneLSMClassifier(folds=folds, sigma=1.0).fit(X, y, groups=groups)
        assert len(np.unique(given[-1])) == count
        assert all(len(set(given[-1][groups == one])) == 1 for one in np.unique(groups))
    stratified = OneLSMClassifier(folds=5, stratify=True, sigma=1.0).fit(X, y, groups=groups)
    assert stratified.cv_error_ < 0.1
    OneLSMClassifier(sigma=1.0).fit(X, y, groups=np.arange(150) % 3)
    assert len(np.unique(given[-1])) == 3


def test_groups_with_rows_of_weight_zero_and_few_rows(iris, given):
    X, y = iris[0][::4], iris[1][::4]
    groups = np.arange(len(y)) % 6
    weights = np.where(groups == 2, 0.0, 1.0)
    OneLSMClassifier(folds=LeaveOneGroupOut(), sigma=1.0).fit(X, y, weights, groups=groups)
    assert set(given[-1]) == set(range(5))


def test_an_array_in_the_constructor_is_deprecated(iris, given):
    with pytest.warns(FutureWarning, match="PredefinedSplit"):
        OneLSMClassifier(folds=FIVE).fit(*iris)
    assert_array_equal(given[-1], FIVE)


@pytest.mark.parametrize("folds, says", [
    (np.full(150, 3), "the same for every row"),
    ([1] * 150, "the same for every row"),
    (ShuffleSplit(3), "exactly one test part"),
    (RepeatedKFold(n_splits=5, n_repeats=2), "exactly one test part.*is in several"),
    ([(np.arange(75), np.arange(75, 150))], "2 or more"),
    ([(np.arange(75, 150), np.arange(75)), (np.arange(10), np.arange(75, 150))], "split 1 trains on 10 rows"),
    ([(np.arange(75, 150), np.arange(75)), (np.arange(125), np.arange(125, 150))], "row 75 is in none"),
    ([("a", "b", "c")], "folds must be a number"),
    ([], "2 or more"),
    (GroupKFold(3), "groups"),
])
def test_folds_that_cannot_be_used(folds, says, iris):
    with pytest.raises(ValueError, match=says):
        OneLSMClassifier(folds=folds).fit(*iris)


def test_groups_that_cannot_be_used(iris):
    for groups, folds, says in ((np.zeros(150), None, "groups must be two at least"), (np.zeros(3), None, "inconsistent"),
                                (FIVE, FIVE, "groups go with folds"), (FIVE, 9, "Cannot have number of splits"),
                                ([None] * 150, None, "groups must be a value for each row, found None in row 0"),
                                (["a", np.nan, "b"] * 50, 5, "found nan in row 1"), (np.array([1, "a", 2] * 50, object), None, "all numbers or all text, found int and str"),
                                ("patient", None, "groups must be a value for each row, found 'patient'"), (np.zeros((150, 2)), None, r"shape \(150, 2\)")):
        with pytest.raises(ValueError, match=says):
            OneLSMClassifier(folds=folds).fit(*iris, groups=groups)
