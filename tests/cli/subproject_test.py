# SPDX-License-Identifier: Apache-2.0
"""manyone inside another CMake project: it adds its library and leaves the rest to the project."""
import pathlib
import re
import subprocess
import tempfile
import unittest

from installed import SOURCE, cached, run

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(host VERSION 7.0 LANGUAGES CXX)
add_subdirectory({source} manyone)
add_executable(host host.cpp)
target_link_libraries(host PRIVATE manyone::manyone)
"""


class SubprojectTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.work = pathlib.Path(folder.name)
        (cls.work / "CMakeLists.txt").write_text(PROJECT.format(source=SOURCE))
        (cls.work / "host.cpp").write_text("#include <manyone/manyone.hpp>\nint main() { return manyone::Matrix(1, 1).rows() == 1; }\n")
        cls.build = cls.work / "build"
        run("cmake", "-S", cls.work, "-B", cls.build, "-G", cached("CMAKE_GENERATOR"),
            f"-DCMAKE_CXX_COMPILER={cached('CMAKE_CXX_COMPILER')}")
        cache = (cls.build / "CMakeCache.txt").read_text()
        cls.cache = {name: (kind, value) for name, kind, value in re.findall(r"^([^#/\n:][^:\n]*):(\w+)=(.*)$", cache, re.MULTILINE)}

    def test_no_cache_variables_but_its_own(self):
        plain = self.work / "plain"
        plain.mkdir()
        (plain / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(host VERSION 7.0 LANGUAGES CXX)\n")
        run("cmake", "-S", plain, "-B", plain / "build", "-G", cached("CMAKE_GENERATOR"), f"-DCMAKE_CXX_COMPILER={cached('CMAKE_CXX_COMPILER')}")
        before = (plain / "build" / "CMakeCache.txt").read_text()
        added = [name for name, (kind, _) in self.cache.items() if kind != "INTERNAL" and not re.search(rf"^{re.escape(name)}:", before, re.MULTILINE)]
        # Its options, the folders that CMake notes of every project, and where its libraries were found.
        found = r"(Eigen3|fmt|nlohmann_json|hwy|Highway|pkgcfg_lib|ZLIB|OpenBLAS|PKG_CONFIG)\w*"
        self.assertEqual([name for name in added if not re.fullmatch(rf"MANYONE_\w+|manyone_\w+|{found}", name)], [])

    def test_the_build_type_is_the_projects(self):
        self.assertEqual(self.cache["CMAKE_BUILD_TYPE"][1], "")
        self.assertEqual(self.cache["CMAKE_PROJECT_VERSION"][1], "7.0")

    @unittest.skipUnless(cached("CMAKE_GENERATOR") == "Ninja", "what would be built is read from ninja")
    def test_only_the_library_is_part_of_all_and_the_page_needs_no_npm(self):
        plan = run("ninja", "-C", self.build, "-t", "commands", "all")
        self.assertTrue("libmanyone.a" in plan and "embed_page.cmake" in plan)
        for unwanted in ("/cli/", "/tests/", "/bench/", "/python/", "npm ", "node "):
            self.assertFalse(unwanted in plan, unwanted)
        self.assertNotIn("CLI11_DIR", self.cache)

    def test_without_an_openblas_of_its_own_it_says_what_is_lost_and_python_is_refused(self):
        said = run("cmake", "-S", self.work, "-B", self.work / "shared", "-G", cached("CMAKE_GENERATOR"), "-DMANYONE_STATIC_BLAS=OFF", "-DMANYONE_PYTHON=ON",
                   f"-DCMAKE_CXX_COMPILER={cached('CMAKE_CXX_COMPILER')}", stderr=subprocess.STDOUT)
        self.assertIn("No OpenBLAS of our own: MANYONE_STATIC_BLAS is OFF.", said)
        self.assertIn("Python is off: without an OpenBLAS of its own it would share numpy's", said)


if __name__ == "__main__":
    unittest.main()
