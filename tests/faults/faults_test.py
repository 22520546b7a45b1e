# SPDX-License-Identifier: Apache-2.0
"""What must hold when things fail: system calls of the output path, allocations, the whole process (kill -9).

Each run lets one thing fail (faults.cpp) and then looks: the exit code is one of the documented ones, standard error has
one line, the program did not abort, an old output is whole or the new one is, no temporary is left, inputs are as they
were. MANYONE_FAULTS is the library to put before the C library; MANYONE_FAULTS_EFFORT multiplies the number of runs.
"""
import errno
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from tool import BACKEND, DONE, INPUT, IRIS, MEMORY, NODE, SOURCE, TOOL, USAGE, ToolTest, noise_table

LIBRARY = os.environ.get("MANYONE_FAULTS", str(SOURCE / "build" / "release" / "tests" / "libmanyone_faults.so"))
EFFORT = int(os.environ.get("MANYONE_FAULTS_EFFORT", "1"))
CODES = (DONE, USAGE, INPUT, BACKEND, MEMORY)
SECONDS = 120  # a run that takes longer hangs

counts = {"system calls": 0, "allocations": 0, "kills": 0}


def setUpModule():
    if not pathlib.Path(LIBRARY).exists():
        raise unittest.SkipTest("the library that injects faults is not built")


def tearDownModule():
    print("without the pictures of report: node is missing; " if not NODE else "", end="", file=sys.stderr)
    print("faults injected:", ", ".join(f"{count} {what}" for what, count in counts.items()), file=sys.stderr)


def no_core():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def without_time(result):
    return re.sub(r"[\d.]+ m?s\b", "", result.out)


class Case:
    """A command that writes files below out/."""

    def __init__(self, *command, writes=(), journal=None):
        self.command = [str(word) for word in command]
        self.writes = writes    # files that are whole or not at all
        self.journal = journal  # file that only grows, and may be cut


