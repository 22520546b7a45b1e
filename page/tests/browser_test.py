# SPDX-License-Identifier: Apache-2.0
"""Opens the report page in headless Chromium: browser_test.py TOOL WORK [FOLDER for screenshots]

TOOL: the command-line tool, whose results are opened beside made-up ones; WORK: where bundled_again_test.py left the
package with what npm fetches. Exit code 77 (skipped) where that or Chromium is missing.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def main():
    tool, work = sys.argv[1], pathlib.Path(sys.argv[2])
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium")
    node = shutil.which("node") or shutil.which("nodejs")
    if not browser:
        skip("no Chromium; install it, or name another browser in $CHROMIUM")
    if not node or not (work / "node_modules").exists():
        skip("npm, or what it fetches, is missing")
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "results"
        results.mkdir()
        model, iris = f"{folder}/m", str(SOURCE / "data" / "iris.csv")
        for name, arguments in (("fit", ["fit", iris, "-o", model, "--figures"]), ("tune", ["tune", iris, "--search", "grid"]),
                                ("evaluate", ["evaluate", model, iris]),
                                ("compare", ["compare", iris, "--machines", "onelsm,ls-ovo,vo-lssvm"])):
            done = subprocess.run([tool, *arguments, "--json", "--quiet"], stdout=subprocess.PIPE, check=True)
            (results / f"{name}.json").write_bytes(done.stdout)
        environment = {**os.environ, "CHROMIUM": browser, "RESULTS": str(results)}
        subprocess.run([node, "--test", "tests/words_test.mjs"], cwd=work, check=True)
        subprocess.run([node, "tests/page_test.mjs", *sys.argv[3:]], cwd=work, env=environment, check=True)


if __name__ == "__main__":
    main()
