# SPDX-License-Identifier: Apache-2.0
"""The interface of libmanyone.so is the one in abi/: abi_test.py LIBRARY SOURCE COMPILER [--write]

abi/libmanyone.symbols has the names that the library exports, abi/libmanyone.layouts the size of every public structure
and the place of its members. Programs that were compiled earlier rely on both. --write puts there what is found.
"""
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

LIBRARY, SOURCE, COMPILER = sys.argv[1:4]
HEADERS = pathlib.Path(SOURCE) / "include"
KEPT = pathlib.Path(__file__).resolve().parent / "abi"
WHAT_TO_DO = """
If this only adds names, programs go on: run this test with --write and commit what it writes.
If a name went away or changed, or a structure did, programs must be compiled again: raise MANYONE_ABI in CMakeLists.txt,
and with it the namespace abi_N in include/manyone and src/door, then --write.
Until a version is released, --write is enough."""


def said(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout


def symbols():
    """Names that programs are linked with, of tables of virtual functions with the size. Weak functions are not among them: every program has its own."""
    rows = (line.split(maxsplit=3) for line in said("nm", "-D", "-S", "--defined-only", "-C", LIBRARY).splitlines() if " A " not in line)
    return sorted({name.split("@@")[0] + (f" {int(size, 16)}" if name.startswith("vtable") else "") for _, size, kind, name in rows if kind != "W"})


def structures():
    """Names of the public structures, and of their members."""
    for header in sorted((HEADERS / "manyone").glob("*.hpp")):
        for name, body in re.findall(r"^struct (\w+) \{\n(.*?)^\};", header.read_text(), re.MULTILINE | re.DOTALL):
            yield name, re.findall(r"^  (?:const )?[\w:<>]+\*? (\w+)(?: = .*?)?;", re.sub(r"//.*", "", body), re.MULTILINE)


def layouts():
    lines = ["#include <cstddef>", "#include <cstdio>", "#include <manyone/manyone.hpp>", "int main() {"]
    for name, members in structures():
        lines.append(f'std::printf("{name} %zu\\n", sizeof(manyone::{name}));')
        lines += [f'std::printf("{name}::{member} %zu\\n", offsetof(manyone::{name}, {member}));' for member in members]
    for name in ("Classifier", "Table", "Matrix", "Error", "Observer"):
        lines.append(f'std::printf("{name} %zu\\n", sizeof(manyone::{name}));')
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "layouts.cpp", pathlib.Path(folder) / "layouts"
        source.write_text("\n".join([*lines, "}"]))
        said(COMPILER, "-std=c++20", "-O0", "-Wno-invalid-offsetof", f"-I{HEADERS}", "-c", source, "-o", f"{program}.o")
        # Nothing of the library is called, but inline functions name it.
        said(COMPILER, f"{program}.o", LIBRARY, f"-Wl,-rpath,{pathlib.Path(LIBRARY).parent}", "-o", program)
        return said(program).splitlines()


def main():
    different = False
    for file, found in ((KEPT / "libmanyone.symbols", symbols()), (KEPT / "libmanyone.layouts", layouts())):
        if "--write" in sys.argv:
            file.write_text("\n".join(found) + "\n")
        elif (kept := file.read_text().splitlines()) != found:
            different = True
            print("\n".join(difflib.unified_diff(kept, found, str(file), "this build", lineterm="", n=0)))
    if different:
        print(WHAT_TO_DO)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
