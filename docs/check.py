#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the documentation: check.py TOOL [--write]

Relative links lead somewhere; every --option that a page names is one of the tool's or of the programs beside it; the
tables of docs/parameters.md are what the tool says of its options; the C++ of docs/cpp.md is in an example, which the
tests build and run; the measured figures of docs/benchmarks.md and README are those of bench/figures.json; what pages print
below "$ manyone …" is what the tool prints, but for times and sizes (of tables that do not come with the sources where
$MANYONE_DATA has them); and such tables are said to be absent. --write puts the tables and the outputs there.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import figures  # noqa: E402

# cmake's, pkg-config's, python3 -m build's, and everybody's
FOREIGN = {"--prefix", "--install", "--preset", "--cflags", "--libs", "--wheel", "--no-isolation", "--sdist", "--no-build-isolation", "--no-deps", "--help", "--version"}
PARAMETERS = ROOT / "docs" / "parameters.md"
STUDIES = ROOT / "docs" / "reproduce.md"
TABLES = re.compile(r"(<!-- From here: [\w-]+ manual --markdown -->\n\n).*?(<!-- Until here. -->)", re.DOTALL)


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


def problems_of_the_walk(text):
    """The functions of the way through the code are where the page says."""
    for file, function in re.findall(r"^\| \d+ \| (\S+) \| `(\w+)` \|", text, re.MULTILINE):
        path = ROOT / file
        if not path.exists() or not re.search(rf"\b{function}\(", path.read_text()):
            yield f"{function} is not in {file}"


