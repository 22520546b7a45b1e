#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a module includes one that stands to its right in the order of the layers (CONTRIBUTING.md), or when two
headers define types of the same name: the linker would take the functions of one for those of the other; or when code
outside the registries knows a machine, a kernel or a decoder by name."""
import collections
import pathlib
import re
import sys

ORDER = ["base", "data", "kernel", "labelbook", "backend", "solve", "machine", "decoder", "model", "selection", "statistics",
         "report", "door"]
# Concrete backends are seen by themselves and the registry alone.
CONCRETE = {"backend/cpu", "backend/reference"}
# Names of kernels that are also words of other things: kernel types of LIBSVM's files, kernels on labels.
SAID_OF_OTHERS = {"linear", "polynomial", "precomputed"}


def violations(root):
    source = root / "src" / "manyone"
    for path in sorted(source.rglob("*.[ch]pp")):
        relative = path.relative_to(source)
        module = relative.parts[0]
        if module not in ORDER:
            yield f"{relative}: module '{module}' is not in the order of the layers"
            continue
        for line in path.read_text().splitlines():
            match = re.match(r'\s*#include [<"]manyone/([\w/]+)/[\w.]+[>"]', line)
            if not match:
                if module not in ("door", "base") and re.match(r'\s*#include [<"]manyone/\w+\.hpp[>"]', line):
                    yield f"{relative} includes a header for programs; only the door may"
                continue
            target = match.group(1)
            if ORDER.index(target.split("/")[0]) > ORDER.index(module):
                yield f"{relative} includes {target}, which is to its right"
            if module == "selection" and target == "statistics":
                yield f"{relative}: selection may not use statistics"
            own = "/".join(relative.parts[:2])
            if target in CONCRETE and own != target and str(relative) != "backend/registry.cpp":
                yield f"{relative} includes the concrete {target}; only the registry may"


def known_by_name(root, kind, least):
    """Names of machines, kernels or decoders in code that is neither theirs nor the registry's: what depends on one is a trait."""
    home = root / "src" / "manyone" / kind
    names = {name for path in home.glob("*.cpp")
             for name in re.findall(r'(?:\.name = |_decoder<[\w:]+>\(\s*)"([\w:-]+)"', path.read_text())}
    if len(names) < least:
        yield f"the registry of {kind}s has no entries where they are looked for"
    for path in sorted([*(root / "src" / "manyone").rglob("*.[ch]pp"), *(root / "cli").rglob("*.[ch]pp")]):
        if path.parent == home:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if "usual_decoder" in line:  # what a machine's entry says of itself
                continue
            for name in re.findall(r'"([\w:-]+)"', line):
                if name in names - SAID_OF_OTHERS:
                    yield f"{path.relative_to(root)}:{number} knows the {kind} {name}; ask its entry in the registry"


def repeated_types(root):
    headers = collections.defaultdict(list)
    for path in sorted((root / "src" / "manyone").rglob("*.hpp")):
        for name in re.findall(r"^(?:struct|class|enum class) (\w+)(?: [^;\n]*)?\{", path.read_text(), re.MULTILINE):
            headers[name].append(path.name)
    for name, where in headers.items():
        if len(where) > 1:
            yield f"{name} is defined in {' and in '.join(where)}"


def main():
    root = pathlib.Path(sys.argv[1])
    found = [*violations(root), *known_by_name(root, "machine", 20), *known_by_name(root, "kernel", 7),
             *known_by_name(root, "decoder", 11), *repeated_types(root)]
    print("\n".join(found) or "every include points to the left, every type has a name of its own, nobody knows machines, kernels or decoders by name")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
