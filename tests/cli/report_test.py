# SPDX-License-Identifier: Apache-2.0
"""manyone report: a page from a result."""
import json
import os
import random
import re
import signal
import time
import xml.etree.ElementTree

from tool import BACKEND, DATA, INPUT, INTERRUPTED, IRIS, SOURCE, USAGE, ToolTest, csv_text, needs_node, noise_table


class Report(ToolTest):
    def setUp(self):
        super().setUp()
        self.result = self.folder / "result.json"
        done = self.succeeds("fit", IRIS, "-o", self.folder / "m", "--json", "--figures")
        self.result.write_text(done.out)
        self.page = self.folder / "page.html"

    def shown(self):
        return json.loads(re.search(r'<script type="application/json" id="result">(.*?)</script>', self.page.read_text(),
                                    re.DOTALL).group(1))

    def test_results_say_what_they_are(self):
        document = json.loads(self.result.read_text())
        self.assertEqual((document["format"], document["version"], document["kind"]), ("manyone-result", 1, "fit"))
        self.assertIn("manyone fit", document["command"])
        self.assertEqual(document["data"]["rows"], 150)
        self.assertRegex(document["data"]["fingerprint"], "^[0-9a-f]{16}$")

    def test_held_out_figures_agree_with_the_error(self):
        held_out = json.loads(self.result.read_text())["held_out"]
        counts = held_out["confusion"]["counts"]
        wrong = sum(sum(row) for row in counts) - sum(counts[c][c] for c in range(3))
        self.assertAlmostEqual(held_out["error"], wrong / 150)
        self.assertEqual(sum(bin["rows"] for bin in held_out["reliability"]), 150)
        points = held_out["figures"]["projection"]["points"]
        self.assertEqual(len(points), 150)
        self.assertEqual(sum(p["label"] != p["predicted"] for p in points), wrong)
        regions = held_out["figures"]["regions"]
        self.assertEqual(len(regions["classes"]), regions["width"] * regions["height"])

    def test_the_page_holds_the_result(self):
        self.succeeds("report", self.result, "-o", self.page)
        self.assertEqual(self.shown(), json.loads(self.result.read_text()))
        text = self.page.read_text()
        self.assertIn("Content-Security-Policy", text)
        self.assertIsNone(re.search(r'(src|href)="https?:', text))

    def test_the_page_is_the_committed_one(self):
        self.succeeds("report", self.result, "-o", self.page)
        before, _, after = (SOURCE / "page" / "bundle" / "page.html").read_text().partition("<!--MANYONE-RESULT-->")
        text = self.page.read_text()
        self.assertTrue(text.startswith(before) and text.endswith(after))

    def test_the_page_of_a_search_names_its_table(self):
        self.succeeds("tune", IRIS, "--report", self.page)
        self.assertEqual(self.shown()["data"]["name"], "iris.csv")

    def figures(self, table, *options):
        document = self.succeeds("fit", table, "-o", self.folder / "f", "--json", "--figures", *options).json()
        return document["held_out"]["figures"]

    def test_regions_are_over_two_informative_features(self):
        stream = random.Random(7)
        rows = []
        for i in range(300):
            c = i % 2
            a, b = stream.gauss(1.5 * c, 1), stream.gauss(1.2 * c, 1)
            flag = c if stream.random() < 0.9 else 1 - c
            rows.append([flag, 2 * a + stream.gauss(0, 0.001), stream.gauss(0, 1), a, b, "ab"[c]])
        table = self.write("pair.csv", csv_text(["flag", "copy", "noise", "a", "b", "class"], rows))
        features = set(self.figures(table)["regions"]["features"])
        self.assertIn("b", features)  # neither two values, nor nearly the same as the other one
        self.assertTrue(features < {"a", "b", "copy"}, features)

    def test_the_map_of_a_table_with_single_rows_does_not_collapse(self):
        lines = noise_table(200, 4, 4).splitlines()
        lines += [f"{9 * k},{7 - k * k},{k},{-5 * k},lonely{k}" for k in range(12)]
        table = self.write("lonely.csv", "\n".join(lines) + "\n")
        for machine in ("onelsm", "msvr"):
            with self.subTest(machine):
                points = [p for p in self.figures(table, "--machine", machine)["projection"]["points"]]
                common = [p for p in points if p["label"] < 4]
                for axis in "xy":  # it did to as many spots as there are folds
                    self.assertGreater(len({p[axis] for p in common}), len(common) / 2)

    def test_classes_of_few_rows_far_away_do_not_choose_the_map(self):
        stream = random.Random(3)
        rows = [[stream.gauss(4 * (c == j), 1) for j in range(8)] + [f"common{c}"] for c in range(4) for _ in range(50)]
        for k in range(4):  # 7 % of the rows, together
            rows += [[stream.gauss(60 * (4 + k == j), 0.01) for j in range(8)] + [f"tiny{k}"] for _ in range(4)]
        table = self.write("tiny.csv", csv_text([f"f{j}" for j in range(8)] + ["class"], rows))
        points = self.figures(table, "--kernel", "linear")["projection"]["points"]
        for axis in "xy":
            values = sorted(p[axis] for p in points)
            n = len(values)
            middle = values[9 * n // 10] - values[n // 10]
            self.assertGreater(middle / (values[-1] - values[0]), 0.2)

    def test_regions_keep_the_one_feature_that_has_values(self):
        stream = random.Random(5)
        rows = []
        for i in range(120):
            flags = [int(stream.random() < (0.9 if i % 2 else 0.1)) for _ in range(3)]
            rows.append([*flags, stream.gauss(0.5 * (i % 2), 1), "ab"[i % 2]])
        table = self.write("warmth.csv", csv_text(["cough", "pain", "rash", "warmth", "class"], rows))
        self.assertEqual(self.figures(table)["regions"]["features"][0], "warmth")

    def test_imputed_values_are_no_values_of_a_feature(self):
        stream = random.Random(6)
        rows = []
        for i in range(120):
            flag = "" if i % 10 == 0 else int(stream.random() < (0.95 if i % 2 else 0.05))
            rows.append([flag, stream.gauss(i % 2, 1), stream.gauss(i % 2, 1), "ab"[i % 2]])
        table = self.write("gaps.csv", csv_text(["flag", "a", "b", "class"], rows))
        self.assertEqual(set(self.figures(table, "--missing", "mean")["regions"]["features"]), {"a", "b"})

    def test_labels_cannot_leave_the_result(self):
        rows = "".join(f"{x},{x * x % 7},{label}\n" for x in range(20)
                       for label in ('"</script><script>alert(1)</script>"', '"""quoted"" & <!--"'))
        table = self.write("hostile.csv", "a,b,class\n" + rows)
        self.succeeds("fit", table, "-o", self.folder / "h", "--report", self.page)
        self.assertEqual(self.page.read_text().count("<script"), 2)
        self.assertIn("</script><script>alert(1)</script>", self.shown()["classes"])

    def test_every_kind_of_result_has_a_page(self):
        for arguments in (["tune", IRIS], ["evaluate", self.folder / "m", IRIS],
                          ["compare", IRIS, "--machines", "onelsm,ls-ovo", "--protocol", "cv:3"]):
            with self.subTest(arguments[0]):
                self.succeeds(*arguments, "--report", self.page)
                self.assertEqual(self.shown()["kind"], arguments[0])

    @needs_node
    def test_figures_as_pictures_without_a_browser(self):
        pictures = self.folder / "pictures"
        self.succeeds("report", self.result, "--svg", pictures)
        self.assertEqual(sorted(p.name for p in pictures.iterdir()),
                         ["confusion.svg", "projection.svg", "regions.svg", "reliability.svg", "surface.svg", "timing.svg"])
        compared = self.write("compared.json", self.succeeds("compare", IRIS, DATA / "wine.csv", "--machines", "onelsm,ls-ovo,ls-ova",
                                                             "--protocol", "cv:3", "--json").out)
        self.succeeds("report", compared, "--svg", pictures)
        for picture in pictures.iterdir():
            root = xml.etree.ElementTree.parse(picture).getroot()
            self.assertTrue(root.tag.endswith("svg"))
            self.assertNotIn("style", {node.tag.split("}")[1] for node in root.iter()})
        self.assertLessEqual({"ranks.svg", "differences.svg", "times.svg"}, {p.name for p in pictures.iterdir()})
        broken = json.loads(self.result.read_text())
        broken["held_out"]["confusion"]["counts"] = [[1]]
        self.assertIn("result-schema", self.fails(INPUT, "report", self.write("b.json", json.dumps(broken)), "--svg", pictures).err)
        self.assertIn("--svg", self.fails(USAGE, "report", self.result).err)

    @needs_node
    def test_labels_are_text_in_a_picture(self):
        label = "\"<b>&'\x01</text>"
        quoted = '"' + label.replace('"', '""') + '"'
        table = self.write("hostile.csv", csv_text(["a", "b", "class"], [[x, x * x % 7, quoted if x % 2 else "plain"] for x in range(40)]))
        result = self.write("h.json", self.succeeds("fit", table, "-o", self.folder / "h", "--json", "--figures").out)
        self.succeeds("report", result, "--svg", "drawn")
        for name in ("confusion", "projection"):
            root = xml.etree.ElementTree.parse(self.folder / "drawn" / f"{name}.svg").getroot()
            self.assertIn(label.replace("\x01", "\u2423"), [node.text for node in root.iter()])

    def test_without_node_it_is_said_what_to_do(self):
        (self.folder / "empty").mkdir()
        for more in ((), ("-o", self.page)):
            self.fails(BACKEND, "report", self.result, "--svg", "drawn", *more, env={"PATH": str(self.folder / "empty"), "MANYONE_NODE": ""},
                       says=["install nodejs", "$MANYONE_NODE", "-o page.html", "in a browser"])
        self.assertFalse((self.folder / "drawn").exists() or self.page.exists())
        self.succeeds("report", self.result, "-o", self.page, env={"PATH": str(self.folder / "empty")})

    def program(self, text):
        path = self.folder / "program"
        path.write_text("#!/bin/sh\n" + text + "\n")
        path.chmod(0o755)
        return {"MANYONE_NODE": str(path)}

    def test_what_draws_and_fails_is_told_in_one_line(self):
        for text, words in (("echo 'no such flag' >&2; exit 9", "ended with code 9: no such flag"), ("kill -9 $$", "ended by signal 9"),
                            ("echo hello", "gave something else"), ("echo '{}'", "gave something else"), ("echo '[1]'", "gave something else"),
                            ("exec yes", "wrote more than")):
            self.fails(BACKEND, "report", self.result, "--svg", "drawn", env=self.program(text), says=[str(self.folder / "program"), words])
        self.fails(BACKEND, "report", self.result, "--svg", "drawn", env={"MANYONE_NODE": "/no/node"}, says="cannot be started")
        self.assertFalse((self.folder / "drawn").exists())

    def test_an_interrupt_ends_what_draws(self):
        process = self.start_tool("report", self.result, "--svg", "drawn", env={**os.environ, **self.program("echo $$ > pid; exec sleep 60")})
        pid = self.folder / "pid"
        while not pid.exists() or not pid.read_text().strip():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(10), INTERRUPTED)
        with self.assertRaises(ProcessLookupError):
            os.kill(int(pid.read_text()), 0)

    def test_what_is_no_result_is_refused(self):
        for text, words in (("hello", "not JSON"), ("[]", "not a result"), ('{"format": "other"}', "not a result"),
                            ('{"format": "manyone-result", "version": 99}', "newer version"),
                            ('{"format": "manyone-result", "version": 1, "kind": "banana"}', "of which there is no page"),
                            ('{"format": "manyone-result", "version": 1, "kind": "fit", "held_out": {"confusion": {"labels": ["a", "b"], "counts": [[1]]}}}',
                             "confusion matrix")):
            path = self.write("other.json", text)
            self.assertIn(words, self.fails(INPUT, "report", path, "-o", self.page).err)
        self.assertIn("--json", self.fails(USAGE, "fit", IRIS, "-o", self.folder / "m", "--figures").err)
        self.assertIn("folder", self.fails(USAGE, "report", self.result, "-o", self.folder / "no" / "page.html").err)
        self.assertIn("folder", self.fails(USAGE, "fit", IRIS, "-o", self.folder / "m", "--report",
                                           self.folder / "no" / "page.html").err)