def problems_of_code(text):
    """Each block of C++ must be found in an example, word for word but for the indentation."""
    examples = [example.read_text() for example in (ROOT / "examples").glob("*.cpp")]
    for block in re.findall(r"^```cpp\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if not any(textwrap.indent(block, " " * indent) in example for example in examples for indent in (0, 2, 4)):
            yield f"no example has this code: {block.splitlines()[0]} …"


def table_of_studies(tool):
    """Of the options of manyone-reproduce; how it runs is told with the tool's."""
    tables = re.split(r"^### ", said(f"{tool}-reproduce", "manual", "--markdown"), flags=re.MULTILINE)
    return next(table for table in tables if table.startswith("manyone reproduce")).split("\n\n", 2)[2]


def problems_of_tables(page, tables, write):
    old = page.read_text()
    new = TABLES.sub(lambda found: found[1] + tables + found[2], old)
    if write:
        page.write_text(new)
    elif not TABLES.search(old):
        yield "the tables of options are missing"
    elif new != old:
        yield "the tables are not what the tool says; run ./dev docs --write"


def problems_of_figures(page, write):
    """The tables of measured figures are those of bench/figures.json, and one page shows all of them."""
    document, old = figures.load(), page.read_text()
    new = figures.filled(old, document)
    if write:
        page.write_text(new)
    elif new != old:
        yield "the figures are not those of bench/figures.json; run ./dev docs --write"
    if not figures.BLOCK.search(old):
        yield "the tables of figures are missing"
    if page == figures.PAGE:
        yield from (f"no table shows the benchmark {name}" for name in figures.absent(document))


TABLE = re.compile(r"[\w./-]+\.(?:csv|tsv|svm|arff|txt)(?:\.gz)?")
WRITES = {"-o", "--output", "--report", "--resume"}
ABSENT = ("stand for your own", "stands for your own", "not come with Manyone")
MEASURED = re.compile(r"\d+(?:\.\d+)? (?:ms|s|min|kB|MB)\b|\d+(?:\.\d+)? +s$", re.MULTILINE)
OUTPUT = re.compile(r"^```\n(\$ manyone .*?)^```", re.DOTALL | re.MULTILINE)


def tables_read(commands):
    """Tables that these commands read and none of them has written."""
    written, read = set(), []
    for command in commands:
        words = shlex.split(command, comments=True)
        for before, word in zip(["", *words], words):
            if before in WRITES:
                written.add(word)
            elif TABLE.fullmatch(word) and word not in written:
                read.append(word)
    return read


def absent_tables(commands):
    return [table for table in tables_read(commands) if not (ROOT / table).exists()]


def elsewhere(table):
    """The table in $MANYONE_DATA, where tables are kept that do not come with the sources."""
    path = pathlib.Path(os.environ.get("MANYONE_DATA", ROOT)) / table
    return path if path.exists() else None


def problems_of_tables_read(text):
    """A command that a reader cannot run, for want of its table, is said to be one."""
    said_absent = [paragraph for paragraph in text.split("\n\n") if any(words in paragraph for words in ABSENT)]
    for table in dict.fromkeys(absent_tables(re.findall(r"^(?:    |\$ )(manyone .*)", text, re.MULTILINE))):
        if not any(f"`{table}`" in paragraph for paragraph in said_absent):
            yield f"{table} is not there; say that it stands for your own table or does not come with Manyone"


def same_line(expected, printed):
    """Times and sizes are measured: their digits, and the widths of the columns they stand in, may differ."""
    def plain(line):
        return re.sub(r" +", " ", re.sub(r"-{4,}", "----", MEASURED.sub("#", line))).strip()

    return plain(expected) == plain(printed)


def printed_again(tool, block):
    """The commands of a block with what they print now. "…" at the end of an output stands for the rest of it."""
    out = []
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "data", pathlib.Path(folder) / "data")
        for table in absent_tables(re.findall(r"^\$ (manyone .*)", block, re.MULTILINE)):
            os.symlink(elsewhere(table).resolve(), pathlib.Path(folder) / table)
        for command, expected in re.findall(r"^\$ manyone (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            done = subprocess.run([tool, *shlex.split(command)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, check=False)
            lines = done.stdout.splitlines()
            wanted = expected.splitlines()
            if wanted and wanted[-1] == "…":
                lines = [*lines[:len(wanted) - 1], "…"]
            same = len(lines) == len(wanted) and all(map(same_line, wanted, lines))
            out += [f"$ manyone {command}", *(wanted if same else lines)]
    return "\n".join(out) + "\n"


def problems_of_outputs(tool, page, write):
    text = page.read_text()
    for block in OUTPUT.findall(text):
        if not all(map(elsewhere, absent_tables(re.findall(r"^\$ (manyone .*)", block, re.MULTILINE)))):
            continue
        new = printed_again(tool, block)
        if new == block:
            continue
        if write:
            text = text.replace(block, new)
            page.write_text(text)
        else:
            yield f"the tool prints something else below {block.splitlines()[0]}; run ./dev docs --write"


def main():
    tool, write = os.path.abspath(sys.argv[1]), "--write" in sys.argv[2:]
    options = known_options(tool)
    problems = [f"{PARAMETERS.relative_to(ROOT)}: {problem}" for problem in problems_of_tables(PARAMETERS, said(tool, "manual", "--markdown"), write)]
    problems += [f"{STUDIES.relative_to(ROOT)}: {problem}" for problem in problems_of_tables(STUDIES, table_of_studies(tool), write)]
    problems += [f"{page.relative_to(ROOT)}: {problem}" for page in figures.PAGES for problem in problems_of_figures(page, write)]
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("data/*.md")]
    for page in pages:
        text = page.read_text()
        found = [*problems_of_links(page, text), *problems_of_options(page, text, options)]
        if page.parent == ROOT / "docs" or page == ROOT / "README.md":
            found += [*problems_of_tables_read(text), *problems_of_outputs(tool, page, write)]
        if page.name == "architecture.md":
            found += problems_of_the_walk(text)
        if page.name == "cpp.md":
            found += problems_of_code(text)
        problems += [f"{page.relative_to(ROOT)}: {problem}" for problem in found]
    print("\n".join(problems) or f"{len(pages)} pages hold")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
