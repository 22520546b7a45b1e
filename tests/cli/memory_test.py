# SPDX-License-Identifier: Apache-2.0
"""What does not fit is refused before it is allocated: exit code 5 and how much it would take."""
import resource

from tool import DIGITS, IRIS, MEMORY, ToolTest, noise_table


class Memory(ToolTest):
    def test_a_kernel_matrix_above_the_limit_names_its_size(self):
        result = self.fails(MEMORY, "fit", DIGITS, "-o", "m", "--machine", "onelsm", "--quiet", "--memory", "1M", "--sigma", 1, "--ridge", 1,
                            says=["onelsm on 1200 rows", "needs 11.0 MB", "only 1.0 MB may be used", "--memory"])
        self.assertEqual(result.out, "")
        self.assertFalse((self.folder / "m").exists())

    def test_a_search_above_the_limit_is_refused(self):
        self.fails(MEMORY, "tune", DIGITS, "--machine", "onelsm", "--quiet", "--memory", "1M", says=["tuning on 1200 rows needs", "only 1.0 MB"])
        self.fails(MEMORY, "fit", DIGITS, "-o", "m", "--machine", "onelsm", "--quiet", "--memory", "1M", says=["needs", "only 1.0 MB"])

    def test_a_table_above_the_limit_is_refused_while_it_is_read(self):
        table = self.write("t.csv", noise_table(3000, 60, 2))
        self.fails(MEMORY, "fit", table, "-o", "m", "--machine", "onelsm", "--quiet", "--memory", "500K", says=["only 500.0 kB may be used"])

    def test_nothing_large_is_allocated_before_the_refusal(self):
        # 30000 rows: the matrix would take 7.2 GB. The peak is that of the largest child so far, so it may only be bounded.
        lines = ["x,y,class"] + [f"{i % 173},{i % 91},{i % 2}" for i in range(30000)]
        table = self.write("t.csv", "\n".join(lines) + "\n")
        self.fails(MEMORY, "fit", table, "-o", "m", "--machine", "onelsm", "--quiet", "--memory", "1G", "--sigma", 1, "--ridge", 1,
                   says=["onelsm on 30000 rows", "needs 6.7 GB", "only 1.0 GB may be used"])
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 1 << 20)  # kB

    def test_enough_memory_is_enough(self):
        self.succeeds("fit", IRIS, "-o", "m", "--memory", "100M", "--quiet")
        self.succeeds("fit", IRIS, "-o", "m", "--memory", "1G", "--quiet")
