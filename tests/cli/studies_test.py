# SPDX-License-Identifier: Apache-2.0
"""The studies in examples/: each runs to its end and leaves its results and figures."""
import json
import os
import subprocess

from tool import SOURCE, TOOL, ToolTest, needs_node


@needs_node
class Studies(ToolTest):
    def study(self, name):
        done = subprocess.run(["bash", SOURCE / "examples" / name, TOOL, self.folder], env={**os.environ, "MANYONE_DATA": ""},
                              check=False, capture_output=True, text=True, timeout=240)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_which_machine(self):
        self.study("03_which_machine.sh")
        compared = json.loads((self.folder / "compare.json").read_text())
        self.assertEqual(len(compared["pairs"]), 10)
        self.assertTrue((self.folder / "compare" / "differences.svg").exists())
        self.assertIn("nested", json.loads((self.folder / "best.json").read_text()))

    def test_uneven_classes(self):
        self.study("04_uneven_classes.sh")
        machines = json.loads((self.folder / "compare.json").read_text())["sets"][0]["machines"]
        plain, balanced = machines[:2]
        self.assertLess(balanced["balanced_error"], plain["balanced_error"])
        self.assertTrue((self.folder / "balanced" / "confusion.svg").exists())
