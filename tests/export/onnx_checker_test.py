# SPDX-License-Identifier: Apache-2.0
"""Exported ONNX models are what onnx's own checker expects: onnx_checker_test.py TOOL

Shapes are inferred and compared too. Exit code 77 (skipped) without the Python package onnx (Debian: python3-onnx).
"""
import pathlib
import subprocess
import sys
import tempfile

from cases import SKIPPED, Workshop, choice_cases, machine_cases, prepare

CHECK = """
import sys
import onnx
for path in sys.argv[1:]:
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    assert [each.name for each in model.graph.output] == ["label", "scores", "probabilities"], path
    assert {each.key for each in model.metadata_props} >= {"features", "classes", "machine"}, path
print(len(sys.argv) - 1, "models hold")
"""


def main():
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import onnx.checker"], cwd="/", stderr=subprocess.DEVNULL, check=False).returncode == 0:
            break
    else:
        print("skipped: no Python package onnx")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        shop = Workshop(pathlib.Path(sys.argv[1]).resolve(), folder)
        prepare(shop)
        models = []
        for number, case in enumerate([*machine_cases(shop, ("iris",)), *choice_cases(shop)]):
            models.append(f"{case.model}.onnx")
            shop.run("export", case.model, "--onnx", models[-1], "--quiet", *(["--float32"] if number % 2 else []))
        return subprocess.run([python, "-c", CHECK, *models], cwd=folder, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
