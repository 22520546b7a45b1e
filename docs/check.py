#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the documentation: relative links lead somewhere, and every --option it names is one of the tool's or of ./dev's peers."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOREIGN = {"--prefix", "--install", "--preset", "--help", "--version", "--wheel", "--no-isolation"}  # cmake's, python3 -m build's, and everybody's


def known_options(tool):
    commands = ["fit", "predict", "evaluate", "tune", "compare", "report", "reproduce", "inspect", "machines", "labelbooks", "kernels", "datasets"]
    options = set(FOREIGN)
    for command in commands:
        text = subprocess.run([tool, command, "--help"], capture_output=True, text=True, check=True).stdout
        options |= set(re.findall(r"--[a-z][a-z-]*", text))
    return options


def main():
    options = known_options(sys.argv[1])
    problems = []
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("data/*.md")]
    for page in pages:
        text = page.read_text()
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text):
            if "://" not in target and not (page.parent / target).exists():
                problems.append(f"{page.relative_to(ROOT)}: link to {target} leads nowhere")
        if page.parent.name == "decisions":
            continue
        for line in text.splitlines():
            if "./dev" in line:
                continue
            for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", line):
                if option not in options:
                    problems.append(f"{page.relative_to(ROOT)}: {option} is not an option")
    print("\n".join(problems) or f"{len(pages)} pages hold")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
