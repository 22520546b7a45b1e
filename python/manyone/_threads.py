# SPDX-License-Identifier: Apache-2.0
"""How many threads a computation takes: ``n_jobs``, or what joblib and threadpoolctl allow."""
from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, Optional

import threadpoolctl
from joblib.parallel import get_active_backend

from ._checks import ParameterError

MOST = 4096  # as on the command line


def cores() -> int:
    """Processors of this process."""
    return len(os.sched_getaffinity(0))


def threads(n_jobs: Optional[int]) -> int:
    """Threads for the core, 0 for all: -1 is all, -2 all but one.

    None is all, too, but never more than

    * ``OMP_NUM_THREADS`` says, which joblib sets in its workers (``inner_max_num_threads``),
    * a surrounding ``joblib.parallel_backend(..., n_jobs=...)`` says,
    * ``threadpoolctl.threadpool_limits`` leaves to the BLAS of numpy.
    """
    if n_jobs is None:
        limits = [limit for limit in (_of_environment(), _of_joblib(), _of_threadpools()) if limit is not None]
        least = min(limits, default=0)
        return least if 0 < least < cores() else 0
    if isinstance(n_jobs, bool) or not hasattr(n_jobs, "__index__"):
        raise ParameterError(f"n_jobs must be a whole number other than 0, or None, found {n_jobs!r}")
    if n_jobs == 0:
        raise ParameterError("n_jobs must not be 0; leave it out for all threads")
    if n_jobs > MOST:
        raise ParameterError(f"n_jobs must be {MOST} at most, found {n_jobs}; leave it out for all threads")
    if n_jobs > 0:
        return int(n_jobs)
    return max(1, cores() + 1 + int(n_jobs))


def _of_environment() -> Optional[int]:
    try:
        return max(1, int(os.environ["OMP_NUM_THREADS"]))
    except (KeyError, ValueError):
        return None


def _of_joblib() -> Optional[int]:
    backend, jobs = get_active_backend()
    # Without a context joblib's own default is 1 job, which says nothing about threads.
    if jobs is None or jobs in (0, 1) or getattr(backend, "nesting_level", 0):
        return None
    return int(jobs) if jobs > 0 else max(1, cores() + 1 + int(jobs))


@lru_cache(maxsize=1)
def _pools() -> list[Any]:
    """The libraries that are asked. Looking for them takes a millisecond, asking them some microseconds."""
    found = getattr(threadpoolctl.ThreadpoolController(), "lib_controllers", [])
    # BLIS runs one thread unless it is told otherwise: no limit.
    return [library for library in found if library.user_api == "blas" and library.internal_api != "blis"]


def _of_threadpools() -> Optional[int]:
    return min((library.num_threads for library in _pools()), default=None)
