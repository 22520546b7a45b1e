# SPDX-License-Identifier: Apache-2.0
"""The example runs, and so does every block of Python code in the documentation."""
import re
import subprocess
import sys

import pytest


def test_the_example_runs(source, tmp_path):
    done = subprocess.run([sys.executable, source / "examples" / "06_python.py", tmp_path / "out"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "wine.safetensors").exists()
    assert "expected error" in done.stdout


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_the_code_of_a_page_runs(page, source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (source / page).read_text(), re.DOTALL)
    assert blocks
    program = compile("\n".join(blocks), page, "exec")
    exec(program, {"__name__": "page"})
