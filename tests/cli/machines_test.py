# SPDX-License-Identifier: Apache-2.0
"""Every machine from the command line: fitted, tuned, saved, loaded, predicted; and the options that go with them."""
import json

from tool import DATA, INPUT, IRIS, USAGE, ToolTest

WINE = DATA / "wine.csv"


class Machines(ToolTest):
    def names(self):
        return [machine["name"] for machine in self.succeeds("machines", "--json").json()]

    def test_the_list_tells_cost_and_source(self):
        for machine in self.succeeds("machines", "--json").json():
            for key in ("name", "summary", "flops", "source", "parameter"):
                self.assertTrue(machine[key], machine)
        self.assertEqual(self.names(), ["onelsm", "msvr", "vo-lssvm", "vo-rls-beta", "vo-rls-f", "ls-ova", "ls-ovo", "ls-ecoc", "sbc-ls",
                                        "vo-svm", "svm-ova", "svm-ovo", "svm-dag", "svm-ecoc", "sbc-single", "sbc-identity", "sbc-kernel",
                                        "sbc-ecoc", "ww", "cs", "llw"])

    def test_every_machine_goes_from_a_table_to_predictions(self):
        for machine in self.succeeds("machines", "--json").json():
            name, parameter = machine["name"], machine["parameter"]
            with self.subTest(name):
                quick = ("--labelbook", "ova") if name == "sbc-ecoc" else ()
                fitted = self.succeeds("fit", WINE, "-o", "m", "--machine", name, *quick, "--json").json()
                self.assertEqual(fitted["machine"], name)
                self.assertLess(fitted["cv"]["error"], 0.05)
                inspected = self.succeeds("inspect", "m", "--json").json()
                self.assertEqual(inspected[parameter], fitted[parameter])
                self.assertLess(self.succeeds("evaluate", "m", WINE, "--json").json()["error"], 0.05)
                predicted = self.succeeds("predict", "m", WINE, "--proba", "--scores", "--json").json()
                for scores, chances, label in zip(predicted["scores"], predicted["probabilities"], predicted["labels"]):
                    self.assertEqual(len(scores), 3)
                    self.assertAlmostEqual(sum(chances), 1)
                    self.assertEqual(predicted["classes"][chances.index(max(chances))], label)

    def test_every_search_tunes_every_machine(self):
        for search in ("grid", "halving", "design", "greedy"):
            for name in ("onelsm", "vo-lssvm", "vo-rls-beta", "ls-ovo", "vo-svm", "svm-ovo"):
                with self.subTest(f"{search} {name}"):
                    found = self.succeeds("tune", WINE, "--machine", name, "--search", search, "--json", "--folds", 5).json()
                    self.assertEqual(found["search"], search)
                    self.assertLess(found["cv"]["error"], 0.05)

    def test_cost_is_one_over_ridge(self):
        by_cost = self.succeeds("tune", WINE, "--machine", "vo-lssvm", "--sigma", 1, "--cost", 4, "--json").json()
        by_ridge = self.succeeds("tune", WINE, "--machine", "vo-lssvm", "--sigma", 1, "--ridge", 0.25, "--json").json()
        self.assertEqual(by_cost["cost"], 4)
        self.assertEqual(by_cost["cv"], by_ridge["cv"])
        grid = self.succeeds("tune", WINE, "--machine", "vo-lssvm", "--sigma", 1, "--grid", "cost=-1:2", "--json").json()
        self.assertEqual(sorted(cell["cost"] for cell in grid["surface"]), [0.5, 1, 2, 4])
        self.fails(USAGE, "tune", WINE, "--cost", 0, says=["--cost must be a number above 0"])
        self.fails(USAGE, "tune", WINE, "--cost", 1, "--ridge", 1, says=["--ridge"])

    def test_decoders_and_codes(self):
        for decode in ("votes", "votes:first", "dag", "hamming", "loss", "loss:hinge", "loss:linear", "loss:exponential"):
            with self.subTest(decode):
                found = self.succeeds("tune", WINE, "--machine", "ls-ovo", "--decode", decode, "--sigma", 2, "--ridge", 0.1, "--json")
                self.assertLess(found.json()["cv"]["error"], 0.06)
        for code in ("ova", "complete", "dense", "sparse", "bch", "ava"):
            with self.subTest(code):
                self.succeeds("fit", WINE, "-o", "m", "--machine", "ls-ecoc", "--labelbook", code, "--sigma", 2, "--ridge", 0.1)
                self.assertLess(self.succeeds("evaluate", "m", WINE, "--json").json()["error"], 0.05)
        self.fails(USAGE, "tune", WINE, "--decode", "hamming", says=["--decode argmax"])
        self.fails(USAGE, "tune", WINE, "--decode", "haming", says=["did you mean 'hamming'"])
        self.fails(USAGE, "tune", WINE, "--machine", "vo-lssvm", "--bias", says=["mincorr"])

    def test_accuracy_goes_with_machines_that_iterate(self):
        def scores(accuracy):
            self.succeeds("fit", WINE, "-o", "m", "--machine", "cs", "--sigma", 1, "--cost", 8, "--accuracy", accuracy)
            return [x for row in self.succeeds("predict", "m", WINE, "--scores", "--json").json()["scores"] for x in row]

        loose, good, exact = scores(0.5), scores(1e-6), scores(1e-9)
        self.assertGreater(max(abs(a - b) for a, b in zip(loose, exact)), 1e-3)
        self.assertLess(max(abs(a - b) for a, b in zip(good, exact)), 1e-4)
        self.fails(USAGE, "fit", WINE, "-o", "m", "--machine", "vo-lssvm", "--accuracy", 1e-3, says=["solved exactly"])
        self.fails(USAGE, "fit", WINE, "-o", "m", "--machine", "svm-ovo", "--accuracy", 2, says=["1e-12 to less than 1"])

    def test_the_kernel_on_labels_is_learned_in_two_ways(self):
        models = []
        for way in ("published", "simplex"):
            self.succeeds("fit", WINE, "-o", way, "--machine", "sbc-kernel", "--mkl", way, "--sigma", 1, "--cost", 4096)
            models.append(self.succeeds("predict", way, WINE, "--scores", "--json").json()["scores"])
        self.assertNotEqual(*models)
        self.fails(USAGE, "fit", WINE, "-o", "m", "--machine", "sbc-identity", "--mkl", "simplex", says=["sbc-kernel"])

    def test_a_kernel_with_negative_eigenvalues_is_reported(self):
        lines = ["a,b,c,d,class"]
        for i in range(4):
            lines.append(",".join("0" if i == j else "1" for j in range(4)) + f",{'xy'[i % 2]}")
        gram = self.write("gram.csv", "\n".join(lines) + "\n")
        command = ("fit", gram, "-o", "m", "--kernel", "precomputed", "--machine", "svm-ovo", "--cost", 1)
        self.assertIn("not positive semidefinite", self.succeeds(*command).err)
        self.fails(INPUT, *command, "--strict", says=["not positive semidefinite", "--strict"])

    def test_a_label_kernel_brings_a_hierarchy_in(self):
        gram = self.write("g.csv", "1,0.5,0\n0.5,1,0\n0,0,1\n")
        for name in ("onelsm", "vo-lssvm", "vo-rls-beta", "vo-rls-f", "ls-ova", "sbc-ls"):
            with self.subTest(name):
                found = self.succeeds("tune", WINE, "--machine", name, "--label-kernel", gram, "--sigma", 1, "--ridge", 1, "--json")
                self.assertLess(found.json()["cv"]["error"], 0.1)
        self.fails(INPUT, "tune", WINE, "--label-kernel", self.write("bad.csv", "1,2,0\n2,1,0\n0,0,1\n"), "--quiet",
                   says=["positive semidefinite"])

    def test_scaling_per_fold_changes_little(self):
        whole = self.succeeds("tune", WINE, "--sigma", 2, "--ridge", 0.1, "--json").json()["cv"]["error"]
        each = self.succeeds("tune", WINE, "--sigma", 2, "--ridge", 0.1, "--json", "--scale-per-fold").json()["cv"]["error"]
        self.assertAlmostEqual(whole, each, delta=0.03)
        self.fails(USAGE, "tune", WINE, "--scale", "none", "--scale-per-fold", says=["--scale-per-fold"])


