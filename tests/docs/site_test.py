# SPDX-License-Identifier: Apache-2.0
"""Opens the documentation site, as files, in headless Chromium: site_test.py SITE

No page is wider than a phone (390 pixels), and the search finds. Exit code 77 (skipped) without Chromium or site.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PHONE = 390

# Every page in a frame as wide as a phone; what was found is written into the document, which Chromium prints.
OPENER = """<!doctype html><iframe width="PHONE" height="800"></iframe><pre id="found"></pre><script>
const frame = document.querySelector("iframe");
const found = {widths: {}, search: {}};
const opened = (address) => new Promise((done) => { frame.onload = done; frame.src = address; });
const until = async (true_now) => { for (let i = 0; i < 200 && !true_now(); ++i) await new Promise((done) => setTimeout(done, 10)); };
(async () => {
  for (const page of PAGES) {
    await opened(page);
    found.widths[page] = frame.contentDocument.documentElement.scrollWidth;
  }
  for (const words of ["leave-one-out", "OneLSMClassifier fit", "xyzzyx"]) {
    await opened(PAGES[0]);
    const query = frame.contentDocument.getElementById("mkdocs-search-query");
    const results = frame.contentDocument.getElementById("mkdocs-search-results");
    results.textContent = "";
    query.value = words;
    query.dispatchEvent(new Event("input"));
    await until(() => results.textContent);
    found.search[words] = [...results.querySelectorAll("a")].map((link) => link.href);
  }
  document.getElementById("found").textContent = "FOUND" + JSON.stringify(found) + "END";
})();
</script>"""


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not browser or not (site / "index.html").exists():
        print("skipped: there is no Chromium, or mkdocs made no site")
        return 77
    pages = sorted(page.as_uri() for page in site.rglob("*.html") if page.name != "404.html")
    with tempfile.TemporaryDirectory() as folder:
        opener = pathlib.Path(folder) / "opener.html"
        opener.write_text(OPENER.replace("PHONE", str(PHONE)).replace("PAGES", json.dumps(pages)))
        done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--virtual-time-budget=60000",
                               f"--user-data-dir={folder}/profile", "--dump-dom", opener.as_uri()], capture_output=True, text=True, check=True, timeout=250)
    found = re.search("FOUND(.*)END", html.unescape(done.stdout))
    if not found:
        print(done.stdout[-1000:], done.stderr[-2000:])
        return 1
    found = json.loads(found[1])
    problems = [f"{page} is {width} pixels wide on a phone" for page, width in found["widths"].items() if width > PHONE]
    for words, links in found["search"].items():
        if bool(links) == (words == "xyzzyx"):
            problems.append(f"searching for '{words}' gives {links[:3]}")
    print("\n".join(problems) or f"{len(pages)} pages fit on a phone, and the search finds")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
