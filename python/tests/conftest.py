# SPDX-License-Identifier: Apache-2.0
"""Tables and tools that several tests use. The environment names the command-line tool (MANYONE) and the source tree."""
import os
import pathlib
import subprocess

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_blobs

SOURCE = pathlib.Path(os.environ.get("MANYONE_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
TOOL = os.environ.get("MANYONE", str(SOURCE / "build" / "release" / "manyone"))


@pytest.fixture(scope="session")
def iris():
    """X, y with integers as labels."""
    return load_iris(return_X_y=True)


@pytest.fixture(scope="session")
def two_classes():
    return make_blobs(120, centers=2, cluster_std=2.0, random_state=3)


@pytest.fixture(scope="session")
def source():
    return SOURCE


@pytest.fixture
def tool(tmp_path):
    """Runs the command-line tool in a folder of its own and returns what it printed."""

    def run(*arguments):
        done = subprocess.run([TOOL, *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def iris_table(source):
    """The bundled table as the command line reads it: rows, labels as text, names of the columns."""
    lines = (source / "data" / "iris.csv").read_text().splitlines()
    cells = [line.split(",") for line in lines[1:]]
    return np.array([row[:-1] for row in cells], dtype=float), np.array([row[-1] for row in cells]), lines[0].split(",")
