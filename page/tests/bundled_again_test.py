# SPDX-License-Identifier: Apache-2.0
"""Bundles the page again and compares the bytes with the committed bundle: bundled_again_test.py WORK

WORK: a folder for a copy of the package with what npm fetches, where browser_test.py works, too. Exit code 77 (skipped)
where npm or its packages are missing.
"""
import pathlib
import shutil
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[1]
SKIPPED = 77


def main():
    work = pathlib.Path(sys.argv[1])
    npm, node = shutil.which("npm"), shutil.which("node") or shutil.which("nodejs")
    shutil.rmtree(work, ignore_errors=True)
    if not npm or not node:
        print("skipped: no npm or node")
        return SKIPPED
    shutil.copytree(PAGE, work, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
    if subprocess.run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], cwd=work, check=False).returncode:
        shutil.rmtree(work)
        print("skipped: npm cannot fetch what the page is made with")
        return SKIPPED
    subprocess.run([node, "build.mjs"], cwd=work, check=True)
    different = [name for name in ("page.html", "figures.mjs", "SHA256SUMS")
                 if (work / "bundle" / name).read_bytes() != (PAGE / "bundle" / name).read_bytes()]
    for name in different:
        print(f"page/bundle/{name} is another when it is made again; run ./dev page and commit it")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
