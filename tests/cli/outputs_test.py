# SPDX-License-Identifier: Apache-2.0
"""Where outputs go: never over an input or another output, as a whole into files, in place into devices and pipes."""
import gzip
import os
import pathlib
import resource
import shutil
import signal
import stat
import subprocess
import threading
import time
import unittest

from tool import BACKEND, DATA, DONE, INPUT, INTERRUPTED, IRIS, TOOL, USAGE, ToolTest, needs_node, noise_table

FIXED = ("--sigma", 1, "--ridge", 0.125, "--quiet")
PAIRS = ("--machine", "svm-ovo", "--decode", "votes:first", "--sigma", 1, "--cost", 1, "--quiet")


class OutputsAreNotInputs(ToolTest):
    """An output that is an input, or two equal outputs, by whatever name, is refused before anything is read."""

    def setUp(self):
        super().setUp()
        shutil.copy(IRIS, self.folder / "z.csv")
        self.model = self.fitted(IRIS, "m")
        self.write("weights", "1\n" * 150)
        self.write("folds", "1\n2\n3\n" * 50)
        self.write("book.csv", "1,0,0\n0,1,0\n0,0,1\n")
        self.write("centres.csv", "".join(line.rsplit(",", 1)[0] + "\n" for line in IRIS.read_text().splitlines()[1:20]))
        self.write("recipe", "onelsm --weights weights\n")
        self.write("result.json", self.succeeds("evaluate", "m", "z.csv", "--json").out)
        self.fitted(IRIS, "pairs", *PAIRS)
        self.succeeds("export", "pairs", "--libsvm", "pairs.svm", "--quiet")
        (self.folder / "link").symlink_to("z.csv")
        (self.folder / "dangling").symlink_to("new")
        os.link(self.folder / "z.csv", self.folder / "hard")

    def refused(self, *arguments, says=(), **options):
        before = {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        self.fails(USAGE, *arguments, says=says, **options)
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}, before)

    def test_fit_and_predict_do_not_destroy_the_table(self):
        self.refused("fit", "z.csv", "-o", "z.csv", says=["z.csv", "DATA", "lost"])
        self.refused("predict", "m", "z.csv", "-o", "z.csv", says=["z.csv", "DATA"])
        self.refused("predict", "m", "z.csv", "-o", "m", says=["MODEL"])
        self.refused("convert", "z.csv", "-o", "z.csv", says="DATA")

    def test_a_file_by_another_name_is_the_same_file(self):
        for name in ("./z.csv", self.folder / "z.csv", "../" + self.folder.name + "/z.csv", "link", "hard"):
            self.refused("fit", "z.csv", "-o", name, *FIXED, says="DATA")
            self.refused("fit", name, "-o", "z.csv", *FIXED, says="DATA")

    def test_side_files_are_inputs(self):
        for option, name in (("--weights", "weights"), ("--folds", "folds"), ("--labelbook", "book.csv")):
            self.refused("fit", "z.csv", option, name, "-o", name, says=option)
        self.refused("fit", "z.csv", "--machine", "msvr", "--centers", "centres.csv", "-o", "centres.csv", says="--centers")
        self.refused("tune", "z.csv", "--weights", "weights", "--resume", "weights", says="--weights")
        self.refused("convert", "z.csv", "--scale-by", "m", "-o", "m", "--to", "csv", says="--scale-by")

    def test_every_command_with_outputs_refuses(self):
        self.refused("export", "pairs", "--onnx", "pairs", says="MODEL")
        self.refused("export", "pairs", "--cpp", "pairs", says="MODEL")
        self.refused("export", "pairs", "--libsvm", "pairs", says="MODEL")
        self.refused("import", "pairs.svm", "-o", "pairs.svm", says="LIBSVM_MODEL")
        self.refused("report", "result.json", "-o", "result.json", says="RESULT")
        self.refused("evaluate", "m", "z.csv", "--report", "z.csv", says="DATA")
        self.refused("tune", "z.csv", "--report", "link", says="DATA")
        self.refused("tune", "z.csv", "--resume", "z.csv", says="DATA")
        machines = ("--machines", "onelsm,svm-ovo")
        self.refused("compare", "z.csv", *machines, "--report", "z.csv", says="DATA")
        self.refused("compare", "m", "z.csv", *machines, "--resume", "hard", says="DATA")

    def test_files_inside_recipes_are_inputs(self):
        self.refused("compare", "z.csv", "--machines", "svm-ovo,recipe", "--report", "recipe", says="--machines")
        self.refused("compare", "z.csv", "--machines", "svm-ovo,recipe", "--report", "weights", says="--weights")
        self.refused("compare", "z.csv", "--machines", "svm-ovo", "--with", "onelsm --weights weights", "--resume", "weights",
                     says="--weights")

    def test_two_equal_outputs_are_refused(self):
        self.refused("fit", "z.csv", "-o", "a", "--report", "a", says=["--output a", "--report a", "the same file"])
        self.refused("fit", "z.csv", "-o", "a", "--report", "./a")
        self.refused("fit", "z.csv", "-o", "a", "--resume", "a")
        self.refused("fit", "z.csv", "-o", "new", "--report", "dangling")
        self.refused("fit", "z.csv", "-o", "m", "--report", self.model)
        self.refused("tune", "z.csv", "--report", "a", "--resume", "a")
        self.refused("export", "pairs", "--cpp", "a", "--libsvm", "a")

    @needs_node
    def test_pictures_are_outputs(self):
        figure = self.folder / "pictures" / "confusion.svg"
        figure.parent.mkdir()
        self.fails(USAGE, "report", "result.json", "-o", figure, "--svg", "pictures", says=["--svg", "the same file"])
        shutil.copy(self.folder / "result.json", figure)
        self.fails(USAGE, "report", figure, "--svg", "pictures", says=["--svg", "is the file that RESULT reads"])
        self.assertEqual(figure.read_bytes(), (self.folder / "result.json").read_bytes())

    def test_standard_input_and_output_are_files_too(self):
        with open(self.folder / "z.csv", encoding="utf-8") as table:
            process = subprocess.run([TOOL, "fit", "-", "-o", "z.csv"], cwd=self.folder, stdin=table, capture_output=True, check=False)
        self.assertEqual(process.returncode, USAGE)
        with open(self.folder / "z.csv", "a", encoding="utf-8") as appended:
            self.refused("predict", "m", "z.csv", says=["standard output", "DATA"], stdout=appended)

    def test_the_label_file_of_images_is_an_input(self):
        self.write("t-images-idx3-ubyte", "x")
        self.write("t-labels-idx1-ubyte", "x")
        self.refused("fit", "t-images-idx3-ubyte", "-o", "t-labels-idx1-ubyte", says="DATA")

    def test_a_table_found_by_name_is_an_input(self):
        data = self.folder / "data"
        data.mkdir()
        shutil.copy(IRIS, data / "iris.csv")
        self.refused("reproduce", "noumir-iris", "-o", "data/iris.csv", says="iris")
        self.assertEqual((data / "iris.csv").read_bytes(), IRIS.read_bytes())

    def test_refused_before_anything_is_read(self):
        started = time.monotonic()
        os.mkfifo(self.folder / "endless")  # reading would wait for ever
        self.refused("convert", "endless", "-o", "a.csv", "--scale-by", "m", "--encode-by", "m")
        self.refused("predict", "m", "endless", "-o", "m", says="MODEL")
        self.assertLess(time.monotonic() - started, 10)

    def test_what_is_no_file_may_be_there_twice(self):
        self.succeeds("fit", "z.csv", "-o", "/dev/null", "--report", "/dev/null", *FIXED)


