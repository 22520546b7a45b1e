# SPDX-License-Identifier: Apache-2.0
"""What ``verbose`` prints, and the ``callback`` beside it."""
from __future__ import annotations

import sys
from typing import Any, Callable, Optional

from ._checks import check_types

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
    check_types({"callback": callback, "verbose": verbose})
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
