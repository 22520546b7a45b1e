# SPDX-License-Identifier: Apache-2.0
"""The installed library in programs that it does not know: it leaves them as they are, however they are compiled."""
import shutil
import subprocess
import unittest

from installed import SOURCE, InstalledTest, cached, run

ADVANCED = """
#include <manyone/manyone.hpp>
#include <cstdio>
int main() {
  manyone::Runtime runtime(1);
  for (int round = 0; round < 100; ++round) {
    const manyone::Matrix x{{0, 0}, {0, 1}, {1, 0}, {5, 5}, {5, 6}, {6, 5}};
    const manyone::Dataset data = manyone::make_dataset(x, {"near", "near", "near", "far", "far", "far"});
    const manyone::Classifier model = manyone::train(runtime.execution(), data, manyone::Recipe{}, 1.0, 0.1);
    const manyone::Matrix p = model.probabilities(runtime.backend(), x);
    if (p(0, 1) < 0.5) return 1;
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

    def test_a_runtime_changes_nothing_in_its_host(self):
        blas = [f"-I{cached('OpenBLAS_INCLUDE_DIR')}", cached("OpenBLAS_LIBRARY")]
        for order in (blas, ["-Wl,--push-state,--no-as-needed", *blas, "-lmanyone", "-Wl,--pop-state"]):
            program = self.build(SOURCE / "tests" / "cli" / "host_program.cpp", self.work / "host", "-O1", "-pthread", *order)
            self.assertEqual(run(program), "unchanged\n")

    def test_programs_for_any_processor_share_matrices_with_the_library(self):
        compilers = {cached("CMAKE_CXX_COMPILER"), shutil.which("clang++") or cached("CMAKE_CXX_COMPILER")}
        for compiler in compilers:
            for number, flags in enumerate((["-O2"], ["-O0"], ["-O2", "-mavx2"], ["-O0", "-mavx2"], ["-O2", "-march=native"])):
                with self.subTest(compiler=compiler, flags=flags):
                    program = self.program(ADVANCED, f"by_{number}", *flags, compiler=compiler)
                    self.assertEqual(run(program), "probable\n")

    def test_a_program_with_another_alignment_is_refused_by_the_compiler(self):
        for number, (head, flags) in enumerate((("#define EIGEN_MAX_ALIGN_BYTES 16\n", []), ("#include <Eigen/Core>\n", []), ("", ["-DEIGEN_MAX_ALIGN_BYTES=32"]),
                                                ("#include <Eigen/Core>\n", ["-mavx2"]), ("", ["-DEIGEN_DONT_ALIGN"]))):
            with self.subTest(head=head, flags=flags), self.assertRaisesRegex(AssertionError, "manyone aligns matrices to 64 bytes: compile all files"):
                self.program(head + ADVANCED, f"refused_{number}", *flags)
        self.program("#include <Eigen/Core>\n" + ADVANCED, "told", "-DEIGEN_MAX_ALIGN_BYTES=64", "-mavx2")

    def test_a_program_with_other_indices_or_allocations_is_refused_by_the_compiler(self):
        for number, flag in enumerate(("-DEIGEN_DEFAULT_DENSE_INDEX_TYPE=int", "-DEIGEN_MALLOC_ALREADY_ALIGNED=1")):
            with self.subTest(flag), self.assertRaisesRegex(AssertionError, "Eigen's own kind of index and of allocation"):
                self.program(ADVANCED, f"other_{number}", flag)


if __name__ == "__main__":
    unittest.main()
