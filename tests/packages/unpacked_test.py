# SPDX-License-Identifier: Apache-2.0
"""Unpacks the Debian packages into an empty root and uses what is there: unpacked_test.py PACKAGES BUILD SOURCE

Checked: the fields that apt reads, that every library a binary needs belongs to a package it depends on, the tool, and
programs built against the unpacked library by pkg-config and by find_package. Exit code 77 without dpkg and pkg-config.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

PACKAGES, BUILD, SOURCE = map(pathlib.Path, sys.argv[1:4])
NAMES = {"libmanyone0", "libmanyone-dev", "manyone", "manyone-studies"}


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=250, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def cached(name):
    return re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE)[1]


def owner(library):
    """The package that a library of this system belongs to; dpkg knows files by the place they were packed for."""
    found = re.search(rf"^\s*{re.escape(library)} .*=> (\S+)$", run("/sbin/ldconfig", "-p"), re.MULTILINE)
    assert found, f"{library} is not on this system"
    for path in (found[1], os.path.realpath(found[1]), found[1].removeprefix("/usr"), "/usr" + found[1]):
        done = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.split(":")[0]
    raise AssertionError(f"no package owns {library}")


class DebianPackages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.folder.name)
        cls.packages = {path.name.split("_")[0]: path for path in PACKAGES.glob("*.deb")}
        cls.root = cls.work / "root"
        for package in cls.packages.values():
            run("dpkg-deb", "-x", package, cls.root)
        cls.libraries = cls.root / "usr" / cached("CMAKE_INSTALL_LIBDIR")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def field(self, package, name):
        return run("dpkg-deb", "-f", self.packages[package], name).strip()

    def depends(self, package):
        """Names of the packages that one depends on."""
        return {re.split(r"[ (|:]", entry.strip())[0] for entry in self.field(package, "Depends").split(",")}

    def with_library(self):
        return {**os.environ, "LD_LIBRARY_PATH": str(self.libraries)}

    def test_there_are_four(self):
        self.assertEqual(set(self.packages), NAMES)
        for name in NAMES:
            self.assertEqual(self.field(name, "Version"), cached("CMAKE_PROJECT_VERSION"))
            self.assertEqual(self.field(name, "Architecture"), run("dpkg", "--print-architecture").strip())
            self.assertTrue((self.root / "usr/share/doc" / name / "copyright").exists())
        self.assertEqual(len({self.field(name, "Description").splitlines()[0] for name in NAMES}), len(NAMES))

    def test_headers_need_the_library_of_the_same_version_and_suggest_eigen(self):
        self.assertIn(f"libmanyone0 (= {self.field('libmanyone0', 'Version')})", self.field("libmanyone-dev", "Depends"))
        self.assertNotIn("libeigen3-dev", self.depends("libmanyone-dev"))
        self.assertIn("libeigen3-dev", self.field("libmanyone-dev", "Suggests"))

    def test_every_needed_library_is_depended_on(self):
        for package, binary in (("libmanyone0", self.libraries / "libmanyone.so.0"), ("manyone", self.root / "usr/bin/manyone"),
                                ("manyone-studies", self.root / "usr/bin/manyone-reproduce")):
            for library in re.findall(r"NEEDED +(\S+)", run("objdump", "-p", binary)):
                with self.subTest(f"{package} {library}"):
                    # OpenBLAS has several builds, any of which may be installed.
                    allowed = self.depends(package) | ({"libopenblas0-pthread"} if "libopenblas0" in self.depends(package) else set())
                    self.assertIn(owner(library), allowed)

    def test_programs_built_with_it_will_depend_on_the_library(self):
        run("dpkg-deb", "-e", self.packages["libmanyone0"], self.work / "control")
        self.assertEqual((self.work / "control" / "shlibs").read_text().split()[:3], ["libmanyone", "0", "libmanyone0"])

    def test_binaries_are_stripped(self):
        for binary in (self.libraries / "libmanyone.so.0", self.root / "usr/bin/manyone", self.root / "usr/bin/manyone-reproduce"):
            self.assertNotIn(".symtab", run("readelf", "-S", "-W", binary))

    def test_tool_trains_from_there(self):
        tool, share = self.root / "usr/bin/manyone", self.root / "usr/share"
        run(tool, "fit", share / "manyone" / "iris.csv", "-o", self.work / "iris.safetensors")
        self.assertIn("150 rows", run(tool, "evaluate", self.work / "iris.safetensors", share / "manyone" / "iris.csv"))
        said = run(tool, "reproduce", "honeine-table4", "--machines", "onelsm", "--datasets", "iris", "--repeats", 1,
                   env={**os.environ, "MANYONE_DATA": str(share / "manyone")})
        self.assertIn("oneLSM", said)
        for file in ("man/man1/manyone-fit.1.gz", "man/man1/manyone-reproduce.1.gz", "bash-completion/completions/manyone", "zsh/vendor-completions/_manyone"):
            self.assertTrue((share / file).exists(), file)

    def test_program_by_pkg_config(self):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(self.libraries / "pkgconfig")}
        flags = shlex.split(run("pkg-config", "--cflags", "--libs", "manyone", env=environment))
        program = self.work / "by_pkg_config"
        run(cached("CMAKE_CXX_COMPILER"), "-std=c++20", SOURCE / "examples" / "02_fixed_parameters.cpp", *flags, "-o", program)
        self.assertIn("\ninside\naround\nfar\n", run(program, env=self.with_library()))

    def test_program_by_find_package(self):
        build = self.work / "examples"
        run("cmake", "-S", SOURCE / "examples", "-B", build, "-G", cached("CMAKE_GENERATOR"), f"-DCMAKE_PREFIX_PATH={self.root}/usr",
            "-DCMAKE_BUILD_TYPE=Debug")
        run("cmake", "--build", build, "--target", "05_tour")
        self.assertIn("stopped\nfar\n", run(build / "05_tour", SOURCE / "data" / "wine.csv", self.work / "wine.safetensors", env=self.with_library()))


def main():
    if not all(map(shutil.which, ("dpkg", "dpkg-deb", "pkg-config"))) or not PACKAGES.exists():
        print("skipped: dpkg-dev, file or pkgconf is missing")
        return 77
    return 0 if unittest.main(argv=sys.argv[:1], exit=False, verbosity=2).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
