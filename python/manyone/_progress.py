# SPDX-License-Identifier: Apache-2.0
"""What ``verbose`` prints, and the ``callback`` beside it."""
from __future__ import annotations

import os
import sys
from typing import Any, Callable, Optional

Event = dict[str, Any]
Callback = Callable[[Event], None]


class ProgressPrinter:
    """Writes a line that is redrawn for each task, and notes as lines of their own, to standard error."""

    def __call__(self, event: Event) -> None:
        if event["event"] == "note":
            print(event["message"], file=sys.stderr)
            return
        part = event["done"] / event["total"] if event["total"] > 0 else 0.0
        ended = event["event"] == "end"
        text = f"{event['task']} {100 * (1.0 if ended else min(part, 1.0)):3.0f} % {event['state']}"
        print(f"\r{text:<78}", end="\n" if ended else "", file=sys.stderr, flush=True)


def observer(verbose: Any, callback: Optional[Callback]) -> Optional[Callback]:
    """One function for both, or None."""
    if callback is not None and not callable(callback):
        raise ValueError(f"callback must be a function of one dict or None, found {callback!r}")
    if not verbose:
        return callback
    printer = ProgressPrinter()
    if callback is None:
        return printer
    own = callback

    def both(event: Event) -> None:
        printer(event)
        own(event)

    return both


def threads(n_jobs: Optional[int]) -> int:
    """Threads for the core, 0 for all: -1 is all, -2 all but one. None is all too, or what joblib allows its workers."""
    if n_jobs is None:
        try:
            return max(0, int(os.environ.get("OMP_NUM_THREADS", 0)))
        except ValueError:
            return 0
    if n_jobs == 0:
        raise ValueError("n_jobs must not be 0; leave it out for all threads")
    if n_jobs > 0:
        return int(n_jobs)
    return max(1, len(os.sched_getaffinity(0)) + 1 + int(n_jobs))
