# SPDX-License-Identifier: Apache-2.0
"""Draws the sample results as SVG files, with node and without a browser: figures_test.py

Each is well-formed XML that says what it shows, needs no style sheet and holds labels as text, whatever they hold. Exit
code 77 (skipped) where there is no node.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml

PAGE = pathlib.Path(__file__).resolve().parents[1]
NODE = shutil.which("node") or shutil.which("nodejs")
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "\"<>&' \u0001\ufffe\ud800 ]]> <!-- var(--ink)"

DRAW = """
import { figures } from './bundle/figures.mjs';
import * as samples from './tests/samples.mjs';
import { readFileSync } from 'node:fs';
const given = JSON.parse(readFileSync(0, 'utf8'));
const made = Object.entries(samples).filter(([, sample]) => typeof sample === 'function').map(([name, sample]) => [name, sample()]);
console.log(JSON.stringify(given ? figures(given) : Object.fromEntries(made.map(([name, one]) => [name, { one, ...figures(JSON.stringify(one)) }]))));
"""


def draw(result=None):
    """The figures of a result; without one those of all samples, with the samples."""
    text = json.dumps(None if result is None else json.dumps(result))
    done = subprocess.run([NODE, "--input-type=module", "--eval", DRAW], input=text, cwd=PAGE, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


class Figures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.samples = draw()

    def roots(self):
        for sample, drawn in self.samples.items():
            for name, text in drawn.get("figures", {}).items():
                with self.subTest(sample=sample, figure=name):
                    yield name, text, xml.fromstring(text.encode())

    def test_every_kind_of_result_has_its_figures(self):
        for sample, names in {"vowel": "confusion projection reliability surface regions timing", "linear": "surface timing", "bare": "timing",
                              "flawless": "confusion reliability", "comparison": "differences ranks times", "single": "differences times",
                              "reproduced": "regions code-lengths-1 code-lengths-2 code-view-1"}.items():
            self.assertEqual(list(self.samples[sample]["figures"]), names.split(), sample)
        for sample in ("newer", "foreign"):
            self.assertIn("problem", self.samples[sample])

    def test_a_figure_stands_alone_and_says_what_it_shows(self):
        for _, text, root in self.roots():
            self.assertEqual(root.tag, SVG + "svg")
            self.assertGreater(len(root.find(SVG + "title").text), 8)
            self.assertGreater(len(root.find(SVG + "desc").text), 20)
            self.assertNotRegex(text, r"NaN|undefined|currentColor|Infinity")
            for node in root.iter():
                self.assertFalse({"class", "style", "href"} & set(node.attrib), node.attrib)
                self.assertNotIn("var(", node.get("fill", "") + node.get("stroke", ""))
            for node in root.iter(SVG + "text"):
                self.assertRegex(node.get("fill"), "^#")

    def test_a_legend_names_each_class(self):
        sample = self.samples["vowel"]
        words = {node.text for node in xml.fromstring(sample["figures"]["projection"].encode()).iter(SVG + "text")}
        self.assertLessEqual(set(sample["one"]["classes"]), words)

    def test_labels_are_text_whatever_they_hold(self):
        def hostile(node):
            if isinstance(node, dict):
                return {key: hostile(value) if key not in ("format", "kind", "test") else value for key, value in node.items()}
            if isinstance(node, list):
                return [hostile(value) for value in node]
            return HOSTILE + node if isinstance(node, str) else node

        kinds = set()
        for name in ("vowel", "ward", "flawless", "comparison", "reproduced"):
            drawn = draw(hostile(self.samples[name]["one"]))["figures"]
            self.assertEqual(set(drawn), set(self.samples[name]["figures"]))
            for figure, text in drawn.items():
                root = xml.fromstring(text.encode())  # no markup of a label ends a text or an element
                tags = {node.tag.removeprefix(SVG) for node in root.iter()}
                self.assertLessEqual(tags, {"svg", "title", "desc", "g", "rect", "circle", "path", "line", "text"})
                if any("\"<>&'" in (node.text or "") for node in root.iter()):
                    kinds.add(figure)
        self.assertLessEqual({"confusion", "projection", "regions", "differences", "ranks", "times", "code-lengths-1", "code-view-1"}, kinds)

    def test_parts_of_other_types_are_a_problem_and_no_crash(self):
        for change in ({"surface": "x"}, {"held_out": {"confusion": {"labels": 4, "counts": 5}}}, {"classes": 3}):
            drawn = draw({**self.samples["vowel"]["one"], **change})
            self.assertTrue("problem" in drawn or drawn["figures"])

    def test_coordinates_are_of_the_drawing(self):
        for _, _, root in self.roots():
            width, height = (float(root.get(name)) for name in ("width", "height"))
            self.assertEqual(root.get("viewBox"), f"0 0 {width:g} {height:g}")
            for node in root.iter(SVG + "rect"):
                for name in ("width", "height"):
                    self.assertFalse(re.match("-", node.get(name)), node.attrib)


if __name__ == "__main__":
    if not NODE:
        print("skipped: no node")
        sys.exit(77)
    unittest.main()
