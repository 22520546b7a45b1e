# SPDX-License-Identifier: Apache-2.0
"""What does not fit is refused before it is allocated: exit code 5 and how much it would take."""
import gzip
import os
import resource
import subprocess
import threading
import unittest

from installed import cached
from tool import DIGITS, DONE, INPUT, IRIS, MEMORY, TOOL, ToolTest, noise_table

MB = 1 << 20


@unittest.skipIf(cached("MANYONE_SANITIZE") or cached("MANYONE_COVERAGE") == "ON",
                 "sanitizers and counters of lines take address space and memory of their own")
class Memory(ToolTest):
    def test_a_kernel_matrix_above_the_limit_names_its_size(self):
        result = self.fails(MEMORY, "fit", DIGITS, "-o", "m", "--machine", "onelsm", "--quiet", "--memory", "1M", "--sigma", 1, "--ridge", 1,
                            says=["onelsm on 1200 rows", "needs 11.0 MB", "only 1.0 MB may be used", "--memory"])
        self.assertEqual(result.out, "")
        self.assertFalse((self.folder / "m").exists())

    def test_a_search_above_the_limit_is_refused(self):
        self.fails(MEMORY, "tune", DIGITS, "--machine", "onelsm", "--quiet", "--memory", "1M", says=["tuning on 1200 rows needs", "only 1.0 MB"])
        self.fails(MEMORY, "fit", DIGITS, "-o", "m", "--machine", "onelsm", "--quiet", "--memory", "1M", says=["needs", "only 1.0 MB"])

    def test_a_search_that_does_not_fit_is_left_to_msvr(self):
        for limit in ("26M", "30M", "33M"):
            code, peak = self.peak("fit", DIGITS, "-o", "m", "--quiet", "--memory", limit)
            self.assertEqual(code, DONE, limit)

    def test_memory_holds_for_searches_side_by_side(self):
        table = self.write("t.csv", noise_table(3500, 6, 4))
        code, peak = self.peak("fit", table, "-o", "m", "--quiet", "--memory", "350M", "--threads", 2)
        self.assertEqual(code, DONE)
        self.assertLess(peak, 380 * MB)

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

    def within(self, limit, *arguments, kind=resource.RLIMIT_AS):
        """Runs under a limit of the address space; a run that does not end is an error of this test."""
        return self.run_tool(*arguments, preexec_fn=lambda: resource.setrlimit(kind, (limit, limit)))

    def peak(self, *arguments):
        """Exit code and largest memory of one run, in bytes."""
        process = subprocess.Popen([TOOL, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, usage.ru_maxrss << 10

    def refused_within(self, most, *arguments):
        code, peak = self.peak(*arguments)
        self.assertEqual(code, MEMORY, arguments)
        self.assertLess(peak, most, arguments)

    def test_a_limit_of_the_address_space_never_hangs(self):
        for megabytes in (40, 60, 100, 150, 200, 250, 400, 1000):
            for threads in ("1", "4"):
                result = self.within(megabytes * MB, "fit", DIGITS, "-o", "m", "--quiet", "--threads", threads)
                self.assertIn(result.code, (DONE, MEMORY), f"{megabytes} MB, {threads} threads: {result}")
                self.assertNotIn("terminate", result.err)
        self.assertEqual(result.code, DONE)

    def test_a_limit_of_the_data_segment_never_hangs(self):
        for megabytes in (20, 60, 150, 250):
            result = self.within(megabytes * MB, "fit", DIGITS, "-o", "m", "--quiet", kind=resource.RLIMIT_DATA)
            self.assertIn(result.code, (DONE, MEMORY), str(result))

    def test_too_little_address_space_is_said(self):
        result = self.within(100 * MB, "fit", IRIS, "-o", "m", "--quiet")
        self.assertEqual(result.code, MEMORY, str(result))
        for part in ("address space", "ulimit -v"):
            self.assertIn(part, result.err)

    def test_the_address_space_is_part_of_the_budget(self):
        table = self.write("t.csv", noise_table(12000, 3, 2))  # a matrix of 1.1 GB
        result = self.within(800 * MB, "fit", table, "-o", "m", "--machine", "onelsm", "--sigma", 1, "--ridge", 1, "--quiet",
                             "--threads", 1)
        self.assertEqual(result.code, MEMORY, str(result))
        self.assertIn("needs 1.1 GB, but only", result.err)

    def test_memory_holds_for_wide_sparse_rows(self):
        wide = self.write("w.svm", "1 1:1.2 99999999:1.1\n1 1:2.2 3:1\n2 1:1 4:3\n2 2:1 5:1\n")
        self.refused_within(100 * MB, "fit", wide, "-o", "m", "--sigma", 1, "--ridge", 1, "--memory", "200M")
        self.refused_within(100 * MB, "fit", wide, "-o", "m", "--stream", "--machine", "msvr", "--sigma", 1, "--ridge", 1,
                            "--memory", "200M")

    def test_memory_holds_for_many_columns(self):
        columns = 1_000_000
        rows = ",".join(["x"] * columns) + "\n" + ("1," * (columns - 1) + "a\n") + ("2," * (columns - 1) + "b\n")
        path = self.folder / "wide.csv.gz"
        path.write_bytes(gzip.compress(rows.encode(), 6))
        self.refused_within(150 * MB, "fit", path, "-o", "m", "--memory", "100M", "--header", "no")
        self.refused_within(150 * MB, "predict", self.fitted(), path, "--memory", "100M")
        attributes = "@relation r\n" + "".join(f"@attribute x{i} numeric\n" for i in range(200_000)) + "@data\n"
        self.refused_within(150 * MB, "fit", self.write("t.arff", attributes), "-o", "m", "--memory", "50M")

    def test_memory_holds_for_json_predictions(self):
        model = self.fitted()
        lines = IRIS.read_text().splitlines()
        large = self.write("large.csv", "\n".join([lines[0], *lines[1:] * 2000]) + "\n")
        self.refused_within(150 * MB, "predict", model, large, "--json", "--scores", "--proba", "--memory", "60M")
        self.fails(MEMORY, "predict", model, large, "--json", "--memory", "30M", says=["JSON document", "leave out --json"])
        self.succeeds("predict", model, large, "-o", "rows", "--memory", "60M")

    def test_memory_holds_for_imported_models(self):
        text = ("svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 2\nnr_sv 1 1\nSV\n"
                "1 1:1 99999999:1\n-1 1:2\n")
        self.refused_within(100 * MB, "import", self.write("l.model", text), "-o", "m", "--memory", "200M")

    @staticmethod
    def pack(path, head, pair, megabytes, tail):
        """A long text, piece by piece: what this process takes would count as the tool's."""
        with gzip.open(path, "wb", 1) as stream:
            stream.write(head)
            for _ in range(megabytes):
                stream.write(pair * (MB // 2))
            stream.write(tail)

    def test_memory_holds_for_long_lines(self):
        path = self.folder / "long.csv.gz"
        self.pack(path, b"", b"1,", 80, b"1\n")
        for option in ("--labelbook", "--label-kernel", "--weights"):
            self.refused_within(100 * MB, "fit", IRIS, "-o", "m", option, path, "--memory", "50M")
        self.refused_within(100 * MB, "fit", path, "-o", "m", "--memory", "50M")
        values = "@relation r\n@attribute x {" + ",".join(map(str, range(400_000))) + "}\n@data\n"
        self.refused_within(100 * MB, "fit", self.write("v.arff", values), "-o", "m", "--memory", "50M")

    def test_memory_holds_for_results_and_journals(self):
        path = self.folder / "r.json.gz"
        self.pack(path, b'{"a":"', b"xx", 300, b"")
        self.fails(INPUT, "report", path, "-o", "p.html", says="longer than 256 MB")
        with open(self.folder / "sparse", "wb") as sparse:
            sparse.truncate(3 << 30)
        for command in (("tune", IRIS), ("compare", IRIS, "--machines", "onelsm,ls-ova")):
            code, peak = self.peak(*command, "--resume", "sparse")
            self.assertEqual(code, INPUT)
            self.assertLess(peak, 100 * MB)

    def test_side_files_without_an_end_are_refused(self):
        self.fails(INPUT, "fit", IRIS, "-o", "m", "--weights", "/dev/zero", says="NUL byte")
        self.fails(INPUT, "fit", IRIS, "-o", "m", "--folds", "/dev/zero", says="NUL byte")
        pipe = self.folder / "endless"
        os.mkfifo(pipe)

        def write():
            try:
                with open(pipe, "wb") as stream:
                    while True:
                        stream.write(b"1\n" * 100_000)
            except BrokenPipeError:
                pass

        writer = threading.Thread(target=write)
        writer.start()
        self.refused_within(150 * MB, "fit", IRIS, "-o", "m", "--weights", pipe, "--memory", "50M")
        writer.join()

    def test_eighty_thousand_names_take_no_time(self):
        names = ",".join(f"x{i}" for i in range(80_000)) + ",class\n"
        table = self.write("w.csv", names + "".join(",".join([value] * 80_000) + f",{label}\n" for value, label in
                                                     (("1", "a"), ("2", "b"))))
        usage = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.succeeds("convert", table, "-o", "w.svm", "--memory", "1G")
        words = self.write("n.csv", names + "".join(",".join([value] * 80_000) + f",{label}\n" for value, label in
                                                     (("u", "a"), ("v", "b"))))
        self.succeeds("convert", words, "-o", "n.svm", "--memory", "1G")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - usage, 4)  # 12 s each when it was quadratic

    def test_wide_sparse_rows_take_memory_for_their_entries(self):
        rows = [[(1 + 3 * k + i % 2, (i * k) % 7 + i % 3) for k in range(6)] for i in range(40)]

        def table(name, column):
            return self.write(name, "".join(f"{i % 3} " + " ".join(f"{column(j)}:{v}" for j, v in row) + "\n" for i, row in enumerate(rows)))

        narrow, wide = table("n.svm", lambda j: j), table("w.svm", lambda j: j if j < 10 else j + 5_000_000)
        scores = []
        for data in (narrow, wide):
            code, peak = self.peak("fit", data, "-o", "m", "--scale", "maxabs", "--sigma", 2, "--ridge", 1, "--memory", "400M")
            self.assertEqual(code, DONE)
            self.assertLess(peak, 400 * MB)
            lines = self.succeeds("predict", "m", data, "--scores").out.splitlines()[1:]
            scores.append([float(cell) for line in lines for cell in line.split(",")[1:]])
        for found, expected in zip(*scores, strict=True):  # the narrow table is dense, its sums are rounded otherwise
            self.assertAlmostEqual(found, expected, places=9)