class OneWriter(ToolTest):
    """predict and convert write as models are written."""

    def setUp(self):
        super().setUp()
        self.model = self.fitted(IRIS, "m")
        self.rows = self.succeeds("predict", "m", IRIS).out

    def commands(self, output):
        """Commands that write there, by name."""
        return {"predict": ("predict", "m", IRIS, "-o", output, "--quiet"),
                "convert": ("convert", IRIS, "--to", "csv", "-o", output, "--quiet"),
                "fit": ("fit", IRIS, "-o", output, *FIXED),
                "export": ("export", "m", "--cpp", output, "--quiet")}

    def device(self, name, minor):
        """A device of our own: root could lose the system's. Others cannot make any, and could not lose it."""
        if os.geteuid() != 0:
            return pathlib.Path("/dev") / name
        os.mknod(self.folder / name, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
        return self.folder / name

    def test_a_device_is_written_and_not_replaced(self):
        null = self.device("null", 3)
        for name, command in self.commands(null).items():
            with self.subTest(name):
                self.succeeds(*command)
                self.assertTrue(null.is_char_device())

    def test_a_full_device_is_an_error(self):
        full = self.device("full", 7)
        for name, command in self.commands(full).items():
            with self.subTest(name):
                self.fails(INPUT, *command, says=[f"{full}: writing failed", "No space left"])
                self.assertTrue(full.is_char_device())

    def test_a_pipe_is_written_and_not_replaced(self):
        os.mkfifo(self.folder / "pipe")
        for name, command in self.commands("pipe").items():
            with self.subTest(name):
                read = []
                reader = threading.Thread(target=lambda: read.append((self.folder / "pipe").read_bytes()))
                reader.start()
                self.succeeds(*command)
                reader.join()
                self.assertGreater(len(read[0]), 100)
                self.assertTrue(stat.S_ISFIFO((self.folder / "pipe").stat().st_mode))

    def test_dev_stdout_is_the_stream(self):
        (self.folder / "stdout").symlink_to("/proc/self/fd/1")  # as /dev/stdout is
        self.assertEqual(self.succeeds("predict", "m", IRIS, "-o", "stdout").out, self.rows)
        with open(self.folder / "log", "w+b") as log:  # a file behind it is neither replaced nor cut
            log.write(b"before\n")
            log.flush()
            self.succeeds("predict", "m", IRIS, "-o", "stdout", stdout=log)
            log.write(b"after\n")
        self.assertEqual((self.folder / "log").read_text(), "before\n" + self.rows + "after\n")

    def test_no_other_file_is_touched(self):
        for name, command in self.commands("out").items():
            with self.subTest(name):
                self.write("precious", "precious")
                for ending in (".part", ".tmp", "~"):
                    path = self.folder / ("out" + ending)
                    path.unlink(missing_ok=True)
                    path.symlink_to("precious")
                self.succeeds(*command)
                self.assertEqual((self.folder / "precious").read_text(), "precious")

    def test_two_writers_do_not_mix(self):
        body = IRIS.read_text().splitlines()
        big = self.write("big.csv", "\n".join([body[0], *body[1:] * 200]) + "\n")
        plain = self.succeeds("predict", "m", big).out
        scored = self.succeeds("predict", "m", big, "--scores").out
        for _ in range(3):
            both = [self.start_tool("predict", "m", big, "-o", "same", *more) for more in ((), ("--scores",))]
            self.assertEqual([process.wait() for process in both], [DONE, DONE])
            self.assertIn((self.folder / "same").read_text(), (plain, scored))

    def test_the_mode_is_kept(self):
        for name, command in self.commands("out").items():
            with self.subTest(name):
                out = self.write("out", "old")
                out.chmod(0o640)
                self.succeeds(*command)
                self.assertEqual(out.stat().st_mode & 0o7777, 0o640)
                self.assertNotEqual(out.read_bytes(), b"old")

    @unittest.skipIf(os.getuid() != 0, "only root can give files away")
    def test_the_owner_is_kept(self):
        for name, command in self.commands("out").items():
            with self.subTest(name):
                out = self.write("out", "old")
                out.chmod(0o640)
                os.chown(out, 12345, 23456)
                self.succeeds(*command)
                found = out.stat()
                self.assertEqual((found.st_uid, found.st_gid, found.st_mode & 0o7777), (12345, 23456, 0o640))
                out.unlink()

    def test_a_limit_of_the_size_of_files_is_an_error(self):
        limited = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))}
        result = self.run_tool("fit", IRIS, "-o", "large", *FIXED, **limited)
        self.assertEqual(result.code, INPUT, str(result))
        self.assertIn("large: writing failed", result.err)
        self.assertFalse((self.folder / "large").exists())

    def test_symbolic_links_are_followed(self):
        (self.folder / "there").mkdir()
        for name, command in self.commands("link").items():
            with self.subTest(name):
                (self.folder / "link").unlink(missing_ok=True)
                (self.folder / "link").symlink_to("there/" + name)  # there is no such file yet
                for _ in range(2):
                    self.succeeds(*command)
                    self.assertTrue((self.folder / "link").is_symlink())
                    self.assertGreater((self.folder / "there" / name).stat().st_size, 100)

    def test_links_in_a_circle_are_refused(self):
        (self.folder / "circle").symlink_to("circle")
        for name, command in self.commands("circle").items():
            with self.subTest(name):
                self.fails(USAGE, *command, says=["circle", "cannot be written"])

    def test_a_long_name_is_as_good_as_another(self):
        name = "n" * 255
        for _ in range(2):
            self.succeeds("predict", "m", IRIS, "-o", name)
        self.assertEqual((self.folder / name).read_text(), self.rows)

    def test_file_and_folder_are_synced(self):
        if shutil.which("strace") is None:
            self.skipTest("strace is missing")
        for name, command in self.commands("out").items():
            with self.subTest(name):
                log = self.folder / "calls"
                # Sanitizers look for leaks as a debugger does, of which a process may have one only.
                subprocess.run(["strace", "-E", "ASAN_OPTIONS=detect_leaks=0", "-f", "-o", log, "-e", "trace=fsync", TOOL, *map(str, command)], cwd=self.folder, check=True,
                               stdout=subprocess.DEVNULL)
                self.assertEqual(log.read_text().count("= 0"), 2, log.read_text())

    def test_signals_leave_nothing_behind(self):
        lines = noise_table(2000, 8, 5).splitlines()
        table = self.write("t.csv", "\n".join(lines) + "\n")
        self.fitted(table, "m")
        self.write("large.csv", "\n".join([lines[0], *lines[1:] * 100]) + "\n")
        before = sorted(path.name for path in self.folder.iterdir())
        for number, code in ((signal.SIGINT, INTERRUPTED), (signal.SIGTERM, INTERRUPTED), (signal.SIGHUP, INTERRUPTED),
                             (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(number):
                process = self.start_tool("predict", "m", "large.csv", "--scores", "-o", "out", "--progress", "json")
                self.assertIn("predicting", process.stderr.readline())
                process.send_signal(number)
                process.communicate(timeout=60)
                self.assertEqual(process.returncode, code)
                self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)

    def test_a_hangup_that_is_to_be_ignored_is(self):
        process = self.start_tool("fit", self.write("t.csv", noise_table(900, 8, 5)), "-o", "out", "--search", "grid", "--progress", "json",
                                  preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.stderr.readline()
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=240)
        self.assertEqual(process.returncode, DONE)


class NamesOfOutputs(ToolTest):
    """-o x.gz packs, -o - is standard output."""

    def setUp(self):
        super().setUp()
        self.model = self.fitted(IRIS, "m")

    def test_predictions_are_packed_by_their_name(self):
        plain = self.succeeds("predict", "m", IRIS, "--proba").out
        self.succeeds("predict", "m", IRIS, "--proba", "-o", "x.csv.gz")
        self.assertEqual(gzip.decompress((self.folder / "x.csv.gz").read_bytes()).decode(), plain)

    def test_converted_tables_are_packed_by_their_name(self):
        for ending in ("csv", "svm"):
            self.succeeds("convert", IRIS, "-o", "x." + ending)
            self.succeeds("convert", IRIS, "-o", f"x.{ending}.gz")
            self.assertEqual(gzip.decompress((self.folder / f"x.{ending}.gz").read_bytes()), (self.folder / f"x.{ending}").read_bytes())
            self.assertEqual(self.succeeds("predict", "m", f"x.{ending}.gz").out, self.succeeds("predict", "m", f"x.{ending}").out)

    def test_a_packed_table_of_many_rows_is_whole(self):
        table = self.write("t.csv", noise_table(20000, 8, 3))
        self.succeeds("convert", table, "-o", "x.csv")
        self.succeeds("convert", table, "-o", "x.csv.gz")
        self.assertEqual(gzip.decompress((self.folder / "x.csv.gz").read_bytes()), (self.folder / "x.csv").read_bytes())
        self.assertLess((self.folder / "x.csv.gz").stat().st_size, (self.folder / "x.csv").stat().st_size / 2)

    def test_a_model_on_standard_output_has_no_text_in_it(self):
        for name in ("-", "/dev/stdout", "/dev/fd/1"):
            with self.subTest(name):
                with open(self.folder / "model", "wb") as model:
                    result = self.run_tool("fit", IRIS, "--sigma", 1, "--ridge", 1, "-o", name, stdout=model)
                self.assertEqual(result.code, DONE, str(result))
                self.assertIn("150 rows", result.err)
                self.succeeds("inspect", "model")
        self.assertFalse((self.folder / "-").exists())
        self.fails(USAGE, "fit", IRIS, "--sigma", 1, "--ridge", 1, "-o", "-", "--json", says=["--json", "give -o a file"])

    def test_every_output_takes_a_dash(self):
        self.fitted(IRIS, "m", "--sigma", 1, "--ridge", 1)
        for command in (("export", "m", "--onnx", "-"), ("export", "m", "--cpp", "-"), ("report", "r.json", "-o", "-")):
            if command[0] == "report":
                self.write("r.json", self.succeeds("evaluate", "m", IRIS, "--json").out)
            with self.subTest(command):
                with open(self.folder / "out", "wb") as out:
                    result = self.run_tool(*command, stdout=out)
                if result.code == BACKEND:
                    continue  # a tool that was built without the page
                self.assertEqual(result.code, DONE, str(result))
                self.assertFalse((self.folder / "-").exists())
                self.assertGreater((self.folder / "out").stat().st_size, 500)
                self.assertNotIn(b"written to", (self.folder / "out").read_bytes()[-300:])

    def test_a_dash_is_standard_output(self):
        self.assertEqual(self.succeeds("predict", "m", IRIS, "-o", "-").out, self.succeeds("predict", "m", IRIS).out)
        self.succeeds("convert", IRIS, "-o", "x.csv")
        self.succeeds("convert", IRIS, "-o", "x.svm")
        self.assertEqual(self.succeeds("convert", IRIS, "-o", "-", "--to", "csv").out, (self.folder / "x.csv").read_text())
        result = self.succeeds("convert", IRIS, "-o", "-", "--to", "libsvm")
        self.assertEqual(result.out, (self.folder / "x.svm").read_text())
        self.assertIn("1 to 3 stand for", result.err)
        self.assertFalse((self.folder / "-").exists())
        self.fails(USAGE, "convert", IRIS, "-o", "-", says="--to")
        self.fails(USAGE, "convert", IRIS, "-o", "-", "--to", "csv", "--json", says="stdout")


class StandardStreams(ToolTest):
    """Closed and full standard streams cost what would have gone there and nothing else."""

    def closed(self, *streams):
        return {"preexec_fn": lambda: [os.close(stream) for stream in streams]}

    def test_an_error_that_cannot_be_said_keeps_its_exit_code(self):
        for where in (self.closed(2), {"preexec_fn": lambda: os.dup2(os.open("/dev/full", os.O_WRONLY), 2)}):
            self.assertEqual(self.run_tool("fit", "nofile", "-o", "x", **where).code, INPUT)
            self.assertEqual(self.run_tool("fit", IRIS, "-o", "x", "--sgima", 1, **where).code, USAGE)

    def test_a_full_standard_error_does_not_cost_the_model(self):
        full = {"preexec_fn": lambda: os.dup2(os.open("/dev/full", os.O_WRONLY), 2)}
        for options in (("--progress", "json"), ("--json",)):
            self.assertEqual(self.run_tool("fit", IRIS, "-o", "x", *options, **full).code, DONE)
            self.succeeds("inspect", "x")
            (self.folder / "x").unlink()

    def test_progress_does_not_reach_files_through_a_closed_standard_error(self):
        self.fitted(IRIS, "m")
        plain = self.succeeds("predict", "m", IRIS).out
        for streams in ((2,), (0, 2), (0, 1, 2)):
            result = self.run_tool("predict", "m", IRIS, "-o", "c.csv", "--progress", "json", "--quiet", **self.closed(*streams))
            self.assertEqual(result.code, DONE)
            self.assertEqual((self.folder / "c.csv").read_text(), plain)
            self.assertEqual(self.run_tool("tune", IRIS, "--resume", "j", "--progress", "json", "--quiet", **self.closed(2)).code, DONE)
            self.succeeds("tune", IRIS, "--resume", "j")
            (self.folder / "j").unlink()

    def test_a_closed_standard_output_is_a_lost_output(self):
        self.fitted(IRIS, "m")
        for command in (("predict", "m", IRIS), ("evaluate", "m", IRIS), ("machines",), ("--help",), ("fit", "--help"), ("--version",)):
            with self.subTest(command):
                self.fails(INPUT, *command, says="stdout", **self.closed(1))
                with open("/dev/full", "wb") as full:
                    self.fails(INPUT, *command, says="stdout", stdout=full)

    def test_a_closed_standard_input_is_an_error(self):
        self.fitted(IRIS, "m")
        self.fails(INPUT, "predict", "m", "-", says="stdin", **self.closed(0))


if __name__ == "__main__":
    unittest.main()