class Resume(ToolTest):
    OPTIONS = ("--search", "grid", "--grid", "sigma=-2:2,ridge=-3:1", "--json", "--quiet")

    def surface(self, *arguments):
        return self.succeeds("tune", IRIS, *self.OPTIONS, *arguments).json()["surface"]

    def test_a_cut_journal_gives_the_same_search_to_the_byte(self):
        whole = self.surface()
        self.assertEqual(self.surface("--resume", "j"), whole)
        lines = (self.folder / "j").read_bytes().splitlines(keepends=True)
        self.assertEqual(len(lines), 26)
        (self.folder / "j").write_bytes(b"".join(lines[:10]) + lines[10][:5])  # killed in the middle of a line
        self.assertEqual(self.surface("--resume", "j"), whole)
        self.assertEqual(len((self.folder / "j").read_bytes().splitlines()), 26)

    def test_a_killed_search_goes_on_where_it_was(self):
        table = self.write("t.csv", "".join(f"{i % 7},{i * i % 11},{i % 13},{'abc'[i % 3]}\n" for i in range(900)))
        options = ("tune", table, "--search", "grid", "--resume", "j", "--json", "--progress", "json")
        process = self.start_tool(*options)
        for line in process.stderr:
            if '"progress"' in line and json.loads(line)["done"] > 1:
                break
        process.kill()
        process.wait()
        kept = len((self.folder / "j").read_bytes().splitlines()) - 1
        self.assertGreater(kept, 0)
        resumed = self.succeeds(*options).json()
        plain = self.succeeds("tune", table, "--search", "grid", "--json", "--quiet").json()
        self.assertEqual(resumed["surface"], plain["surface"])
        self.assertEqual(resumed["cv"], plain["cv"])

    def test_every_search_can_be_resumed(self):
        for search in ("auto", "halving", "design", "greedy"):
            with self.subTest(search):
                command = ("tune", WINE, "--search", search, "--resume", search, "--json", "--quiet", "--nested", "--folds", 3)
                first = self.succeeds(*command).json()
                second = self.succeeds(*command).json()
                for document in (first, second):
                    del document["seconds"]
                self.assertEqual(first, second)

    def test_a_journal_of_something_else_is_refused(self):
        self.surface("--resume", "j")
        self.fails(INPUT, "tune", WINE, *self.OPTIONS, "--resume", "j", says=["j:1", "another table", "delete it"])
        self.fails(INPUT, "tune", IRIS, *self.OPTIONS, "--seed", 5, "--resume", "j", says=["j:1", "other options on the same table"])
        compare = ("compare", IRIS, "--machines", "onelsm,ls-ova", "--protocol", "cv:2", "--sigma", 1, "--resume", "notes.txt")
        for notes in ("not a journal\n", "precious, without a newline", "long" * 5000):
            (self.folder / "notes.txt").write_text(notes)
            self.fails(INPUT, "tune", IRIS, *self.OPTIONS, "--resume", "notes.txt", says=["notes.txt:1"])
            self.fails(INPUT, *compare, says=["notes.txt:1", "not a"])
            self.assertEqual((self.folder / "notes.txt").read_text(), notes)

    def test_deep_lines_are_refused(self):
        self.surface("--resume", "j")
        journal = self.folder / "j"
        head = journal.read_text().splitlines(keepends=True)[0]
        deep = '{"stage":"x","y":' + "[" * 100_000 + "]" * 100_000 + "}\n"
        for text, line in ((head + deep, "j:2"), (deep, "j:1")):
            journal.write_text(text)
            self.fails(INPUT, "tune", IRIS, *self.OPTIONS, "--resume", "j", says=line)
