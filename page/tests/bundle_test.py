# SPDX-License-Identifier: Apache-2.0
"""The committed bundles are those that `./dev page` made of the committed sources: bundle_test.py

Compared are checksums, so that neither npm nor its packages are needed; bundled_again_test.py compares the bytes.
"""
import hashlib
import pathlib
import sys

PAGE = pathlib.Path(__file__).resolve().parents[1]


def noted():
    """The checksum of each file when the bundle was made, as sha256sum writes them."""
    lines = (PAGE / "bundle" / "SHA256SUMS").read_text().splitlines()
    return {name: checksum for checksum, name in (line.split("  ", 1) for line in lines)}


def found():
    files = [path for path in (PAGE / "src").iterdir() if path.suffix in (".js", ".css", ".html")]
    files += [PAGE / name for name in ("build.mjs", "package.json", "package-lock.json", "bundle/page.html", "bundle/figures.mjs")]
    return {path.relative_to(PAGE).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def main():
    before, now = noted(), found()
    changed = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    for name in changed:
        print(f"page/{name} is not what page/bundle/SHA256SUMS has")
    print("run ./dev page and commit page/bundle" if changed else f"the bundles are those of its {len(now) - 2} sources")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
