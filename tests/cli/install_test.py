# SPDX-License-Identifier: Apache-2.0
"""An installed manyone can be found and used: `cmake --install`, then both examples are built against it and run."""
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
    return " ".join(flags)


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=280)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    return done.stdout


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.prefix = pathlib.Path(cls.folder.name) / "prefix"
        cls.examples = pathlib.Path(cls.folder.name) / "examples"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        run("cmake", "-S", SOURCE / "examples", "-B", cls.examples, "-G", cached("CMAKE_GENERATOR"),
            f"-DCMAKE_PREFIX_PATH={cls.prefix}", f"-DCMAKE_CXX_COMPILER={cached('CMAKE_CXX_COMPILER')}",
            "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_FLAGS={flags_of_the_build()} -Wall -Wextra -Werror")
        run("cmake", "--build", cls.examples)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_first_example_tunes_tests_saves_and_loads(self):
        model = pathlib.Path(self.folder.name) / "digits.safetensors"
        out = run(self.examples / "01_fit_and_predict", SOURCE / "data" / "digits.train.csv",
                  SOURCE / "data" / "digits.test.csv", model)
        self.assertTrue(model.exists())
        error, rows = re.search(r"test error: ([\d.]+) % of (\d+) rows", out).groups()
        self.assertLess(float(error), 6)
        self.assertEqual(int(rows), 597)
        probabilities = dict(re.findall(r"(\d)=([\d.]+)", out.splitlines()[-1]))
        self.assertEqual(len(probabilities), 10)
        self.assertAlmostEqual(sum(map(float, probabilities.values())), 1, delta=0.01)
        self.assertEqual(max(probabilities, key=lambda c: float(probabilities[c])), "0")

    def test_first_example_explains_a_wrong_file(self):
        done = subprocess.run([str(self.examples / "01_fit_and_predict"), "no-such.csv", "no-such.csv", "m"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 3)
        self.assertIn("no-such.csv", done.stderr)

    def test_second_example_predicts_with_weights_and_reports_progress(self):
        out = run(self.examples / "02_fixed_parameters")
        self.assertIn("note: class 'far' has a single row", out)
        self.assertIn("\ninside\naround\nfar\n", out)
        self.assertIn("tuning ...\n... done\n", out)
        self.assertRegex(out, r"leave-one-out error: [\d.]+ %")

    def test_installed_tool_runs(self):
        self.assertIn("onelsm", run(self.prefix / "bin" / "manyone", "machines"))


if __name__ == "__main__":
    unittest.main()
