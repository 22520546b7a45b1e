# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C: ends soon, with exit code 130 and what is known so far, and leaves no half-written file."""
import json
import os
import signal
import subprocess
import time

from installed import cached
from tool import DONE, INTERRUPTED, ToolTest, noise_table

# Idle machines need well under a second; the tests of a busy one, or a sanitizer, must not fail for that.
SOON = 30.0 if cached("MANYONE_SANITIZE") else 5.0


class Interrupt(ToolTest):
    def setUp(self):
        super().setUp()
        self.table = self.write("t.csv", noise_table(2000, 8, 5))

    def wait_for_cells(self, process, task="tuning"):
        """Reads progress until the search has finished some cells."""
        for line in process.stderr:
            if not line.startswith("{"):
                continue
            event = json.loads(line)
            if event["event"] == "progress" and event["task"] == task and event["done"] > 1:
                return
        self.fail("the search ended before it could be interrupted")

    def wait_for_task(self, process, task):
        for line in process.stderr:
            if line.startswith("{") and json.loads(line).get("task") == task:
                return
        self.fail(f"'{task}' was never begun")

    def interrupt(self, process, number=signal.SIGINT):
        start = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - start, SOON)
        self.assertEqual(process.returncode, INTERRUPTED, err)
        self.assertTrue(err.endswith("manyone: interrupted\n"), err)
        return out, err

    def test_tune_gives_the_best_cell_so_far_as_json(self):
        process = self.start_tool("tune", self.table, "--search", "grid", "--json", "--progress", "json")
        self.wait_for_cells(process)
        out, _ = self.interrupt(process)
        document = json.loads(out)
        self.assertTrue(document["interrupted"])
        self.assertTrue(0 < len(document["surface"]) < 81)
        self.assertIn(document["cv"]["error"], [cell["error"] for cell in document["surface"]])
        chosen = (document["kernel"]["sigma"], document["ridge"])
        self.assertIn(chosen, [(cell["sigma"], cell["ridge"]) for cell in document["surface"]])

    def test_tune_gives_the_best_cell_so_far_as_text(self):
        process = self.start_tool("tune", self.table, "--search", "grid", "--progress", "json")
        self.wait_for_cells(process)
        out, _ = self.interrupt(process)
        self.assertRegex(out, r"best so far: gaussian kernel, sigma [\d.]+, ridge [\d.]+\n")

    def test_sigterm_is_taken_likewise(self):
        process = self.start_tool("tune", self.table, "--search", "grid", "--json", "--progress", "json")
        self.wait_for_cells(process)
        out, _ = self.interrupt(process, signal.SIGTERM)
        self.assertTrue(json.loads(out)["interrupted"])

    def test_fit_gives_a_model_with_the_best_parameters_so_far(self):
        process = self.start_tool("fit", self.table, "-o", "m", "--search", "grid", "--json", "--progress", "json")
        self.wait_for_cells(process)
        out, err = self.interrupt(process)
        self.assertIn("the search was cut", err)
        document = json.loads(out)
        self.assertTrue(document["interrupted"])
        chosen = (document["kernel"]["sigma"], document["ridge"])
        self.assertIn(chosen, [(cell["sigma"], cell["ridge"]) for cell in document["surface"]])
        model = self.succeeds("inspect", "m", "--json").json()
        self.assertEqual((model["kernel"]["sigma"], model["ridge"], model["n"]), (*chosen, 2000))
        self.assertNotEqual(model["temperature"], 1)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["m", "t.csv"])

    def test_a_first_signal_after_the_search_does_not_cost_the_model(self):
        table = self.write("large.csv", noise_table(21000, 4, 3))
        process = self.start_tool("fit", table, "-o", "m", "--machine", "msvr", "--centers", 600, "--progress", "json")
        self.wait_for_task(process, "adding up rows")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, DONE, err)
        self.assertIn("the search is over: the model is finished", err)
        self.succeeds("inspect", "m")

    def test_fit_without_a_finished_cell_keeps_the_old_model(self):
        model = self.write("m", "old")
        table = self.write("large.csv", noise_table(6000, 8, 5))
        process = self.start_tool("fit", table, "-o", "m", "--machine", "ww", "--search", "grid", "--progress", "json")
        while '"tuning"' not in process.stderr.readline():
            pass
        self.interrupt(process)
        self.assertEqual(model.read_text(), "old")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["large.csv", "m", "t.csv"])

    def test_cells_of_quadratic_programs_report_and_stop_inside(self):
        table = self.write("large.csv", noise_table(5000, 8, 3))
        for machine in ("svm-ovo", "vo-svm", "svm-ova"):
            process = self.start_tool("tune", table, "--machine", machine, "--search", "grid", "--progress", "json")
            events = (json.loads(line) for line in process.stderr)
            inside = any(event["event"] == "progress" and 0 < event["done"] < 1 for event in events)
            self.assertTrue(inside, f"{machine}: no progress before the first cell was finished")
            self.interrupt(process)

    def test_predict_leaves_no_output_file(self):
        self.fitted(self.table, "m")
        lines = self.table.read_text().splitlines()
        large = self.write("large.csv", "\n".join([lines[0], *lines[1:] * 100]) + "\n")
        process = self.start_tool("predict", "m", large, "--scores", "-o", "out", "--progress", "json")
        self.assertIn("predicting", process.stderr.readline())
        self.interrupt(process)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["large.csv", "m", "t.csv"])

    def test_the_first_signal_ends_a_wait_for_a_pipe(self):
        self.fitted(self.table, "m")
        os.mkfifo(self.folder / "pipe")
        for command in (["predict", "m", "pipe"], ["evaluate", "m", "pipe"], ["convert", "pipe", "--scale-by", "m", "-o", "c.csv"],
                        ["predict", "m", "-"], ["evaluate", "m", "-"]):
            with self.subTest(command):
                process = self.start_tool(*command, stdin=subprocess.PIPE)
                self.addCleanup(process.stdin.close)
                time.sleep(0.5)
                self.interrupt(process)

    def test_the_first_signal_ends_a_wait_for_a_reader(self):
        self.fitted(self.table, "m")
        os.mkfifo(self.folder / "pipe")
        for command in (["predict", "m", self.table, "-o", "pipe"], ["fit", self.table, "--sigma", "1", "--ridge", "1", "-o", "pipe"],
                        ["evaluate", "m", self.table, "--report", "pipe"]):
            for reads in (False, True):  # a reader that does not come, and one that comes and does not read
                with self.subTest(command=command, reads=reads):
                    reader = os.open(self.folder / "pipe", os.O_RDONLY | os.O_NONBLOCK) if reads else None
                    process = self.start_tool(*command)
                    time.sleep(1)
                    if process.poll() is None:  # all of it may have fitted into the pipe
                        self.interrupt(process)
                    else:
                        self.assertTrue(reads)
                    if reader is not None:
                        os.close(reader)

    def test_the_first_signal_ends_a_wait_behind_the_first_rows(self):
        self.fitted(self.table, "m")
        process = self.start_tool("predict", "m", "-", stdin=subprocess.PIPE)
        self.addCleanup(process.stdin.close)
        process.stdin.write(self.table.read_text())
        process.stdin.flush()
        time.sleep(0.5)
        self.interrupt(process)

    def test_pipes_are_read_to_their_end(self):
        self.fitted(self.table, "m")
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        process = self.start_tool("predict", "m", "pipe")
        time.sleep(0.2)  # the writer comes late, and in pieces
        with open(pipe, "w") as stream:
            for line in self.table.read_text().splitlines(keepends=True):
                stream.write(line)
                if "7" in line[:3]:
                    stream.flush()
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, len(out.splitlines())), (0, 2000), err)
