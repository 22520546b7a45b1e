# SPDX-License-Identifier: Apache-2.0
"""reproduce: published tables beside ours."""
import json
import os
import shutil
import signal
import subprocess
import xml.etree.ElementTree as xml

from tool import BACKEND, DATA, INPUT, INTERRUPTED, IRIS, TOOL, USAGE, ToolTest, needs_node

BUNDLED = {"MANYONE_DATA": str(DATA), "XDG_CACHE_HOME": "/nonexistent"}
SVG = "{http://www.w3.org/2000/svg}"


class Reproduce(ToolTest):
    def reproduced(self, *arguments):
        return self.succeeds("reproduce", *arguments, "--json", env=BUNDLED).json()

    def test_table_4_on_the_bundled_sets(self):
        document = self.reproduced("honeine-table4", "--machines", "onelsm,vo-lssvm", "--datasets", "iris,wine", "--repeats", 2)
        self.assertEqual((document["table"], document["repeats"], document["seed"], document["absent"]), ("honeine-table4", 2, 1, []))
        cells = {(cell["machine"], cell["labelbook"], cell["dataset"]): cell for cell in document["cells"]}
        self.assertEqual(len(cells), 12)
        for cell in cells.values():
            ours = cell["ours"]
            self.assertEqual(len(ours["errors"]), 2)
            self.assertEqual((ours["best"], ours["worst"]), (min(ours["errors"]), max(ours["errors"])))
            self.assertLess(ours["mean"], 5)
            self.assertAlmostEqual(cell["difference"], ours["mean"] - cell["published"]["mean"])
        self.assertEqual(cells["onelsm", None, "wine"]["published"], {"text": "0.33 [0.00, 1.11]", "mean": 0.33, "best": 0, "worst": 1.11})
        alignment, mincorr = (cells["vo-lssvm", book, "iris"] for book in ("alignment", "mincorr"))
        self.assertEqual(alignment["ours"]["errors"], mincorr["ours"]["errors"])
        self.assertEqual(mincorr["same_as"], {"machine": "vo-lssvm", "labelbook": "alignment"})
        self.assertEqual(alignment["doubts"], ["mean", "same-gram"])
        self.assertLessEqual(set(alignment["doubts"]), set(document["reasons"]))

    def test_one_partition_is_the_minimum_of_a_tuned_grid(self):
        cell = self.reproduced("honeine-table4", "--machines", "onelsm", "--datasets", "iris", "--repeats", 1, "--seed", 3)["cells"][0]
        surface = self.succeeds("tune", IRIS, "--search", "grid", "--seed", 3, "--json").json()["surface"]
        self.assertAlmostEqual(cell["ours"]["mean"], 100 * min(c["error"] for c in surface), places=10)

    def test_text_has_both_numbers_and_footnotes(self):
        result = self.succeeds("reproduce", "honeine-table4", "--machines", "vo-lssvm", "--datasets", "iris", "--repeats", 1, env=BUNDLED)
        self.assertRegex(result.out, r"vo-LSSVM +alignment +iris +2\.66 \[2\.66, 4\.00\] +\d\.\d\d +[+-]\d\.\d\d +(yes|no) +a b\n")
        self.assertIn("a: a mean over 10 partitions cannot equal the best", result.out)
        self.assertIn("scaled to -1..1 by all rows", result.out)

    def test_absent_sets_are_named_and_skipped(self):
        result = self.succeeds("reproduce", "honeine-table5", "--machines", "vo-lssvm", "--json", env=BUNDLED)
        document = result.json()
        self.assertEqual(document["absent"], ["vowel", "yeast"])
        self.assertRegex(result.err, r"note: no vowel\.train\.csv, yeast\.csv in .*: left out vowel, yeast\n")
        self.assertEqual({cell["dataset"] for cell in document["cells"]}, {"iris", "wine", "glass"})
        for cell in document["cells"]:
            self.assertGreater(cell["ratio"]["ours"], 0)
            self.assertGreater(cell["ratio"]["published"], 0)

    def test_a_set_that_was_asked_for_must_be_there(self):
        self.fails(INPUT, "reproduce", "honeine-table4", "--datasets", "iris,yeast", env=BUNDLED, says=["yeast.csv", "MANYONE_DATA"])
        self.fails(INPUT, "reproduce", "honeine-table6", env={"MANYONE_DATA": str(self.folder), "XDG_CACHE_HOME": str(self.folder)},
                   says=["usps.train.csv", "letter.csv"])

    def test_unknown_names(self):
        self.fails(USAGE, "reproduce", "honeine-table9", says=["honeine-table4", "honeine-table5", "honeine-table6", "noumir-iris", "rifkin-tables"])
        self.fails(USAGE, "reproduce", "honeine-table4", "--machines", "onelms", says=["onelms", "onelsm", "vo-rls-f"])
        self.fails(USAGE, "reproduce", "honeine-table4", "--machines", "elm", says="this version has no elm")
        self.fails(USAGE, "reproduce", "honeine-table4", "--datasets", "letter", says=["letter", "yeast"])

    def test_options_that_a_table_does_not_use(self):
        self.fails(USAGE, "reproduce", "honeine-table4", "--output", "p.svg", says="leave --output out")
        self.fails(USAGE, "reproduce", "honeine-table5", "--repeats", 3, says="leave --repeats and --seed out")
        self.fails(USAGE, "reproduce", "rifkin-tables", "--repeats", 3, says="leave --repeats out")
        self.fails(USAGE, "reproduce", "honeine-table4", "--rows", 100, says="leave --rows out")

    def test_table_6_takes_the_first_rows_and_halves_images(self):
        self.write("letter.csv", "x,y,class\n" + "".join(f"{i % 7},{i % 5},{'AB'[i % 2]}\n" for i in range(1999)))
        env = {"MANYONE_DATA": str(self.folder), "XDG_CACHE_HOME": str(self.folder)}
        self.fails(INPUT, "reproduce", "honeine-table6", "--datasets", "letter-2000", env=env, says=["at least 2000 rows", "1999"])

    def test_rifkin_tables_compare_predictions(self):
        document = self.reproduced("rifkin-tables", "--machines", "svm-ova,svm-ava,rlsc-ova,rlsc-ava", "--datasets", "glass")
        self.assertEqual({pair["title"] for pair in document["pairs"]}, {"SVM AVA vs. OVA", "SVM OVA vs. RLSC OVA", "SVM AVA vs. RLSC AVA"})
        errors = {cell["name"]: cell["ours"]["mean"] for cell in document["cells"]}
        for pair in document["pairs"]:
            ours = pair["ours"]
            self.assertEqual(sum(ours[key] for key in ("both_right", "first_right", "second_right", "none_right")), 214)
            self.assertAlmostEqual(ours["difference"], errors[pair["first"]] - errors[pair["second"]])
            self.assertLessEqual(ours["interval"][0], ours["difference"] / 100)
            self.assertGreaterEqual(ours["interval"][1], ours["difference"] / 100)
            self.assertGreaterEqual(ours["agreement"], (ours["both_right"]) / 214)
        again = self.reproduced("rifkin-tables", "--machines", "svm-ova,svm-ava", "--datasets", "glass", "--threads", 1)
        self.assertEqual(again["pairs"][0], document["pairs"][0])

    def test_elyaniv_table_ranks_machines(self):
        arguments = ("reproduce", "elyaniv-table2", "--machines", "svm-ova,svm-ovo,sbc-kernel", "--datasets", "iris,wine")
        result = self.succeeds(*arguments, env=BUNDLED)
        self.assertRegex(result.out, r"average rank +published +ours\n")
        self.assertRegex(result.out, r"over iris, wine; F_F with 2 and 2 degrees of freedom: published \S+, ours \S+\n")
        self.assertRegex(result.out, r"first: published SBC-KERNEL, ours [A-Z]")
        self.assertIn("iris: trained on 135 rows, tested on 10 folds", result.out)

    def test_hsu_lin_has_best_and_worst(self):
        document = self.reproduced("hsu-lin", "--machines", "svm-ova,svm-ovo,svm-dag", "--datasets", "iris")
        (spread,) = document["spread"]
        means = [cell["ours"]["mean"] for cell in document["cells"]]
        self.assertEqual((spread["ours"]["best"], spread["ours"]["worst"]), (min(means), max(means)))
        self.assertAlmostEqual(spread["published"]["worst"], 100 - 96.667)
        everything = self.succeeds("reproduce", "hsu-lin", "--machines", "svm-ovo", env=BUNDLED).out
        self.assertIn("no data here: vowel, vehicle, segment, dna, satimage, letter, shuttle\n", everything)

    def test_training_and_test_file_are_read_alike(self):
        def table(rows):
            return "".join(f"{'pqr'[i % 3]},{i % 7},{'xyz'[i % 3]}\n" for i in rows)
        self.write("dna.train.csv", "word,number,class\n" + table(range(2000)))
        self.write("dna.test.csv", "word,number,class\n" + table(range(30)) + "s,1,x\n")
        env = {"MANYONE_DATA": str(self.folder), "XDG_CACHE_HOME": str(self.folder)}
        arguments = ("reproduce", "hsu-lin", "--machines", "svm-ovo", "--datasets", "dna")
        document = self.succeeds(*arguments, "--rows", 100, "--json", env=env).json()
        self.assertEqual(document["rows_used"], ["dna: trained on 100 of 2000 rows, tested on 31 others"])
        self.assertLess(document["cells"][0]["ours"]["mean"], 100 / 31 + 1e-9)
        self.write("dna.train.csv", "word,number,class\n" + table(range(1900)))
        self.fails(INPUT, *arguments, env=env, says="expected 2000 rows to train on")
        (self.folder / "dna.test.csv").unlink()
        self.fails(INPUT, *arguments, env=env, says="dna.test.csv")

    @needs_node
    def test_iris_figure_is_well_formed(self):
        document = self.reproduced("noumir-iris", "--output", "regions.svg", "--repeats", 20)
        self.assertEqual(document["picture"], "regions.svg")
        self.assertEqual([cell["machine"] for cell in document["cells"]], ["vo-rls-f", "ls-ova"])
        for cell in document["cells"]:
            self.assertEqual(cell["published"]["mean"], 3)
            self.assertLess(cell["ours"]["mean"], 20)
        root = xml.parse(self.folder / "regions.svg").getroot()
        self.assertEqual(root.tag, SVG + "svg")
        self.assertIn("Regions of the model over sepal length", root.find(SVG + "desc").text)
        self.assertEqual(len(document["figures"]["regions"]["points"]), 120)
        words = [text.text for text in root.iter(SVG + "text")]
        for word in ("sepal length in cm", "petal width in cm", "setosa", "virginica"):
            self.assertIn(word, words)
        self.succeeds("reproduce", "noumir-iris", "--repeats", 1, "--quiet", env=BUNDLED)
        self.assertTrue((self.folder / "noumir-iris.svg").exists())

    def test_chen_table_3_at_published_parameters(self):
        document = self.reproduced("chen-table3", "--datasets", "iris,wine", "--repeats", 3)
        cells = {(cell["name"], cell["dataset"]): cell for cell in document["cells"]}
        self.assertEqual(len(cells), 8)
        for cell in cells.values():
            ours, published = cell["ours"], cell["published"]
            self.assertEqual(len(ours["errors"]), 3)
            self.assertLess(ours["mean"], 6)
            self.assertAlmostEqual(cell["difference"], ours["mean"] - published["mean"])
            self.assertEqual(cell["inside"], abs(cell["difference"]) <= 2 * published["deviation"])
            self.assertIn("deviation", ours)
        published = cells["FLDA", "iris"]["published"]
        self.assertEqual(published["text"], "0.9773 +- 0.0057")
        self.assertAlmostEqual(published["mean"], 2.27)
        self.assertIn("iris: 3 stratified partitions of 150 rows into 10 folds", document["rows_used"])
        text = self.succeeds("reproduce", "chen-table3", "--machines", "ssvm", "--datasets", "iris", "--repeats", 2, env=BUNDLED).out
        self.assertRegex(text, r"SSVM +- +iris +2\.23 \+- 0\.64 +\d\.\d\d \+- \d\.\d\d +[+-]\d\.\d\d +(yes|no)")
        self.assertIn("the paper does not say the cost of the smooth SVMs", text)

    def blobs(self, rows, classes="abc"):
        """Classes on a line, with some rows in the wrong place."""
        out = ["x,y,class"]
        for i in range(rows):
            c = i % len(classes)
            out.append(f"{c + (i * 7 % 11 - 5) / 9:.4f},{(i * 5 % 13) / 13:.4f},{classes[c]}")
        return "\n".join(out) + "\n"

    def test_pictures_that_nobody_asked_for_need_no_node(self):
        (self.folder / "empty").mkdir()
        without = {**BUNDLED, "MANYONE_NODE": "", "PATH": str(self.folder / "empty")}
        done = self.succeeds("reproduce", "noumir-iris", "--repeats", 1, "--json", env=without)
        self.assertIn("note: figures are drawn by node", done.err)
        self.assertNotIn("picture", done.json())
        self.fails(BACKEND, "reproduce", "noumir-iris", "--repeats", 1, "-o", "r.svg", env=without, says="install nodejs")

    @needs_node
    def test_a_table_of_numbers_has_nothing_to_draw(self):
        result = self.write("r.json", json.dumps(self.reproduced("hsu-lin", "--machines", "svm-ovo", "--datasets", "iris")))
        self.fails(INPUT, "report", result, "--svg", "drawn", says="nothing to draw")
        self.assertFalse((self.folder / "drawn").exists())

    @needs_node
    def test_chen_figures_draw_lengths_and_views(self):
        self.write("pendigits.train.csv", self.blobs(7494))
        self.write("pendigits.test.csv", self.blobs(90))
        env = {"MANYONE_DATA": str(self.folder), "XDG_CACHE_HOME": str(self.folder)}
        arguments = ("reproduce", "chen-figures", "--datasets", "pendigits", "--repeats", 2)
        document = self.succeeds(*arguments, "--output", "new/pictures", "--json", env=env).json()
        errors = {one["code"]: one["errors"] for one in document["lengths"]}
        self.assertEqual({code: len(runs) for code, runs in errors.items()}, {"optimal": 1, "balanced": 1, "indicator": 1, "random": 2})
        for runs in errors.values():
            for run in runs:
                self.assertEqual(len(run), 2)
                self.assertAlmostEqual(run[-1], errors["optimal"][0][-1], msg="all codes are equivalent at full length")
        self.assertEqual([(view["code"], len(view["points"])) for view in document["views"]], [("optimal", 30), ("indicator", 30)])
        self.assertEqual(document["pictures"], [f"new/pictures/chen-pendigits-{name}.svg" for name in ("lengths", "optimal", "indicator")])
        for path in document["pictures"]:
            root = xml.parse(self.folder / path).getroot()
            self.assertIn("pendigits", root.find(SVG + "title").text)
            words = [text.text for text in root.iter(SVG + "text")]
            for word in ("optimal scores", "random, mean of 2", "length of the code (outputs)") if "lengths" in path else ("a", "b", "output for column 2"):
                self.assertIn(word, words)
        for set_of_curves in document["figures"]["code_lengths"]:
            self.assertEqual([code["lengths"] for code in set_of_curves["codes"]], 4 * [[1, 2]])
        result = self.write("lengths.json", json.dumps(document))
        self.succeeds("report", result, "--svg", "drawn")
        words = [text.text for text in xml.parse(self.folder / "drawn/code-lengths-1.svg").getroot().iter(SVG + "text")]
        self.assertIn("optimal scores", words)
        text = self.succeeds(*arguments, "--output", ".", env=env).out
        self.assertRegex(text, r"optimal scores (have|do not have) the smallest mean error")
        self.fails(INPUT, *arguments, "--output", "pendigits.test.csv", env=env, says="expected a folder")

    def test_chen_times_stand_beside_libsvm(self):
        self.write("image.train.csv", self.blobs(210))
        self.write("image.test.csv", self.blobs(60))
        (self.folder / "tmp").mkdir()
        env = {"MANYONE_DATA": str(self.folder), "XDG_CACHE_HOME": str(self.folder), "TMPDIR": str(self.folder / "tmp")}
        arguments = ("reproduce", "chen-tables4-5", "--datasets", "image", "--machines", "flda,libsvm-default")
        document = self.succeeds(*arguments, "--json", env=env).json()
        self.assertEqual([cell["name"] for cell in document["cells"]], ["IS FLDA", "BS FLDA", "OS FLDA", "LIBSVM (default)", "LIBSVM (UD)"])
        tools = shutil.which("svm-train") is not None and shutil.which("svm-predict") is not None
        self.assertEqual(document["libsvm_tools"], tools)
        for cell in document["cells"]:
            self.assertGreater(cell["ours"]["train_seconds"], 0)
            self.assertLess(cell["ours"]["error"], 50)
            if "libsvm" in cell and tools:
                self.assertAlmostEqual(cell["libsvm"]["error"], cell["ours"]["error"], delta=5)
        self.assertAlmostEqual(document["cells"][0]["ratio"]["testing"]["published"], 0.01 / 0.06)
        text = self.succeeds(*arguments, env={**env, "PATH": "/nonexistent"}).out
        self.assertIn("since svm-train and svm-predict are not on the PATH", text)
        (self.folder / "bin").mkdir()
        for name in ("svm-train", "svm-predict"):
            self.write(f"bin/{name}", "#!/bin/sh\nexit 1\n").chmod(0o755)
        broken = self.succeeds(*arguments, "--json", env={**env, "PATH": str(self.folder / "bin")}).json()
        self.assertIsNone(broken["cells"][-1]["libsvm"])
        self.assertIsNone(broken["cells"][-1]["ratio"]["training"]["ours"])
        self.assertEqual(list((self.folder / "tmp").iterdir()), [], "temporary files are removed")
        self.fails(USAGE, *arguments, "--repeats", 2, says="leave --repeats and --seed out")

    def test_without_the_program_one_line_says_where_it_comes_from(self):
        shutil.copy2(TOOL, self.folder / "manyone")
        done = subprocess.run([self.folder / "manyone", "reproduce", "hsu-lin"], capture_output=True, text=True, check=False,
                              env={**os.environ, "PATH": "/nonexistent"})
        self.assertEqual((done.returncode, done.stdout), (USAGE, ""))
        self.assertRegex(done.stderr, r"^manyone: [^\n]*manyone-reproduce[^\n]*manyone-studies[^\n]*\n$")

    def test_ctrl_c_gives_what_is_finished(self):
        process = self.start_tool("reproduce", "honeine-table4", "--machines", "onelsm,vo-rls-f", "--datasets", "iris,glass", "--repeats",
                                  100, "--json", "--progress", "json", env={**os.environ, **BUNDLED})
        for line in process.stderr:
            if line.startswith("{") and json.loads(line)["state"].startswith("vo-RLS"):
                break
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, INTERRUPTED, err)
        document = json.loads(out)
        self.assertTrue(document["interrupted"])
        self.assertIn("mean", document["cells"][0]["ours"])
        self.assertIsNone(document["cells"][-1]["ours"])
