# SPDX-License-Identifier: Apache-2.0
"""What comes from files never reaches the terminal as it is: control bytes and bytes that are no UTF-8 are escaped, and
what is long is cut."""
import json
import re
import subprocess

from tool import INPUT, IRIS, TOOL, USAGE, ToolTest, csv_text, iris_rows

CONTROL = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
BELL = "se\x1b[31m\x07to\x9bsa"


class HostileText(ToolTest):
    def raw(self, *arguments, **options):
        """Exit code, standard output and error as bytes."""
        done = subprocess.run([TOOL, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL, check=False, capture_output=True,
                              timeout=240, **options)
        return done.returncode, done.stdout, done.stderr

    def assert_harmless(self, text):
        self.assertIsNone(CONTROL.search(text), text)
        text.decode()

    def hostile_iris(self, name):
        header, rows = iris_rows()
        return self.write("t.csv", csv_text(header, [[name if cell == "setosa" else cell for cell in row] for row in rows]))

    def test_class_names_in_text(self):
        model = self.fitted(self.hostile_iris(BELL))
        for command in (["evaluate", model, "t.csv"], ["inspect", model], ["predict", model, "t.csv", "-o", "out.csv"],
                        ["convert", "t.csv", "-o", "t.svm"]):
            code, out, err = self.raw(*command)
            self.assertEqual(code, 0, err)
            self.assert_harmless(out)
            self.assert_harmless(err)
        self.assertIn(rb"se\x1b[31m\x07to\xc2\x9bsa", self.raw("inspect", model)[1])

    def test_class_names_in_notes_and_errors(self):
        header, rows = iris_rows()
        table = self.write("t.csv", csv_text(header, [*rows, ["5", "3", "2", "1", BELL]]))
        code, out, err = self.raw("fit", table, "-o", "m", "--sigma", 1, "--ridge", 1)
        self.assertEqual(code, 0, err)
        self.assertIn(rb"note: class 'se\x1b[31m", err)
        self.assert_harmless(out + err)
        _, out, err = self.raw("evaluate", self.fitted(), table)
        self.assertIn(rb"se\x1b[31m", err)  # a class that the model does not know
        self.assert_harmless(out + err)
        self.assertEqual(err.count(b"\n"), 1)

    def test_what_looks_like_the_mark_of_a_parameter_is_a_name_like_any_other(self):
        header, rows = iris_rows()
        for name, said in (("`scale=none`", b"'`scale=none`'"), ("\x0escale=none\x0f", rb"\x0escale=none\x0f"), ("{scale}", b"'{scale}'")):
            table = self.write("t.csv", csv_text(header, [*rows, ["5", "3", "2", "1", name]]))
            code, _, err = self.raw("fit", table, "-o", "m", "--sigma", 1, "--ridge", 1)
            self.assertEqual(code, 0, err)
            self.assertIn(said, err)
            self.assertNotIn(b"--scale", err)
            self.assertIn(said, self.raw("evaluate", self.fitted(), table)[2])

    def test_names_of_files_and_bytes_that_are_no_utf_8(self):
        for name in (b"no\nsuch\x1bfile.csv", b"no\xff\xfesuch.csv"):
            code, _, err = subprocess_bytes(self.folder, b"fit", name, b"-o", b"m")
            self.assertEqual(code, INPUT, err)
            self.assert_harmless(err)
            self.assertEqual(err.count(b"\n"), 1)
        code, _, err = subprocess_bytes(self.folder, b"fi\x1b\xfft")
        self.assertEqual(code, USAGE)
        self.assert_harmless(err)

    def test_what_is_long_is_cut(self):
        long_name = "n" * 5000
        header, rows = iris_rows()
        table = self.write("t.csv", csv_text(header, [*rows, ["5", "3", "2", "1", long_name]]))
        _, _, err = self.raw("fit", table, "-o", "m", "--sigma", 1, "--ridge", 1)
        self.assertIn(b"nnn...nnn", err)
        self.assertLess(len(max(err.split(), key=len)), 220)
        _, _, err = self.raw("evaluate", self.fitted(), table)
        self.assertLess(len(err), 600)
        code, _, err = self.raw("fit", "x" * 4000, "-o", "m")
        self.assertEqual(code, INPUT)
        self.assertLess(len(err), 400)

    def test_json_is_utf_8(self):
        model = self.fitted(self.hostile_iris(BELL))
        _, out, _ = self.raw("predict", model, "t.csv", "--json")
        self.assertIn(BELL, json.loads(out.decode())["labels"])
        code, _, err = subprocess_bytes(self.folder, b"evaluate", bytes(model), b"no\xff.csv", b"--json", b"--progress", b"json")
        self.assertEqual(code, INPUT)
        self.assert_harmless(err)


def subprocess_bytes(folder, *arguments):
    done = subprocess.run([TOOL.encode(), *arguments], cwd=folder, stdin=subprocess.DEVNULL, check=False, capture_output=True, timeout=240)
    return done.returncode, done.stdout, done.stderr


class Names(ToolTest):
    def test_names_too_long_for_the_system(self):
        for option in ("--weights", "--folds", "--label-kernel"):
            result = self.run_tool("fit", IRIS, "-o", "m", option, "x" * 5000)
            self.assertIn(result.code, (USAGE, INPUT), str(result))
            self.assertNotIn("stdout", result.err)
