# SPDX-License-Identifier: Apache-2.0
"""Runs the command-line tool in an empty folder and says what it did; every test of the command line starts here.

The environment names the tool (MANYONE) and the source tree (MANYONE_SOURCE). Without them the tool of the release
build and the tree that holds this file are taken, so that a test can be started by hand.
"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("MANYONE_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
TOOL = os.environ.get("MANYONE", str(SOURCE / "build" / "release" / "manyone"))
DATA = SOURCE / "data"
VALID = SOURCE / "tests" / "data" / "valid"
INVALID = SOURCE / "tests" / "data" / "invalid"
IRIS = DATA / "iris.csv"
DIGITS = DATA / "digits.train.csv"

# Figures are files by way of node.
NODE = shutil.which("node") or shutil.which("nodejs")
needs_node = unittest.skipUnless(NODE, "node is missing (apt install nodejs)")

DONE, USAGE, INPUT, BACKEND, MEMORY, INTERRUPTED = 0, 2, 3, 4, 5, 130


class Result:
    """What one run of the tool left behind."""

    def __init__(self, arguments, process):
        self.command = " ".join(["manyone", *map(str, arguments)])
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr

    def json(self):
        """Standard output as one JSON document; anything beside it is an error."""
        return json.loads(self.out)

    def __str__(self):
        return f"$ {self.command}\n{self.out}{self.err}(exit code {self.code})"


class ToolTest(unittest.TestCase):
    """A test with a folder of its own, in which the tool runs."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="manyone-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_tool(self, *arguments, stdin=None, env=None, **options):
        """Runs to the end. `stdin` is text or bytes; `env` adds to the environment."""
        if isinstance(stdin, str):
            stdin = stdin.encode()
        process = subprocess.run([TOOL, *map(str, arguments)], cwd=self.folder, input=stdin, env={**os.environ, **(env or {})},
                                 stdin=subprocess.DEVNULL if stdin is None else None, check=False,
                                 stdout=options.pop("stdout", subprocess.PIPE), stderr=subprocess.PIPE, timeout=240, **options)
        process.stdout = (process.stdout or b"").decode()
        process.stderr = process.stderr.decode()
        return Result(arguments, process)

    def start_tool(self, *arguments, **options):
        """Starts the tool and returns the process; its streams are pipes of text."""
        process = subprocess.Popen([TOOL, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, **options)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def succeeds(self, *arguments, **options):
        result = self.run_tool(*arguments, **options)
        self.assertEqual(result.code, DONE, str(result))
        return result

    def fails(self, code, *arguments, says=(), **options):
        """Fails with this exit code and one line on standard error that holds all of `says`."""
        result = self.run_tool(*arguments, **options)
        self.assertEqual(result.code, code, str(result))
        self.assertRegex(result.err, r"\Amanyone: [^\n]+\n\Z", str(result))
        for part in [says] if isinstance(says, str) else says:
            self.assertIn(part, result.err, str(result))
        return result

    def commands(self):
        """The commands that --help lists."""
        return re.findall(r"^  ([a-z][a-z-]*) ", self.succeeds("--help").out.split("Subcommands:")[1].split("\n\n")[0], re.MULTILINE)

    def own_commands(self):
        """Those that are not programs of their own, which say themselves what they take."""
        return [command for command in self.commands() if command != "reproduce"]

    def options(self, command):
        """The long options that a command's --help lists."""
        return set(re.findall(r"^  (?:-\w,)?(--[a-z][a-z0-9-]*)", self.succeeds(command, "--help").out, re.MULTILINE))

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def fitted(self, data=IRIS, name="m.safetensors", *options):
        """A model at fixed parameters, which takes no time; further options may change them."""
        given = options or ("--sigma", 1, "--ridge", 0.125)
        self.succeeds("fit", data, "-o", name, "--quiet", *given)
        return self.folder / name


def iris_rows():
    """The header and the rows of the iris table as lists of cells."""
    lines = IRIS.read_text().splitlines()
    return lines[0].split(","), [line.split(",") for line in lines[1:]]


def csv_text(header, rows):
    return "".join(",".join(map(str, row)) + "\n" for row in [header, *rows])


def noise_table(rows, features, classes, seed=1):
    """A table on which a search has work to do: Gaussian clouds that overlap."""
    stream = random.Random(seed)
    centres = [[stream.gauss(0, 1) for _ in range(features)] for _ in range(classes)]
    lines = [",".join(f"x{j}" for j in range(features)) + ",class"]
    for i in range(rows):
        lines.append(",".join(f"{value + stream.gauss(0, 1):.4f}" for value in centres[i % classes]) + f",{i % classes}")
    return "\n".join(lines) + "\n"
