# SPDX-License-Identifier: Apache-2.0
"""Builds the compiled part of the wheel with CMake.

MANYONE_BUILD names a build folder that has it already. Without it the release build of this tree is made, or brought up
to date, by the same preset that ./dev uses.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent.parent


def build_folder():
    """The folder with the compiled module, built where MANYONE_BUILD does not name one."""
    given = os.environ.get("MANYONE_BUILD")
    if given:
        return pathlib.Path(given)
    folder = ROOT / "build" / "release"
    subprocess.run(["cmake", "--preset", "release", "-DMANYONE_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"], cwd=ROOT, check=True)
    subprocess.run(["cmake", "--build", str(folder), "--target", "manyone_core"], cwd=ROOT, check=True)
    return folder


def version():
    """Of the CMake project: in the tree, or in what MANYONE_BUILD was configured from."""
    given = os.environ.get("MANYONE_BUILD")
    text = (pathlib.Path(given) / "CMakeCache.txt" if given else ROOT / "CMakeLists.txt").read_text()
    return re.search(r"CMAKE_PROJECT_VERSION:STATIC=(\S+)" if given else r"project\(manyone VERSION (\S+)", text).group(1)


class CMakeBuild(build_ext):
    """Takes the module that CMake made for this interpreter."""

    def build_extension(self, ext):
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        made = build_folder() / "python" / "manyone" / target.name
        if not made.exists():
            raise SystemExit(f"{made} does not exist: CMake says why Python is off (pybind11-dev, numpy and scikit-learn are needed)")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(made, target)
        if shutil.which("strip"):
            subprocess.run(["strip", "--strip-unneeded", str(target)], check=True)


setup(version=version(), ext_modules=[Extension("manyone._core", [])], cmdclass={"build_ext": CMakeBuild})
