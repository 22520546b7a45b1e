# SPDX-License-Identifier: Apache-2.0
"""Builds the compiled part of the wheel with CMake, in build/wheel.

MANYONE_BUILD names a build folder that has it already.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
GIVEN = os.environ.get("MANYONE_BUILD")


def pybind11():
    """The folder where CMake finds pybind11: the one that MANYONE_BUILD took, that of Python, or that of the system."""
    if GIVEN:
        return pathlib.Path(re.search(r"^pybind11_DIR:\w+=(.*)$", (pathlib.Path(GIVEN) / "CMakeCache.txt").read_text(), re.MULTILINE).group(1))
    try:
        from pybind11 import get_cmake_dir
        return pathlib.Path(get_cmake_dir())
    except ImportError:
        system = [pathlib.Path(prefix) / "cmake" / "pybind11" for prefix in ("/usr/local/share", "/usr/local/lib", "/usr/share", "/usr/lib")]
        return next((folder for folder in system if folder.exists()), None)


def dependencies():
    """Modules that pybind11 before 2.12 has made do not work with numpy 2."""
    file = pybind11() and pybind11() / "pybind11ConfigVersion.cmake"
    version = file and re.search(r'PACKAGE_VERSION "(\d+)\.(\d+)', file.read_text())
    numpy_2 = version and tuple(map(int, version.groups())) >= (2, 12)
    return ["numpy>=1.22" if numpy_2 else "numpy>=1.22,<2", "scipy>=1.8", "scikit-learn>=1.2"]


def build_folder():
    """The folder with the compiled module, built where MANYONE_BUILD does not name one."""
    if GIVEN:
        return pathlib.Path(GIVEN)
    if pybind11() is None:
        raise SystemExit("pybind11 is missing: apt install pybind11-dev, or pip install pybind11")
    folder = ROOT / "build" / "wheel"
    options = {"CMAKE_BUILD_TYPE": "Release", "MANYONE_PYTHON": "ON", "Python_EXECUTABLE": sys.executable, "pybind11_DIR": pybind11(),
               "MANYONE_TOOL": "OFF", "MANYONE_TESTS": "OFF", "MANYONE_BENCH": "OFF", "MANYONE_INSTALL": "OFF"}
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    subprocess.run(["cmake", "-S", str(ROOT), "-B", str(folder), *generator, *(f"-D{name}={value}" for name, value in options.items())], check=True)
    targets = subprocess.run(["cmake", "--build", str(folder), "--target", "help"], check=True, capture_output=True, text=True).stdout
    if "manyone_core" not in targets:
        raise SystemExit("the module cannot be built: CMake says why after 'Python is off'")
    subprocess.run(["cmake", "--build", str(folder), "--target", "manyone_core", "--parallel", os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))], check=True)
    return folder


def version():
    return re.search(r"project\(manyone VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


class CMakeBuild(build_ext):
    """Takes the module that CMake made for this interpreter."""

    def build_extension(self, ext):
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        made = build_folder() / "python" / "manyone" / target.name
        if not made.exists():
            raise SystemExit(f"{made} does not exist: CMake says why after 'Python is off'")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(made, target)
        if shutil.which("strip"):
            subprocess.run(["strip", "--strip-unneeded", str(target)], check=True)


setup(version=version(), install_requires=dependencies(), ext_modules=[Extension("manyone._core", [])],
      cmdclass={"build_ext": CMakeBuild}, options={"build": {"build_base": "build/setuptools"}})
