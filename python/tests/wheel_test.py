# SPDX-License-Identifier: Apache-2.0
"""The source archive, the wheel that is made of it, and both ways to install, without network and without this tree.

The compiled module is taken from what CMake has built already; with MANYONE_LONG_TESTS it is compiled from the archive.
"""
import email
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

for module in ("build", "setuptools", "wheel", "venv"):
    pytest.importorskip(module)

SOURCE = pathlib.Path(os.environ["MANYONE_SOURCE"]) if "MANYONE_SOURCE" in os.environ else pathlib.Path(__file__).resolve().parents[2]
BUILD = os.environ.get("MANYONE_BUILD")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MANYONE_BUILD")}
if not os.environ.get("MANYONE_LONG_TESTS"):
    ENVIRONMENT["MANYONE_BUILD"] = BUILD

PROGRAM = """
import pathlib, sys
import manyone
from sklearn.datasets import load_iris
assert pathlib.Path(manyone.__file__).is_relative_to(sys.prefix), manyone.__file__
X, y = load_iris(return_X_y=True)
print(manyone.__version__, manyone.OneLSMClassifier().fit(X, y).score(X, y) > 0.95)
"""


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], env=ENVIRONMENT, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the sources: building leaves files behind."""
    copy = tmp_path_factory.mktemp("tree") / "manyone"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("build", "node_modules", ".git", "__pycache__", "*.egg-info"))
    return copy


@pytest.fixture(scope="module")
def sdist(tree, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sdist")
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", folder, cwd=tree)
    made, = folder.glob("*.tar.gz")
    return made


@pytest.fixture(scope="module")
def wheel(sdist, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder)
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, cwd=folder / sdist.name.removesuffix(".tar.gz"))
    made, = folder.glob("*.whl")
    return made


def test_the_source_archive_has_all_that_is_compiled(sdist):
    with tarfile.open(sdist) as archive:
        there = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {"CMakeLists.txt", "LICENSE", "packaging/NOTICES", "page/build.mjs", "page/package-lock.json", "python/CMakeLists.txt", "python/README.md"}
    for folder in ("src", "cmake", "page/src", "page/bundle", "python/src", "python/manyone"):
        wanted |= {str(path.relative_to(SOURCE)) for path in (SOURCE / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert wanted - there == set()


def test_the_wheel_has_what_it_needs_and_no_more(wheel):
    assert wheel.name.startswith("manyone-") and f"cp{sys.version_info.major}{sys.version_info.minor}" in wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    assert {"manyone/__init__.py", "manyone/onelsm.py", "manyone/py.typed", "manyone/_core.pyi"} <= set(names)
    assert sum(name.startswith("manyone/_core.") and name.endswith(".so") for name in names) == 1
    assert not [name for name in names if "test" in name or name.endswith((".cpp", ".hpp"))]


def test_the_wheel_has_the_licence_and_the_notices_of_what_is_inside(wheel):
    archive = zipfile.ZipFile(wheel)
    texts = {pathlib.PurePath(name).name: archive.read(name).decode() for name in archive.namelist() if ".dist-info/" in name}
    assert "Apache License" in texts["LICENSE"]
    assert all(name in texts["NOTICES"] for name in ("OpenBLAS", "LAPACK", "fmt", "pybind11", "Eigen", "nlohmann/json", "Highway", "D3"))


def test_the_wheel_asks_for_a_numpy_that_its_module_works_with(wheel):
    archive = zipfile.ZipFile(wheel)
    metadata = email.message_from_bytes(archive.read(next(name for name in archive.namelist() if name.endswith("METADATA"))))
    numpy, = (text for text in metadata.get_all("Requires-Dist") if text.startswith("numpy"))
    folder = re.search(r"^pybind11_DIR:\w+=(.*)$", (pathlib.Path(BUILD) / "CMakeCache.txt").read_text(), re.MULTILINE)[1]
    version = re.search(r'PACKAGE_VERSION "(\d+)\.(\d+)', (pathlib.Path(folder) / "pybind11ConfigVersion.cmake").read_text())
    assert ("<2" in numpy) == (tuple(map(int, version.groups())) < (2, 12))


@pytest.mark.parametrize("what", ["wheel", "tree"])
def test_it_works_in_a_fresh_environment(what, tmp_path, request):
    run(sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--quiet", request.getfixturevalue(what))
    version, good = run(python, "-c", PROGRAM, cwd=tmp_path).split()
    assert good == "True"
    assert version in request.getfixturevalue("wheel").name
