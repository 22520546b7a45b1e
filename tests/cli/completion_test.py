# SPDX-License-Identifier: Apache-2.0
"""bash completes what the tool takes: it is asked as Tab would ask it."""
import json
import subprocess

from tool import USAGE, ToolTest

ASK = r"""
source "$1"; shift
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_manyone
printf '%s\n' "${COMPREPLY[@]}"
"""


class Completion(ToolTest):
    def setUp(self):
        super().setUp()
        self.script = self.write("script", self.succeeds("completion", "bash").out)

    def bash(self, *words):
        """What bash offers for the last of the words that were typed."""
        done = subprocess.run(["bash", "--norc", "-c", ASK, "ask", self.script, "manyone", *words], cwd=self.folder,
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split("\n")) - {""}

    def names(self, listing):
        return {entry["name"] for entry in json.loads(self.succeeds(listing, "--json").out)}

    def test_commands(self):
        self.assertEqual(self.bash(""), set(self.commands()))
        self.assertEqual(self.bash("comp"), {"compare", "completion"})
        self.assertIn("--version", self.bash("--"))

    def test_options_of_every_command_are_those_of_its_help(self):
        for command in self.own_commands():
            with self.subTest(command):
                self.assertEqual({word for word in self.bash(command, "-") if word.startswith("--")}, self.options(command))

    def test_names_of_machines_kernels_and_labelbooks(self):
        self.assertEqual(self.bash("fit", "--machine", ""), self.names("machines") | {"auto"})
        self.assertEqual(self.bash("tune", "x.csv", "--kernel", "p"), {"polynomial", "precomputed"})
        self.assertLessEqual(self.names("labelbooks"), self.bash("fit", "--labelbook", ""))

    def test_value_behind_an_equals_sign(self):
        self.assertEqual(self.bash("fit", "--machine", "=", "onel"), {"onelsm"})
        self.assertEqual(self.bash("fit", "--machine", "="), self.bash("fit", "--machine", ""))

    def test_lists_go_on_behind_a_comma(self):
        self.assertEqual(self.bash("compare", "--machines", "onelsm,svm-o"), {"onelsm,svm-ova", "onelsm,svm-ovo"})

    def test_words_of_a_set_and_of_our_own(self):
        self.assertEqual(self.bash("fit", "--search", ""), {"auto", "grid", "halving", "design", "greedy"})
        self.assertEqual(self.bash("fit", "--scale", "st"), {"standard"})

    def test_files_for_arguments_and_options(self):
        self.write("my table.csv", "")
        (self.folder / "my folder").mkdir()
        self.assertEqual(self.bash("fit", "my"), {"my table.csv", "my folder"})
        self.assertEqual(self.bash("fit", "x.csv", "-o", "my t"), {"my table.csv"})
        self.assertEqual(self.bash("report", "x.json", "--svg", "my"), {"my folder"})
        self.assertEqual(self.bash("fit", "--weights", "m"), {"my table.csv", "my folder"})
        self.assertEqual(self.bash("compare", "a.csv", "b.csv", "my t"), {"my table.csv"})

    def test_second_argument_is_none_where_a_command_has_one(self):
        self.write("x.csv", "")
        self.assertEqual(self.bash("fit", "x.csv", "x"), set())
        self.assertEqual(self.bash("predict", "model", "x"), {"x.csv"})
        self.assertEqual(self.bash("fit", "--sigma", "1", "x"), {"x.csv"})

    def test_unknown_shell_is_refused(self):
        self.fails(USAGE, "completion", "fish", says=["fish", "bash", "zsh"])
