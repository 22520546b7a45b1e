# SPDX-License-Identifier: Apache-2.0
"""n_jobs=None takes no more threads than joblib and threadpoolctl allow."""
import os

import joblib
import pytest
import threadpoolctl

from manyone import OneLSMClassifier, _core
from manyone._threads import threads


@pytest.fixture
def asked(monkeypatch):
    """Threads that the core is asked for."""
    seen = []
    fit = _core.fit
    monkeypatch.setattr(_core, "fit", lambda *a: seen.append(a[7]) or fit(*a))
    monkeypatch.setattr("manyone._threads.cores", lambda: 64)
    monkeypatch.setattr("manyone._threads._of_threadpools", lambda: None)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    return seen


def fit(iris, **parameters):
    OneLSMClassifier(sigma=1.0, ridge=1.0, **parameters).fit(*iris)


def test_none_is_all_where_nothing_limits_it(iris, asked):
    fit(iris)
    fit(iris, n_jobs=-1)
    fit(iris, n_jobs=-2)
    fit(iris, n_jobs=3)
    assert asked == [0, 64, 63, 3]


def test_a_context_of_joblib_limits_it(iris, asked):
    with joblib.parallel_backend("loky", n_jobs=2):
        fit(iris)
        fit(iris, n_jobs=5)
    with joblib.parallel_backend("threading", n_jobs=-2):
        fit(iris)
    assert asked == [2, 5, 63]


def test_workers_of_joblib_have_what_it_gives_them():
    def worker():
        return threads(None), os.environ["OMP_NUM_THREADS"]

    with joblib.parallel_backend("loky", n_jobs=2, inner_max_num_threads=1):
        found = joblib.Parallel()(joblib.delayed(worker)() for _ in range(2))
    allowed = 1 if len(os.sched_getaffinity(0)) > 1 else 0  # 0 is all, where all is one
    assert found == [(allowed, "1")] * 2


def test_limits_of_threadpoolctl_are_kept():
    if len(os.sched_getaffinity(0)) < 2 or not any(pool["user_api"] == "blas" for pool in threadpoolctl.threadpool_info()):
        pytest.skip("needs two processors and a BLAS that threadpoolctl knows")
    before = threads(None)
    with threadpoolctl.threadpool_limits(limits=1):
        assert threads(None) == 1
    assert threads(None) == before
