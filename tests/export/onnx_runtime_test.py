# SPDX-License-Identifier: Apache-2.0
"""Exported ONNX models give our scores, probabilities and labels in onnxruntime: onnx_runtime_test.py TOOL WORK

WORK: a folder for what npm fetches. Prints a line for every model and fails when a label differs, or float64 scores differ
by more than 1e-9 of the largest. Exit code 77 (skipped) where npm or its packages are missing.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from cases import SKIPPED, Workshop, choice_cases, machine_cases, prepare

HERE = pathlib.Path(__file__).resolve().parent
LARGEST = {"float64": 1e-9, "float32": 1e-3}  # differences, as a share of the largest score; probabilities as they are


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def runtime(work):
    """The node program with onnxruntime beside the script, fetched once."""
    npm, node = shutil.which("npm"), shutil.which("node") or shutil.which("nodejs")
    if not npm or not node:
        skip("no npm or node")
    work.mkdir(parents=True, exist_ok=True)
    lock = (HERE / "package-lock.json").read_text()
    fetched = work / "fetched"
    for name in ("package.json", "package-lock.json", ".npmrc", "run_models.mjs"):
        shutil.copy(HERE / name, work)
    if not fetched.exists() or fetched.read_text() != lock:
        done = subprocess.run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], cwd=work, check=False)
        if done.returncode:
            skip("npm cannot fetch onnxruntime-node")
        fetched.write_text(lock)
    return node


def difference(found, expected):
    return max(abs(a - b) for a, b in zip(found, expected)) if len(found) == len(expected) else float("inf")


def judge(case, precision, result, expected, described):
    """A line of the table, and whether it is good."""
    if "error" in result:
        return f"{case.name}: {result['error']}", False
    scores = [value for row in expected["scores"] for value in row]
    chances = [value for row in expected["probabilities"] for value in row]
    largest = max(map(abs, scores)) or 1
    of_scores = difference(result["scores"], scores) / largest
    of_chances = difference(result["probabilities"], chances)
    agree = sum(a == b for a, b in zip(result["label"], expected["labels"]))
    total = len(expected["labels"])
    line = (f"{described['machine']:<13}{described['decode']:<17}{precision:<8}{of_scores:10.1e}{of_chances:10.1e}"
            f"{agree:>6} of {total:<5}{case.name}")
    bound = LARGEST[precision]
    enough = total if precision == "float64" else 0.99 * total
    # float32 may turn a vote or a sign, which moves scores by a whole unit.
    near = of_scores <= bound or (precision == "float32" and described["decode"] not in ("argmax", "flda"))
    return line, agree >= enough and near and (of_chances <= 10 * bound or precision == "float32")


def main():
    tool, node = pathlib.Path(sys.argv[1]).resolve(), runtime(pathlib.Path(sys.argv[2]))
    with tempfile.TemporaryDirectory() as folder:
        shop = Workshop(tool, folder)
        prepare(shop)
        jobs, wanted = [], []
        cases = [*machine_cases(shop, ("iris", "wine", "glass")), *choice_cases(shop)]
        for number, case in enumerate(cases):
            rows = case.rows()
            for precision in ("float64", "float32")[:2 if number % 3 == 0 else 1]:
                model = f"{case.model}.{precision}.onnx"
                shop.run("export", case.model, "--onnx", model, "--quiet", *(["--float32"] if precision == "float32" else []))
                jobs.append({"model": model, "type": precision, "rows": len(rows), "columns": len(rows[0]),
                             "features": [value for row in rows for value in row]})
                wanted.append((case, precision))
        pathlib.Path(folder, "cases.json").write_text(json.dumps(jobs))
        subprocess.run([node, "run_models.mjs", f"{folder}/cases.json", f"{folder}/results.json"], cwd=sys.argv[2], check=True)
        results = json.loads(pathlib.Path(folder, "results.json").read_text())
        print(f"{'machine':<13}{'decoder':<17}{'type':<8}{'scores':>10}{'probab.':>10}{'labels':>10}       model")
        failures = []
        known = {}
        for (case, precision), result in zip(wanted, results, strict=True):
            if case not in known:
                known[case] = (shop.predicted(case), shop.described(case))
            line, good = judge(case, precision, result, *known[case])
            print(line if good else line + "   FAILED")
            failures += [] if good else [line]
    print(f"{len(results)} models, {len(failures)} that differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
