# SPDX-License-Identifier: Apache-2.0
"""zsh understands the completion script, and hands every option of every command to its completion system."""
import re
import shutil
import subprocess
import unittest

from tool import ToolTest

# The completion system's own functions say what they are given.
ASK = r"""
compdef() { print -r -- "compdef $*" }
_arguments() { print -rl -- "$@" }
_describe() { print -rl -- ${(P)4} }
source $1
words=("${(@)argv[2,-1]}")
CURRENT=$#words
PREFIX=$words[-1]
_manyone
"""


@unittest.skipUnless(shutil.which("zsh"), "zsh is missing")
class ZshCompletion(ToolTest):
    def setUp(self):
        super().setUp()
        self.script = self.write("_manyone", self.succeeds("completion", "zsh").out)

    def zsh(self, *words):
        done = subprocess.run(["zsh", "-f", "-c", ASK, "ask", self.script, "manyone", *words], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "compdef _manyone manyone")
        return lines[1:]

    def test_script_is_understood(self):
        done = subprocess.run(["zsh", "-n", self.script], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(self.script.read_text().startswith("#compdef manyone\n"))

    def test_commands_are_described(self):
        self.assertEqual([line.split(":")[0] for line in self.zsh("")], self.commands())
        self.assertTrue(any(line.startswith("--version[") for line in self.zsh("--")))

    def test_options_of_every_command_are_those_of_its_help(self):
        for command in self.own_commands():
            with self.subTest(command):
                given = {found[1] for line in self.zsh(command, "") if (found := re.match(r"(?:\([^)]*\)|\*)?(--[a-z0-9-]*[a-z0-9])", line))}
                self.assertEqual(given, self.options(command))

    def test_machines_and_files(self):
        lines = self.zsh("fit", "")
        machine = next(line for line in lines if line.startswith("--machine="))
        self.assertRegex(machine, r":auto\|MACHINE:\(auto onelsm .*\)$")
        self.assertIn(":DATA:_files", lines)
        self.assertRegex(next(line for line in self.zsh("compare", "") if line.startswith("--machines=")), r":_sequence compadd - onelsm ")


if __name__ == "__main__":
    unittest.main()
