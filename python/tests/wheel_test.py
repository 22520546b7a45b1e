# SPDX-License-Identifier: Apache-2.0
"""The wheel, built from what CMake has built already, in an environment that has nothing of this tree."""
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import pytest

for module in ("build", "setuptools", "wheel", "venv"):
    pytest.importorskip(module)

BUILD = os.environ.get("MANYONE_BUILD")

PROGRAM = """
import pathlib, sys
import manyone
from sklearn.datasets import load_iris
assert pathlib.Path(manyone.__file__).is_relative_to(sys.prefix), manyone.__file__
X, y = load_iris(return_X_y=True)
print(manyone.__version__, manyone.OneLSMClassifier().fit(X, y).score(X, y) > 0.95)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    package = pathlib.Path(__file__).resolve().parents[1]
    # A copy: building leaves files behind, which do not belong into the source tree.
    shutil.copytree(package, folder / "python", ignore=shutil.ignore_patterns("tests", "src", "__pycache__", "*.egg-info", "build"))
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)], cwd=folder / "python",
                   env={**os.environ, "MANYONE_BUILD": str(BUILD)}, check=True, capture_output=True, text=True)
    made, = folder.glob("*.whl")
    return made


def test_the_wheel_has_what_it_needs_and_no_more(wheel):
    assert wheel.name.startswith("manyone-") and f"cp{sys.version_info.major}{sys.version_info.minor}" in wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    assert {"manyone/__init__.py", "manyone/onelsm.py", "manyone/py.typed", "manyone/_core.pyi"} <= set(names)
    assert sum(name.startswith("manyone/_core.") and name.endswith(".so") for name in names) == 1
    assert not [name for name in names if "test" in name or name.endswith((".cpp", ".hpp"))]


def test_the_wheel_works_in_a_fresh_environment(wheel, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", str(wheel)], check=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([python, "-c", PROGRAM], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True)
    version, good = done.stdout.split()
    assert good == "True"
    assert version in wheel.name