class HostileResults(ToolTest):
    def test_deep_documents_are_refused(self):
        for text in ("[" * 100_000 + "]" * 100_000, '{"a":' * 100_000 + "1" + "}" * 100_000):
            self.fails(INPUT, "report", self.write("deep.json", text), "-o", "p.html", says=["deep.json: ", "nested too deeply"])
            self.fails(INPUT, "report", "deep.json", "--svg", "figures", says="nested too deeply")

    def test_brackets_in_texts_are_no_depth(self):
        text = '{"format":"manyone-result","version":1,"kind":"fit","command":"' + "[" * 500 + '\\\""}'
        self.succeeds("report", self.write("flat.json", text), "-o", "p.html")

    @needs_node
    def test_parts_of_other_types_are_told_in_own_words(self):
        for text in ('{"format":5,"version":1}', '{"format":"manyone-result","version":1,"kind":5,"pairs":[1]}',
                     '{"format":"manyone-result","version":18446744073709551615}',
                     '{"format":"manyone-result","version":"1","kind":"fit"}', '[1]', '5',
                     '{"format":"manyone-result","version":1,"kind":"compare","pairs":[1],"held_out":4,"tables":7,"surface":"x"}'):
            for output in (["--svg", "figures"], ["-o", "p.html"]):
                result = self.run_tool("report", self.write("r.json", text), *output)
                self.assertNotRegex(result.err, r"json\.exception|unexpected|terminate|std::", str(result))
                self.assertIn(result.code, (INPUT, 0), str(result))
        self.fails(INPUT, "report", self.write("r.json", '{"format":5,"version":1}'), "-o", "p.html", says="not a result of manyone")
