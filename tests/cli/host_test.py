# SPDX-License-Identifier: Apache-2.0
"""The installed library in programs that it does not know: it leaves them as they are, however they are compiled."""
import shutil
import subprocess
import unittest

from installed import SOURCE, InstalledTest, cached, run

ADVANCED = """
#include <manyone/eigen.hpp>
#include <manyone/manyone.hpp>
#include <cstdio>
int main() {
  Eigen::MatrixXd X(6, 2);
  X << 0, 0, 0, 1, 1, 0, 5, 5, 5, 6, 6, 5;
  for (int round = 0; round < 100; ++round) {
    const manyone::Table table = manyone::Table::of(manyone::view(X), {"near", "near", "near", "far", "far", "far"});
    const manyone::Classifier model = manyone::fit(table, {.sigma = 1, .ridge = 0.1}, {.threads = 1}).classifier;
    const manyone::Matrix p = model.probabilities(manyone::view(X));
    const Eigen::MatrixXd q = manyone::map(p);
    if (q(0, 1) < 0.5) return 1;
  }
  std::puts("probable");
}
"""


@unittest.skipIf(cached("MANYONE_SANITIZE"), "the program's OpenBLAS has threads that sanitizers do not see")
class HostTest(InstalledTest):
    def program(self, text, name, *flags, compiler=None):
        source = self.work / f"{name}.cpp"
        source.write_text(text)
        return self.build(source, self.work / name, *flags, compiler=compiler)

    def test_the_library_changes_nothing_in_its_host(self):
        blas = [f"-I{cached('OpenBLAS_INCLUDE_DIR')}", cached("OpenBLAS_LIBRARY")]
        for order in (blas, ["-Wl,--push-state,--no-as-needed", *blas, "-lmanyone", "-Wl,--pop-state"]):
            program = self.build(SOURCE / "tests" / "cli" / "host_program.cpp", self.work / "host", "-O1", "-pthread", *order)
            self.assertEqual(run(program), "unchanged\n")

    def test_programs_for_any_processor_use_the_library(self):
        compilers = {cached("CMAKE_CXX_COMPILER"), shutil.which("clang++") or cached("CMAKE_CXX_COMPILER")}
        for compiler in compilers:
            for number, flags in enumerate((["-O2"], ["-O0"], ["-O2", "-mavx2"], ["-O0", "-mavx2"], ["-O2", "-march=native"])):
                with self.subTest(compiler=compiler, flags=flags):
                    program = self.program(ADVANCED, f"by_{number}", *flags, compiler=compiler)
                    self.assertEqual(run(program), "probable\n")

    def test_programs_have_eigen_as_they_like(self):
        for number, (head, flags) in enumerate((("#define EIGEN_MAX_ALIGN_BYTES 16\n", []), ("", ["-DEIGEN_DONT_ALIGN"]), ("", ["-DEIGEN_DEFAULT_DENSE_INDEX_TYPE=int"]),
                                                ("", ["-DEIGEN_MALLOC_ALREADY_ALIGNED=1"]), ("", ["-DEIGEN_DEFAULT_TO_ROW_MAJOR"]))):
            with self.subTest(head=head, flags=flags):
                self.assertEqual(run(self.program(head + ADVANCED, f"own_{number}", *flags)), "probable\n")

    def test_the_tour_runs_as_compiled_for_any_processor(self):
        for number, flags in enumerate((["-O2", "-march=native"], ["-O2", "-mavx2"], ["-O0"])):
            with self.subTest(flags=flags):
                program = self.build(SOURCE / "examples" / "05_tour.cpp", self.work / f"tour_{number}", "-pthread", *flags)
                self.assertTrue(run(program, SOURCE / "data" / "wine.csv", self.work / "wine.safetensors").endswith("stopped\nfar\n"))

    def test_what_is_no_view_of_doubles_does_not_compile(self):
        for number, (matrix, said) in enumerate((("Eigen::MatrixXf(6, 2)", "manyone reads doubles"), ("Eigen::MatrixXd(2, 2) * 2", "manyone reads numbers in memory"))):
            with self.subTest(matrix), self.assertRaisesRegex(AssertionError, said):
                self.program(f"#include <manyone/eigen.hpp>\nint main() {{ return manyone::view({matrix}).rows == 6; }}\n", f"refused_{number}")


if __name__ == "__main__":
    unittest.main()
