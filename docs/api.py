# SPDX-License-Identifier: Apache-2.0
"""The API reference of the site, written from the docstrings of the Python package and the comments of the public headers."""
import ast
import importlib.util
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "manyone"
HEADERS = ROOT / "include" / "manyone"
PARAMETERS = []  # the table of `manyone parameters --json`


def python_page():
    """Everything that `import manyone` offers."""
    start = ast.parse((PACKAGE / "__init__.py").read_text())
    offered = next(ast.literal_eval(node.value) for node in start.body
                   if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    modules = {alias.name: node.module for node in start.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    parts = ["# Python reference\n", docstring(start)]
    for name in offered:
        file = PACKAGE / f"{modules.get(name, '')}.py"
        found = file.exists() and [node for node in ast.parse(file.read_text()).body if getattr(node, "name", None) == name]
        if found:
            parts += description(found[0], level=2)
    return "\n".join(parts)


def description(node, level, owner=""):
    """Heading, signature and text of a class or function; a class with its public methods."""
    parts = [f"{'#' * level} {owner}{node.name}\n", f"```python\n{signature(node, owner)}\n```\n", docstring(node)]
    if isinstance(node, ast.ClassDef):
        for inner in node.body:
            if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_") and ast.get_docstring(inner):
                parts += description(inner, level + 1, owner=f"{node.name}.")
    return parts


def signature(node, owner):
    """The call, a line for each parameter where they are many."""
    made_by = node
    if isinstance(node, ast.ClassDef):
        made_by = next((inner for inner in node.body if getattr(inner, "name", "") == "__init__"), None)
    if any(isinstance(mark, ast.Name) and mark.id == "property" for mark in getattr(node, "decorator_list", [])):
        return f"{owner}{node.name}"
    values = made_by.args if made_by else ast.arguments([], [], None, [], [], None, [])
    for value in values.args + values.kwonlyargs:
        value.annotation = None  # the text says what they are
    words = [word for word in re.split(r", (?![^\[({]*[\])}])", ast.unparse(values)) if word not in ("self", "cls", "")]
    line = f"{owner}{node.name}({', '.join(words)})"
    return line if len(line) <= 100 else f"{owner}{node.name}(\n    " + ",\n    ".join(words) + ")"


def completed(node):
    """The docstring; that of an estimator with what it shares with the others, which the package adds when it is loaded."""
    text = ast.get_docstring(node) or ""
    if not any(isinstance(base, ast.Name) and base.id == "KernelClassifier" for base in getattr(node, "bases", [])):
        return text
    found = importlib.util.spec_from_file_location("docs", PACKAGE / "_docs.py")
    docs = importlib.util.module_from_spec(found)
    found.loader.exec_module(docs)
    estimator = type(node.name, (), {"__doc__": text})
    made_by = next(inner for inner in node.body if getattr(inner, "name", "") == "__init__")
    given = made_by.args
    defaults = dict(zip([value.arg for value in given.args + given.kwonlyargs][-len(given.defaults + given.kw_defaults):],
                        map(ast.literal_eval, given.defaults + given.kw_defaults)))
    docs.documented(estimator, defaults, PARAMETERS)
    return estimator.__doc__


LISTS = ("Parameters", "Attributes", "Returns", "Raises", "Yields")


def docstring(node):
    """A docstring in numpy's style as Markdown."""
    text = re.sub(r":\w+:`~?\.?([^`]*)`", r"`\1`", completed(node)).replace("``", "`")
    start, *sections = re.split(r"^(\S.*)\n-{3,}$", text, flags=re.MULTILINE)
    parts = [prose(start)]
    for title, body in zip(sections[::2], sections[1::2]):
        parts += [f"**{title}**\n", entries(body) if title in LISTS else prose(body)]
    return "\n".join(parts)


def entries(body):
    """A list of names, each with its type and text."""
    out = []
    for line in body.splitlines():
        entry = re.match(r"(\S.*?)(?: : (.*))?$", line)
        if entry:
            out.append(f"* `{entry[1]}`" + (f" ({stars_kept(entry[2])})" if entry[2] else "") + ":")
        elif line.strip():
            out[-1] += " " + stars_kept(line.strip())
    return "\n".join(line.removesuffix(":") for line in out) + "\n"


def prose(text):
    """Paragraphs, and examples as code."""
    blocks = re.split(r"\n\s*\n", text.strip())
    return "\n\n".join(f"```pycon\n{block}\n```" if block.startswith(">>>") else stars_kept(block) for block in blocks) + "\n"


def stars_kept(text):
    """Stars outside of `code` are no emphasis, and brackets no HTML."""
    parts = text.split("`")
    parts[::2] = [part.replace("*", r"\*").replace("<", "&lt;") for part in parts[::2]]
    return "`".join(parts)


def cpp_page():
    """The headers that <manyone/manyone.hpp> includes, and the one for programs with Eigen."""
    files = [*re.findall(r"#include <manyone/(.*)>", (HEADERS / "manyone.hpp").read_text()), "eigen.hpp"]
    parts = ["# C++ reference\n", "What `#include <manyone/manyone.hpp>` offers, in namespace `manyone`, header by header. [From C++](cpp.md) shows how it goes together.\n"]
    for file in files:
        parts += header(file)
    return "\n".join(parts)


def header(file):
    text = (HEADERS / file).read_text()
    inside = re.search(r'#include "(\.\./.*)"', text)
    if inside:  # a file of the library that is a header for programs too
        text = (HEADERS / inside[1]).read_text()
    about, _, code = text.partition("#pragma once")
    about = " ".join(line.removeprefix("//").strip() for line in about.splitlines()[1:]).strip()
    inside = re.search(r"^namespace manyone(?:::abi_\d+)? \{\n(.*?)^\}  // namespace manyone\S*$", code, re.MULTILINE | re.DOTALL)
    parts = [f"## {file}\n", stars_kept(about) + "\n"]
    for comment, declaration in declarations(inside[1] if inside else ""):
        name = name_of(declaration)
        if name:
            parts += [f"### {name}\n", stars_kept(comment) + "\n", f"```cpp\n{declaration}\n```\n"]
    return parts


def declarations(text):
    """Pairs of comment and code, one for each declaration of a namespace."""
    comment, code, depth = [], [], 0
    for line in [*text.splitlines(), ""]:
        starts = depth == 0 and (not line.strip() or line.startswith("///"))
        if starts and code:
            yield " ".join(comment), without_private("\n".join(code))
            comment, code = [], []
        if depth == 0 and line.startswith("//"):
            comment.append(line.lstrip("/ ").strip())
        elif depth == 0 and not line.strip():
            comment = []
        else:
            code.append(line)
            depth += line.count("{") - line.count("}")


def without_private(code):
    """Of a class what others may use."""
    return re.sub(r"\n+ (?:private|protected):\n.*?(?=^ public:|^\};)", "\n", code, flags=re.DOTALL | re.MULTILINE)


def name_of(declaration):
    """What a declaration is listed under; nothing for one that only announces a name."""
    if re.fullmatch(r"(?:struct|class|enum class) \w+;", declaration) or declaration.startswith(("namespace", "static_assert", "#")):
        return None
    for pattern in (r"^(?:template <.*?>\n)?(?:struct|class|enum class) (\w+)", r"^using (\w+)", r"^(?:inline )?constexpr .*?(\w+)(?:\[\])? =",
                    r"(~?\w+|operator\S+)\("):
        found = re.search(pattern, declaration)
        if found:
            return found[1]
    return None
