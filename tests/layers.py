#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a module includes one that stands to its right in the order of the layers (CONTRIBUTING.md), or when two
headers define types of the same name: the linker would take the functions of one for those of the other; or when code
outside the registries knows a machine, a kernel or a decoder by name; or when the library speaks of options of the
command line, marks a parameter in a text that none has, or refuses a choice without saying which one and what to do."""
import collections
import pathlib
import re
import sys

ORDER = ["base", "data", "kernel", "labelbook", "backend", "solve", "machine", "decoder", "model", "selection", "statistics",
         "result", "door"]
# How a table becomes rows: each stage of data/ sees those before it.
RIVER = ["bytes", "records", "outline", "rows"]
# Concrete backends are seen by themselves and the registry alone.
CONCRETE = {"backend/cpu", "backend/reference"}
# Headers for programs that all layers are made of, too: what is thrown, who listens, and the words for both.
OF_ALL = {"errors", "observer", "words"}
# Names of kernels that are also words of other things: kernel types of LIBSVM's files, kernels on labels.
SAID_OF_OTHERS = {"linear", "polynomial", "precomputed"}


def violations(root):
    source = root / "src"
    for path in sorted(source.rglob("*.[ch]pp")):
        relative = path.relative_to(source)
        module = relative.parts[0]
        if module not in ORDER:
            yield f"{relative}: module '{module}' is not in the order of the layers"
            continue
        for line in path.read_text().splitlines():
            match = re.match(r'\s*#include "((?:%s)(?:/\w+)*)/[\w.]+"' % "|".join(ORDER), line)
            if not match:
                program = re.match(r'\s*#include [<"]manyone/(\w+)\.hpp[>"]', line)
                if program and module != "door" and program.group(1) not in OF_ALL:
                    yield f"{relative} includes a header for programs; only the door may"
                continue
            target = match.group(1)
            if ORDER.index(target.split("/")[0]) > ORDER.index(module):
                yield f"{relative} includes {target}, which is to its right"
            if module == "selection" and target == "statistics":
                yield f"{relative}: selection may not use statistics"
            here, there = relative.parts[1], target.split("/")[-1]
            if module == "data" and here in RIVER and there in RIVER and RIVER.index(there) > RIVER.index(here):
                yield f"{relative} includes data/{there}, which comes later on the way from bytes to rows"
            own = "/".join(relative.parts[:2])
            if target in CONCRETE and own != target and str(relative) != "backend/registry.cpp":
                yield f"{relative} includes the concrete {target}; only the registry may"


def known_by_name(root, kind, least):
    """Names of machines, kernels or decoders in code that is neither theirs nor the registry's: what depends on one is a trait."""
    home = root / "src" / kind
    names = {name for path in home.glob("*.cpp")
             for name in re.findall(r'(?:\.name = |_decoder<[\w:]+>\(\s*)"([\w:-]+)"', path.read_text())}
    if len(names) < least:
        yield f"the registry of {kind}s has no entries where they are looked for"
    for path in sorted([*(root / "src").rglob("*.[ch]pp"), *(root / "cli").rglob("*.[ch]pp")]):
        if path.parent == home:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if "usual_decoder" in line:  # what a machine's entry says of itself
                continue
            for name in re.findall(r'"([\w:-]+)"', line):
                if name in names - SAID_OF_OTHERS:
                    yield f"{path.relative_to(root)}:{number} knows the {kind} {name}; ask its entry in the registry"


def literals(text):
    """(line, string) of a source file, with strings that follow each other as one."""
    for match in re.finditer(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', re.sub(r"//[^\n]*|'\"'", lambda m: " " * len(m[0]), text)):
        yield text.count("\n", 0, match.start()) + 1, "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', match[0]))


def words_of_options(root):
    """Errors and notes name parameters by marks (manyone/words.hpp), which every front end spells its own way."""
    options = set(re.findall(r"`--([a-z][a-z0-9-]*)", (root / "docs" / "parameters.md").read_text()))
    places = {"row", "column", "class", ""}
    for path in sorted((root / "src").rglob("*.[ch]pp")):
        for line, text in literals(path.read_text()):
            if re.search(r"(?<![\w-])--[a-z]", text) and "Written by manyone" not in text:
                yield f"{path.relative_to(root)}:{line} speaks of an option of the command line; mark the parameter: `name`"
            for name in re.findall(r"`([^`=#]*)[^`]*`", text):
                option = {"keep_identifiers": "keep-ids"}.get(name, name.replace("_", "-"))
                if name not in places and name != "{}" and option not in options:
                    yield f"{path.relative_to(root)}:{line} marks {name}, which no option is called"


def arguments(text, start):
    """Those of the call whose parenthesis opens before `start`."""
    out, depth, last, k = [], 1, start, start
    while depth > 0:
        if text[k] == '"':
            k = re.compile(r'"(?:[^"\\]|\\.)*"').match(text, k).end()
            continue
        if text[k] == "'":
            k = re.compile(r"'(?:[^'\\]|\\.)*'").match(text, k).end()
            continue
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(text[k], 0)
        if depth == 0 or (depth == 1 and text[k] == ","):
            out.append(text[last:k].strip())
            last = k + 1
        k += 1
    return out


def refusals_without_parts(root):
    for path in sorted((root / "src").rglob("*.[ch]pp")):
        if path.stem == "errors":
            continue
        text = re.sub(r"//[^\n]*", "", path.read_text())
        for match in re.finditer(r"\bConfigError(::must_be)?\(", text):
            found = arguments(text, match.end())
            named = not found[0].startswith('"') or re.fullmatch(r'"[a-z][a-z0-9_]*"', found[0])
            if len(found) != (4 if match[1] else 3) or not named or found[-1] in ('""', "{}"):
                yield f"{path.relative_to(root)} refuses without a parameter or a remedy: {match[0]}{', '.join(found)[:80]}"


def repeated_types(root):
    headers = collections.defaultdict(list)
    for path in sorted((root / "src").rglob("*.hpp")):
        for name in re.findall(r"^(?:struct|class|enum class) (\w+)(?: [^;\n]*)?\{", path.read_text(), re.MULTILINE):
            headers[name].append(path.name)
    for name, where in headers.items():
        if len(where) > 1:
            yield f"{name} is defined in {' and in '.join(where)}"


def main():
    root = pathlib.Path(sys.argv[1])
    found = [*violations(root), *known_by_name(root, "machine", 20), *known_by_name(root, "kernel", 7),
             *known_by_name(root, "decoder", 11), *repeated_types(root), *words_of_options(root), *refusals_without_parts(root)]
    print("\n".join(found) or "every include points to the left, every type has a name of its own, nobody knows machines, kernels or decoders by name, "
          "and no complaint speaks of options")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
