#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the documentation as a site with mkdocs and checks it: site.py FOLDER TOOL

The pages are those of docs/, README, CHANGELOG and CONTRIBUTING, in the order of NAVIGATION; a page that does not exist
is left out, one that is not listed comes under "More". Links between pages are kept, links to other files of the source
tree become plain text. The references of Python and C++ are generated (api.py; TOOL tells the parameters), and search works in pages that are
opened as files, too (search.js). Checked: mkdocs warns of nothing, links and anchors lead somewhere, no page asks another server
for anything. Exit code 77 where mkdocs is missing.
"""
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

import api

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = 77

NAVIGATION = {
    "Home": "README.md",
    "Tutorial": {"Command line": "docs/tutorial.md", "Python": "docs/python.md", "C++": "docs/cpp.md", "Models elsewhere": "docs/deploy.md",
                 "Coming from LIBSVM": "docs/coming-from-libsvm.md"},
    "Method": {"Method": "docs/method.md", "Published tables": "docs/reproduce.md", "Benchmarks": "docs/benchmarks.md"},
    "Reference": {"Parameters": "docs/parameters.md", "Python": "docs/python-reference.md", "C++": "docs/cpp-reference.md", "File formats": "docs/file-formats.md", "Results as JSON": "docs/result-schema.md"},
    "Development": {"Architecture": "docs/architecture.md", "Adding a machine": "docs/adding-a-machine.md", "Adding a kernel": "docs/adding-a-kernel.md", "Adding a decoder": "docs/adding-a-decoder.md", "Reliability": "docs/reliability.md", "Contributing": "CONTRIBUTING.md", "Changes": "CHANGELOG.md"},
}
DECISIONS = "docs/decisions"
GENERATED = {"docs/python-reference.md": api.python_page, "docs/cpp-reference.md": api.cpp_page}

# Colours are written into the pages (codehilite): the theme's own highlighter would be fetched from another server. Of
# Debian's two themes this one has all its files.
SETTINGS = {
    "site_name": "Manyone",
    "site_description": "Multiclass kernel classification at the price of one binary machine",
    "docs_dir": "pages",
    "use_directory_urls": False,
    "theme": {"name": "mkdocs", "highlightjs": False, "nav_style": "dark", "navigation_depth": 3},
    "plugins": ["search"],
    "extra_css": ["style.css"],
    "markdown_extensions": ["tables", "fenced_code", "sane_lists", {"toc": {"permalink": False}},
                            {"codehilite": {"noclasses": True, "guess_lang": False}}],
}


# A name such as --label-kernel stays on one line. On a phone wide things scroll by themselves, not the page.
STYLE = """code.name { white-space: nowrap; }
[role=main] { min-width: 0; overflow-wrap: anywhere; }
[role=main] table { display: block; overflow-x: auto; overflow-wrap: normal; }
[role=main] pre { overflow-x: auto; }
[role=main] img { max-width: 100%; }
"""


def title_of(page):
    return next((line[2:].strip() for line in page.read_text().splitlines() if line.startswith("# ")), page.stem)


def navigation():
    """NAVIGATION with existing pages only, all decisions, and what is not listed."""
    listed = set()

    def existing(entry):
        if isinstance(entry, dict):
            return {title: kept for title, inner in entry.items() if (kept := existing(inner))}
        listed.add(entry)
        return entry if entry in GENERATED or (ROOT / entry).exists() else None

    order = existing(NAVIGATION)
    decisions = sorted((ROOT / DECISIONS).glob("*.md"))
    order["Development"]["Decisions"] = {title_of(page): str(page.relative_to(ROOT)) for page in decisions}
    rest = [page for page in sorted((ROOT / "docs").glob("*.md")) if str(page.relative_to(ROOT)) not in listed]
    if rest:
        order["More"] = {title_of(page): str(page.relative_to(ROOT)) for page in rest}
    return order


def place_of(source):
    """Where a page of the source tree is in the site."""
    return {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}.get(source) or source.removeprefix("docs/")


def flatten(order):
    for entry in order.values():
        yield from flatten(entry) if isinstance(entry, dict) else [entry]


def with_site_links(text, source, pages):
    """Links to pages lead to their places; links to other files become their text."""

    def replaced(match):
        words, target = match.groups()
        path, _, anchor = target.partition("#")
        if "://" in target or not path:
            return match.group(0)
        found = os.path.normpath((ROOT / source).parent / path)
        name = os.path.relpath(found, ROOT)
        if name in pages:
            to = os.path.relpath(place_of(name), os.path.dirname(place_of(source)) or ".")
            return f"[{words}]({to}{'#' + anchor if anchor else ''})"
        return f"`{words}`" if "`" not in words else words

    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", replaced, text)


BLOCK_START = re.compile(r"(\* |- |\d+\. |\||```)")


def with_plain_stars(line):
    """The stars of "svm-*, sbc-*" are no emphasis; those in `code` are as they are."""
    parts = line.split("`")
    parts[::2] = [re.sub(r"(?<=[a-z]-)\*", r"\\*", part) for part in parts[::2]]
    return "`".join(parts)


def as_mkdocs_wants(text):
    """mkdocs wants a blank line before a list, a table and a fence; readers of plain files do not."""
    lines, fenced = [], False
    for line in text.splitlines():
        start = BLOCK_START.match(line)
        before = lines[-1] if lines else ""
        if start and not fenced and before.strip() and not BLOCK_START.match(before) and not before.startswith(" "):
            lines.append("")
        if line.startswith("```"):
            fenced = not fenced
        lines.append(line if fenced or line.startswith("    ") else with_plain_stars(line))
    return "\n".join(lines) + "\n"


def write_sources(folder, site, order):
    pages = set(flatten(order))
    for source in pages:
        target = folder / "pages" / place_of(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = GENERATED[source]() if source in GENERATED else (ROOT / source).read_text()
        target.write_text(as_mkdocs_wants(with_site_links(text, source, pages)))

    (folder / "pages" / "style.css").write_text(STYLE)

    def placed(entry):
        return [{title: placed(inner) if isinstance(inner, dict) else place_of(inner)} for title, inner in entry.items()]

    # JSON is YAML.
    (folder / "mkdocs.yml").write_text(json.dumps({**SETTINGS, "site_dir": str(site), "nav": placed(order)}, indent=1))


def mark_names(site):
    for page in site.rglob("*.html"):
        page.write_text(re.sub(r"<code>([^<\s]{1,30})</code>", r'<code class="name">\1</code>', page.read_text()))


def replace_search(site):
    folder = site / "search"
    entries = json.loads((folder / "search_index.json").read_text())["docs"]
    sections = [entry for entry in entries if "#" in entry["location"]]  # the others are whole pages
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "index.js").write_text(f"window.search_index = {json.dumps(sections, ensure_ascii=False)};\n")
    shutil.copy(ROOT / "docs" / "search.js", folder / "main.js")


class Page(html.parser.HTMLParser):
    """What a page links to, what it loads, and which anchors and text it has."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors, self.open, self.raw = [], [], set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if "id" in given:
            self.anchors.add(given["id"])
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        loaded = given.get("src") or (given.get("href") if tag == "link" else None)
        if loaded:
            self.loads.append(loaded)
        self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        # Markdown that was not understood is left in a paragraph as it was.
        if "p" in self.open and "code" not in self.open and re.search(r"(^|\n)(\* |\|.*\||```)", data):
            self.raw.append(data.strip()[:60])