class FaultTest(ToolTest):
    def setUp(self):
        super().setUp()
        self.folder = self.folder.resolve()
        self.out = self.folder / "out"
        self.out.mkdir()
        self.fitted(IRIS, "m")
        self.succeeds("fit", IRIS, "-o", "pairs", "--machine", "svm-ovo", "--decode", "votes:first", "--sigma", 1, "--cost", 1, "--quiet")
        self.succeeds("export", "pairs", "--libsvm", "pairs.svm", "--quiet")
        self.write("result.json", self.succeeds("fit", IRIS, "-o", "m2", "--json", "--figures", "--sigma", "auto", "--ridge", 0.1).out)
        self.inputs = {path: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        self.stream = random.Random(1)
        out = self.out
        self.cases = {
            "fit": Case("fit", IRIS, "-o", out / "m", "--sigma", 1, "--ridge", 1, "--threads", 8, writes=["m"]),
            "predict": Case("predict", "m", IRIS, "--proba", "-o", out / "p.csv", writes=["p.csv"]),
            "predict packed": Case("predict", "m", IRIS, "-o", out / "p.csv.gz", writes=["p.csv.gz"]),
            "convert": Case("convert", IRIS, "-o", out / "c.svm", writes=["c.svm"]),
            "export": Case("export", "pairs", "--onnx", out / "e.onnx", "--cpp", out / "e.hpp", "--libsvm", out / "e.svm",
                           writes=["e.onnx", "e.hpp", "e.svm"]),
            "import": Case("import", "pairs.svm", "-o", out / "m", writes=["m"]),
            "evaluate": Case("evaluate", "m", IRIS, "--report", out / "e.html", writes=["e.html"]),
            "report": Case("report", "result.json", "-o", out / "page.html", *(("--svg", out / "svg") if NODE else ()), writes=["page.html"]),
            "resume": Case("tune", IRIS, "--search", "grid", "--grid", "sigma=-1:1,ridge=-1:1", "--folds", 3, "--resume", out / "journal",
                           "--threads", 1, journal="journal"),
            "trials": Case("compare", IRIS, "--machines", "onelsm,vo-lssvm", "--protocol", "cv:2", "--sigma", 1, "--ridge", 1, "--resume",
                           out / "trials", "--threads", 1, journal="trials"),
        }

    def clear(self):
        subprocess.run(["rm", "-rf", self.out], check=True)
        self.out.mkdir()

    def names(self):
        return {path.name for path in self.out.iterdir()}

    def new_files(self, case):
        """What a run without faults writes."""
        self.clear()
        self.succeeds(*case.command)
        return {name: (self.out / name).read_bytes() for name in case.writes}

    def prepare(self, case, old):
        self.clear()
        for name in case.writes if old else ():
            (self.out / name).write_bytes(b"old")

    def faulty(self, case, kind, number, error=errno.EIO, lasting=False):
        """Runs with the fault. Returns the result and the name of the call that failed; None: there were not so many."""
        report = self.folder / "report"
        report.unlink(missing_ok=True)
        setting = {"LD_PRELOAD": LIBRARY, "MANYONE_FAULT_KIND": kind, "MANYONE_FAULT_FOLDER": str(self.out), "MANYONE_FAULT_REPORT": str(report),
                   "MANYONE_FAULT_NUMBER": str(number), "MANYONE_FAULT_ERROR": str(error)}
        if lasting:
            setting["MANYONE_FAULT_LASTING"] = "1"
        result = self.run_tool(*case.command, env=setting, preexec_fn=no_core)
        said = report.read_text().split() if report.exists() else [None, "0"]
        return (result, int(said[1])) if number == 0 else (result, said[0])

    def check_end(self, result, context):
        self.assertIn(result.code, CODES, f"{context}\n{result}")
        lines = [line for line in result.err.splitlines() if not line.startswith("note: ")]
        if result.code == DONE:
            self.assertEqual(lines, [], context)
        else:
            self.assertEqual(len(lines), 1, f"{context}\n{result}")
            self.assertRegex(lines[0], r"^manyone: \S", context)
            self.assertNotRegex(lines[0], r"std::|basic_|json\.exception", context)

    def check_files(self, case, new, old, done, context, may_leave=False):
        for name in case.writes:
            path = self.out / name
            if done:
                self.assertTrue(path.exists(), context)
                self.assertEqual(path.read_bytes(), new[name], context)
            elif path.exists():
                self.assertIn(path.read_bytes(), (new[name], b"old") if old else (new[name],), context)
            else:
                self.assertFalse(old, f"{context}: the old {name} is gone")
        if not may_leave:
            self.assertLessEqual(self.names(), {*case.writes, "svg", case.journal}, context)
        if (self.out / "svg").exists():
            for path in (self.out / "svg").iterdir():
                self.assertRegex(path.name, r"^[\w-]+\.svg$", context)
                self.assertTrue(path.read_text().endswith("</svg>\n"), context)
        for path, content in self.inputs.items():
            self.assertEqual(path.read_bytes(), content, f"{context}: {path.name} has changed")

    def check_journal(self, case, whole, context):
        """What is left of a journal is gone on from, to the same end."""
        result = self.succeeds(*case.command)
        self.assertEqual(without_time(result), whole, context)


class SystemCalls(FaultTest):
    def test_every_call_of_the_output_path_may_fail(self):
        for name, case in self.cases.items():
            new = self.new_files(case)
            self.clear()
            whole = without_time(self.succeeds(*case.command)) if case.journal else None
            for old in (False, True) if case.writes else (False,):
                for error in (errno.ENOSPC, errno.EIO):
                    with self.subTest(name, old=old, error=errno.errorcode[error]):
                        self.fail_each(case, new, old, error, whole)

    def fail_each(self, case, new, old, error, whole):
        self.prepare(case, old)
        _, calls = self.faulty(case, "call", 0)
        self.assertGreater(calls, 1)
        wanted = calls if EFFORT > 1 or calls < 12 else 12
        for number in sorted(self.stream.sample(range(1, calls + 1), wanted)):
            self.prepare(case, old)
            result, failed = self.faulty(case, "call", number, error)
            if failed is None:
                continue
            counts["system calls"] += 1
            context = f"{case.command[0]}: {failed}, call {number}, {errno.errorcode[error]}"
            self.check_end(result, context)
            # A name that cannot be removed stays.
            self.check_files(case, new, old, result.code == DONE, context, may_leave=failed == "unlink")
            if case.journal:
                self.check_journal(case, whole, context)


class Allocations(FaultTest):
    def test_any_allocation_may_fail(self):
        for name, case in self.cases.items():
            with self.subTest(name):
                new = self.new_files(case)
                self.clear()
                _, allocations = self.faulty(case, "allocation", 0)
                self.assertGreater(allocations, 100)
                for k in range(8 * EFFORT):
                    # The first ones, when options are declared, differ most from each other.
                    most = allocations if k % 2 else min(allocations, 3000)
                    self.fail_one(case, new, old=k % 3 != 0, number=self.stream.randint(1, most), lasting=k % 4 > 1)

    def fail_one(self, case, new, old, number, lasting):
        self.prepare(case, old)
        result, failed = self.faulty(case, "allocation", number, lasting=lasting)
        if failed is None:
            return
        counts["allocations"] += 1
        context = f"{' '.join(case.command)}: {failed}, allocation {number}{' and all behind it' if lasting else ''}"
        self.check_end(result, context)
        self.check_files(case, new, old, result.code == DONE, context)


class Kills(FaultTest):
    def test_a_kill_at_any_moment(self):
        table = self.folder / "t.csv"
        table.write_text(noise_table(400, 4, 3))
        self.inputs[table] = table.read_bytes()
        self.cases["fit"] = Case("fit", table, "-o", self.out / "m", "--search", "grid", "--grid", "sigma=-1:1,ridge=-1:1", writes=["m"])
        self.cases["resume"].command[1] = str(table)
        for name in ("fit", "predict", "resume", "trials", "report"):
            case = self.cases[name]
            new = self.new_files(case)
            self.clear()
            start = time.monotonic()
            whole = without_time(self.succeeds(*case.command))
            span = time.monotonic() - start
            for k in range(6 * EFFORT):
                with self.subTest(name, k=k):
                    self.kill_one(case, new, k % 2 == 0, span * self.stream.random(), whole)

    def kill_one(self, case, new, old, seconds, whole):
        self.prepare(case, old)
        process = self.start_tool(*case.command)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=SECONDS)
        counts["kills"] += process.returncode == -signal.SIGKILL
        context = f"{case.command[0]}: killed after {seconds:.3f} s"
        self.check_files(case, new, old, process.returncode == DONE, context, may_leave=True)
        if case.journal:
            self.check_journal(case, whole, context)


if __name__ == "__main__":
    unittest.main()
