# SPDX-License-Identifier: Apache-2.0
"""Man pages: one for the tool and each command, with every option in it, and groff finds nothing to warn of."""
import re
import shutil
import subprocess
import unittest

from tool import TOOL, USAGE, ToolTest


class Manual(ToolTest):
    def setUp(self):
        super().setUp()
        self.succeeds("manual", "--man", "man1")
        self.pages = {page.name: page.read_text() for page in (self.folder / "man1").iterdir()}

    def test_each_command_has_a_page_and_is_on_the_page_of_the_tool(self):
        commands = self.commands()
        self.assertEqual(set(self.pages), {"manyone.1", *(f"manyone-{command}.1" for command in commands)})
        for command in commands:
            self.assertIn(f"\n\\fB{command}\\fR\n", self.pages["manyone.1"])
            self.assertIn(f"\\fBmanyone\\-{command}\\fR(1)", self.pages["manyone.1"])

    def test_each_option_with_its_text_is_on_the_page_of_its_command(self):
        for command in self.own_commands():
            page = self.pages[f"manyone-{command}.1"].replace("\\-", "-")
            for option in self.options(command):
                with self.subTest(f"{command} {option}"):
                    self.assertRegex(page, rf"\.TP\n[^\n]*\\fB{option}\\fR[^\n]*\n[^\n]+\n")

    def test_defaults_values_and_examples(self):
        page = self.pages["manyone-fit.1"].replace("\\-", "-")
        self.assertRegex(page, r"\\fB--machine\\fR \\fIauto\|MACHINE\\fR\n[^\n]+\[auto\]\n")
        self.assertIn("\n.SH EXAMPLES\n.nf\nmanyone fit data/iris.csv -o iris.safetensors\n", page)
        self.assertIn("\\fBmanyone fit\\fR \\fIDATA\\fR \\fB--output\\fR \\fIFILE\\fR", page)

    def test_the_studies_write_a_page_of_their_own(self):
        subprocess.run([f"{TOOL}-reproduce", "manual", "--man", "studies"], cwd=self.folder, check=True, capture_output=True)
        page = (self.folder / "studies" / "manyone-reproduce.1").read_text().replace("\\-", "-")
        for option in self.options("reproduce"):
            self.assertRegex(page, rf"\.TP\n[^\n]*\\fB{option}\\fR[^\n]*\n[^\n]+\n")

    def test_one_way_of_writing_must_be_chosen(self):
        self.fails(USAGE, "manual", says=["--man", "--markdown"])
        self.fails(USAGE, "manual", "--man", "x", "--markdown", says="excludes")
        self.write("taken", "")
        self.fails(USAGE, "manual", "--man", "taken", says=["taken", "folder"])

    def test_tables_have_every_option(self):
        tables = self.succeeds("manual", "--markdown").out
        for command in self.own_commands():
            for option in self.options(command) - {"--help"}:
                self.assertRegex(tables, rf"\n\| [^|]*`{option}` \|")
        for line in tables.splitlines():
            if line.startswith("|"):
                self.assertEqual(len(re.findall(r"(?<!\\)\|", line)), 5, line)


class TypesetManual(ToolTest):
    @unittest.skipUnless(shutil.which("groff"), "groff is missing")
    def test_groff_warns_of_nothing(self):
        self.succeeds("manual", "--man", "man1")
        for page in sorted((self.folder / "man1").iterdir()):
            done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-rLL=100n", page], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)
            self.assertIn(page.stem, re.sub(r"\x1b\[[\d;]*m", "", done.stdout))


if __name__ == "__main__":
    unittest.main()
