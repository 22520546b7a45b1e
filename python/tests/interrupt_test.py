# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C ends a fit soon, as KeyboardInterrupt, and leaves the interpreter as it was."""
import signal
import subprocess
import sys
import time

import pytest

PROGRAM = """
import sys, time
import numpy as np
import manyone
from manyone import OneLSMClassifier, compare
rng = np.random.RandomState(0)
X, y = rng.randn(2500, 20), rng.randint(0, 4, 2500)
print("started", flush=True)
begin = time.monotonic()
try:
    {work}
    print("finished")
except KeyboardInterrupt:
    print("interrupted", flush=True)
small = OneLSMClassifier(sigma=1.0, ridge=1.0).fit(X[:100], y[:100])
print("usable", len(small.predict(X[:10])))
"""

FIT = "OneLSMClassifier(grid={'sigma': (-10, 10), 'ridge': (-20, 20)}, repeats=10).fit(X, y)"
COMPARE = "compare((X, y), ['onelsm', 'svm-ovo'], protocol='cv:10x3')"


@pytest.mark.parametrize("work", [FIT, COMPARE])
def test_ctrl_c_ends_it(work):
    process = subprocess.Popen([sys.executable, "-c", PROGRAM.format(work=work)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "started\n"
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - sent < 15  # a second or two on an idle machine
        assert process.stdout.readline() == "usable 10\n"
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
