# SPDX-License-Identifier: Apache-2.0
"""An installation of the current build, for tests that use it as a stranger would."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["MANYONE_BUILD"])
SOURCE = pathlib.Path(os.environ["MANYONE_SOURCE"])


def cached(name):
    """An entry of the CMake cache of the current build, "" if there is none."""
    match = re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE)
    return match.group(1) if match else ""


def flags_of_the_build():
    """A program must be linked with the sanitizers and counters that are in the library."""
    flags = []
    if cached("MANYONE_SANITIZE"):
        flags.append("-fsanitize=" + cached("MANYONE_SANITIZE"))
    if cached("MANYONE_COVERAGE").upper() in ("ON", "1", "TRUE", "YES"):
        flags.append("--coverage")
    return flags


def run(*command, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    done = subprocess.run([str(c) for c in command], text=True, timeout=280, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}\n{done.stdout[-2000:]}\n{(done.stderr or '')[-4000:]}")
    return done.stdout


class InstalledTest(unittest.TestCase):
    """Installs in `prefix`, moved there from where it was installed."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.work = pathlib.Path(cls.folder.name)
        cls.prefix = cls.work / "prefix"
        cls.libraries = cls.prefix / cached("CMAKE_INSTALL_LIBDIR")
        run("cmake", "--install", BUILD, "--prefix", cls.work / "first")
        (cls.work / "first").rename(cls.prefix)

    @classmethod
    def build(cls, source, program, *flags, compiler=None):
        """A program against the installed header and library, told no more than where they and Eigen are."""
        run(compiler or cached("CMAKE_CXX_COMPILER"), "-std=c++20", *flags_of_the_build(), f"-I{cls.prefix}/include",
            "-I/usr/include/eigen3", source, f"-L{cls.libraries}", f"-Wl,-rpath,{cls.libraries}", "-lmanyone", *flags, "-o", program)
        return program
