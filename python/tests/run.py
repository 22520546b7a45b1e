# SPDX-License-Identifier: Apache-2.0
"""Runs pytest for ctest: exit code 77, which ctest counts as skipped, where pytest is not installed."""
import importlib.util
import sys

if importlib.util.find_spec("pytest") is None:
    print("pytest is not installed: the tests of the Python package are skipped")
    sys.exit(77)

import pytest

sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--strict-markers", "-W", "error::DeprecationWarning:manyone", *sys.argv[1:]]))
