# SPDX-License-Identifier: Apache-2.0
"""Opens the report page in headless Chromium: browser_test.py TOOL PAGE WORK

TOOL: the command-line tool, whose results are opened beside made-up ones; PAGE: the bundled page; WORK: a folder for
what npm fetches. Exit code 77 (skipped) where Chromium, npm or its packages are missing.
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
    tool, page, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium")
    npm, node = shutil.which("npm"), shutil.which("node") or shutil.which("nodejs")
    if not browser:
        skip("no Chromium; install it, or name another browser in $CHROMIUM")
    if not npm or not node or not page.exists():
        skip("the tool was built without a page (npm)")
    # A copy, so that nothing is written among the sources.
    shutil.copytree(SOURCE / "page", work, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules", "build"))
    if subprocess.run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], cwd=work, check=False).returncode:
        skip("npm cannot fetch what the test needs")
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "results"
        results.mkdir()
        model, iris = f"{folder}/m", str(SOURCE / "data" / "iris.csv")
        for name, arguments in (("fit", ["fit", iris, "-o", model, "--figures"]), ("tune", ["tune", iris, "--search", "grid"]),
                                ("evaluate", ["evaluate", model, iris]),
                                ("compare", ["compare", iris, "--machines", "onelsm,ls-ovo,vo-lssvm"])):
            done = subprocess.run([tool, *arguments, "--json", "--quiet"], stdout=subprocess.PIPE, check=True)
            (results / f"{name}.json").write_bytes(done.stdout)
        environment = {**os.environ, "CHROMIUM": browser, "PAGE": str(page), "RESULTS": str(results)}
        subprocess.run([node, "--test", "tests/words_test.mjs"], cwd=work, check=True)
        subprocess.run([node, "tests/page_test.mjs", *sys.argv[4:]], cwd=work, env=environment, check=True)


if __name__ == "__main__":
    main()
