# SPDX-License-Identifier: Apache-2.0
"""Runs pytest for ctest: exit code 77, which ctest counts as skipped, where pytest or all that a file tests is missing."""
import importlib.util
import sys

if importlib.util.find_spec("pytest") is None:
    print("pytest is not installed: the tests of the Python package are skipped")
    sys.exit(77)

import pytest

code = pytest.main(["-q", "-rs", "-p", "no:cacheprovider", "-W", "error::DeprecationWarning:manyone", *sys.argv[1:]])
sys.exit(77 if code == pytest.ExitCode.NO_TESTS_COLLECTED else code)