def outside(address):
    return bool(urllib.parse.urlsplit(address).netloc)


def problems_of(site):
    pages = {path: Page(path.read_text()) for path in site.rglob("*.html")}
    for path, page in pages.items():
        name = path.relative_to(site)
        for address in page.loads:
            if outside(address):
                yield f"{name}: loads {address} from another server"
        for text in page.raw:
            yield f"{name}: Markdown that is not understood: {text}"
        for address in page.links + page.loads:
            parts = urllib.parse.urlsplit(address)
            if parts.scheme or parts.netloc or address in (".", "#"):
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                if name.name != "404.html":  # its links start at the root of a server
                    yield f"{name}: link to {address} leads nowhere"
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                yield f"{name}: {address} names no anchor"
    for style in site.rglob("*.css"):
        for address in re.findall(r"""(?:url\(|@import\s+)["']?((?:https?:)?//[^"')\s]+)""", style.read_text(errors="replace")):
            yield f"{style.relative_to(site)}: loads {address} from another server"


def main():
    if not shutil.which("mkdocs"):
        print("skipped: mkdocs is missing (apt install mkdocs)")
        return SKIPPED
    site = pathlib.Path(sys.argv[1]).resolve()
    told = subprocess.run([sys.argv[2], "parameters", "--json"], capture_output=True, check=True).stdout
    api.PARAMETERS = json.loads(told)
    sources = site.with_name(site.name + "-sources")
    for folder in (site, sources):
        shutil.rmtree(folder, ignore_errors=True)
    order = navigation()
    write_sources(sources, site, order)
    if subprocess.run(["mkdocs", "build", "--strict", "--quiet", "-f", sources / "mkdocs.yml"], check=False).returncode:
        return 1
    mark_names(site)
    replace_search(site)
    problems = sorted(set(problems_of(site)))
    print("\n".join(problems) or f"{len(set(flatten(order)))} pages: {site / 'index.html'}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
