# SPDX-License-Identifier: Apache-2.0
"""A model or a file of predictions is there whole or not at all, also when the disk is full or the program is killed."""
import os
import resource
import threading
import time
import unittest

from installed import cached
from tool import DIGITS, INPUT, IRIS, USAGE, ToolTest

LIMIT = 20_000  # bytes; the model of iris is smaller, that of digits larger


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))


@unittest.skipIf(cached("MANYONE_COVERAGE") == "ON", "counters of lines are written to files, too")
class Saving(ToolTest):
    FIT = ("fit", DIGITS, "-o", "m", "--quiet", "--sigma", 2, "--ridge", 1)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_a_full_disk_keeps_the_old_model(self):
        old = self.fitted(IRIS, "m").read_bytes()
        # Signals as Python has them: the signal of a file too large is ignored, and writing fails instead.
        self.fails(INPUT, *self.FIT, says=["m: writing failed", "unchanged"], preexec_fn=limit_file_size, restore_signals=False)
        self.assertEqual((self.folder / "m").read_bytes(), old)
        self.assertEqual(self.names(), ["m"])

    def test_a_full_disk_leaves_no_model_where_none_was(self):
        self.fails(INPUT, *self.FIT, says="writing failed", preexec_fn=limit_file_size, restore_signals=False)
        self.assertEqual(self.names(), [])

    def test_a_kill_at_any_time_leaves_the_old_model_or_the_new(self):
        old = self.fitted(IRIS, "m").read_bytes()
        start = time.monotonic()
        self.succeeds("fit", DIGITS, "-o", "new", "--quiet", "--sigma", 2, "--ridge", 1)
        span = time.monotonic() - start
        new = (self.folder / "new").read_bytes()
        for part in range(8):
            process = self.start_tool(*self.FIT)
            time.sleep(span * (part + 1) / 8)
            process.kill()
            process.wait()
            self.assertIn((self.folder / "m").read_bytes(), (old, new))

    def test_readers_never_see_half_a_model(self):
        self.fitted(IRIS, "m")
        seen, stop = set(), threading.Event()

        def look():
            while not stop.is_set():
                seen.add((self.folder / "m").stat().st_size)

        watcher = threading.Thread(target=look)
        watcher.start()
        old = (self.folder / "m").stat().st_size
        self.succeeds(*self.FIT)
        stop.set()
        watcher.join()
        self.assertLessEqual(seen, {old, (self.folder / "m").stat().st_size})

    def test_a_full_disk_keeps_the_old_predictions(self):
        model = self.fitted(IRIS, "m")
        old = self.write("out", "old\n")
        table = self.write("t.csv", "\n".join(IRIS.read_text().splitlines() + IRIS.read_text().splitlines()[1:] * 40) + "\n")
        self.fails(INPUT, "predict", model, table, "--scores", "-o", "out", says=["out: writing failed"], preexec_fn=limit_file_size,
                   restore_signals=False)
        self.assertEqual(old.read_text(), "old\n")
        self.assertEqual(self.names(), ["m", "out", "t.csv"])

    def test_a_symbolic_link_stays_one(self):
        self.fitted(IRIS, "target")
        os.symlink("target", self.folder / "link")
        self.succeeds("fit", IRIS, "-o", "link", "--sigma", 2, "--ridge", 2, "--quiet")
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual(self.succeeds("inspect", "target", "--json").json()["ridge"], 2)

    def test_permissions_of_the_old_file_stay(self):
        model = self.fitted(IRIS, "m")
        model.chmod(0o640)
        self.fitted(IRIS, "m", "--sigma", 2, "--ridge", 2)
        self.assertEqual(model.stat().st_mode & 0o777, 0o640)

    def test_a_folder_that_may_not_be_written_is_refused(self):
        if os.geteuid() == 0:  # root may write anywhere but into /proc
            self.fails(USAGE, "fit", IRIS, "-o", "/proc/m", "--quiet", "--sigma", 1, "--ridge", 1, says=["/proc/m", "cannot be written"])
            return
        closed = self.folder / "closed"
        closed.mkdir(mode=0o500)
        self.fails(USAGE, "fit", IRIS, "-o", "closed/m", "--quiet", "--sigma", 1, "--ridge", 1, says=["closed/m", "cannot be written"])
