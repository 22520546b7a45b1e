#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the documentation: check.py TOOL [--write]

Relative links lead somewhere; every --option that a page names is one of the tool's or of the programs beside it; the
tables of docs/parameters.md are what the tool says of its options (--write puts them there); the C++ of docs/cpp.md is
in an example, which the tests build and run.
"""
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
# cmake's, pkg-config's, python3 -m build's, and everybody's
FOREIGN = {"--prefix", "--install", "--preset", "--cflags", "--libs", "--wheel", "--no-isolation", "--sdist", "--no-build-isolation", "--no-deps", "--help", "--version"}
PARAMETERS = ROOT / "docs" / "parameters.md"
TABLES = re.compile(r"(<!-- From here: manyone manual --markdown -->\n\n).*?(<!-- Until here. -->)", re.DOTALL)


def said(tool, *arguments):
    return subprocess.run([tool, *arguments], capture_output=True, text=True, check=True).stdout


def known_options(tool):
    listed = said(tool, "--help").split("Subcommands:")[1].split("\n\n")[0]
    options = set(FOREIGN)
    for command in re.findall(r"^  ([a-z][a-z-]*) ", listed, re.MULTILINE):
        options |= set(re.findall(r"--[a-z][a-z0-9-]*", said(tool, command, "--help")))
    return options


def problems_of_links(page, text):
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text):
        if "://" not in target and not (page.parent / target).exists():
            yield f"link to {target} leads nowhere"


def problems_of_options(page, text, options):
    if page.parent.name == "decisions":
        return
    for line in text.splitlines():
        if "./dev" in line:
            continue
        for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", line):
            if option not in options:
                yield f"{option} is not an option"


def problems_of_code(text):
    """Each block of C++ must be found in an example, word for word but for the indentation."""
    examples = [example.read_text() for example in (ROOT / "examples").glob("*.cpp")]
    for block in re.findall(r"^```cpp\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if not any(textwrap.indent(block, " " * indent) in example for example in examples for indent in (0, 2, 4)):
            yield f"no example has this code: {block.splitlines()[0]} …"


def problems_of_tables(tool, write):
    old = PARAMETERS.read_text()
    new = TABLES.sub(lambda found: found[1] + said(tool, "manual", "--markdown") + found[2], old)
    if write:
        PARAMETERS.write_text(new)
    elif not TABLES.search(old):
        yield "the tables of options are missing"
    elif new != old:
        yield "the tables are not what the tool says; run ./dev docs --write"


def main():
    tool, write = sys.argv[1], "--write" in sys.argv[2:]
    options = known_options(tool)
    problems = [f"{PARAMETERS.relative_to(ROOT)}: {problem}" for problem in problems_of_tables(tool, write)]
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("data/*.md")]
    for page in pages:
        text = page.read_text()
        found = [*problems_of_links(page, text), *problems_of_options(page, text, options)]
        if page.name == "cpp.md":
            found += problems_of_code(text)
        problems += [f"{page.relative_to(ROOT)}: {problem}" for problem in found]
    print("\n".join(problems) or f"{len(pages)} pages hold")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
