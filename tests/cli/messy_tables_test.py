# SPDX-License-Identifier: Apache-2.0
"""Tables as strangers have them: written by pandas, R, Excel and instruments, with identifiers, gaps and new words."""
import random
import unittest

from tool import INPUT, USAGE, ToolTest, csv_text

FIXED = ("--sigma", 1, "--ridge", 0.125)


def clouds(rows=60, features=2, seed=1):
    """Rows of numbers and their classes: two clouds that overlap."""
    stream = random.Random(seed)
    table = []
    for i in range(rows):
        name = "ab"[i % 2]
        table.append(([round(stream.gauss(i % 2, 1), 3) for _ in range(features)], name))
    return table


class MessyTest(ToolTest):
    def fit(self, data, *options, name="m.safetensors"):
        """The result document and the notes of a fit at fixed parameters."""
        result = self.succeeds("fit", data, "-o", name, "--json", *FIXED, *options)
        return result.json(), result.err

    def features(self, data, *options):
        self.fit(data, *options)
        return self.succeeds("inspect", "m.safetensors", "--json").json()["features"]


class Headers(MessyTest):
    def spectra(self, header):
        lines = [",".join(header)]
        lines += [",".join(map(str, row + [name])) for row, name in clouds(12, 4)]
        return self.write("spectra.csv", "\n".join(lines) + "\n")

    def test_a_header_of_numbers_above_words_is_known_by_its_class_cell(self):
        path = self.spectra(["400", "410", "420", "430", "class"])
        self.assertEqual(self.features(path), ["400", "410", "420", "430"])
        path = self.spectra(["400", "410", "420", "430", "tissue"])
        document, notes = self.fit(path)
        self.assertEqual(document["n"], 12)
        self.assertIn("'tissue' stands nowhere below", notes)

    def test_a_header_of_numbers_above_numbered_classes_is_known_by_its_class_cell(self):
        lines = ["400,410,class"] + [f"{row[0]},{row[1]},{i % 2}" for i, (row, _) in enumerate(clouds(12))]
        self.assertEqual(self.features(self.write("n.csv", "\n".join(lines) + "\n")), ["400", "410"])

    def test_a_header_of_wavelengths_is_known_in_a_small_table_too(self):
        lines = [",".join(map(str, row + [name])) for row, name in zip([[.2, .1, .3], [.5, .2, .1], [.3, .2, .1]], "abc")]
        for name in ("class", "tissue"):
            self.assertEqual(self.features(self.write("s.csv", "\n".join([f"400,410,420,{name}", *lines]) + "\n")),
                             ["400", "410", "420"])

    def test_a_number_above_words_is_a_header_for_it_stands_nowhere_below(self):
        path = self.spectra(["400", "410", "420", "430", "440"])
        self.assertEqual(self.features(path), ["400", "410", "420", "430"])
        self.assertEqual(self.fit(path)[0]["classes"], ["a", "b"])

    def test_numbers_that_pandas_gives_to_columns_are_a_header(self):
        for classes in ("ab", "12"):
            for index in (False, True):
                lines = [("," if index else "") + "0,1,2,3,4"]
                for i, (row, name) in enumerate(clouds(24, 4)):
                    lines.append((f"{i}," if index else "") + ",".join(map(str, row)) + "," + classes["ab".index(name)])
                with self.subTest(classes=classes, index=index):
                    path = self.write("frame.csv", "\n".join(lines) + "\n")
                    self.assertEqual(self.features(path), ["0", "1", "2", "3"])
                    self.assertEqual(self.fit(path)[0]["n"], 24)

    def test_a_row_of_a_rare_class_is_no_header(self):
        lines = [f"{row[0]},{row[1]},{name}" for row, name in clouds(5)]
        path = self.write("rare.csv", "\n".join(["1,2,z", *lines]) + "\n")
        self.assertEqual(self.fit(path)[0]["n"], 6)
        path = self.write("rare.csv", "\n".join(["1,2,z", *lines, "3,4,y"]) + "\n")
        self.assertEqual(self.fit(path)[0]["n"], 7)

    def test_target_by_name_implies_a_header(self):
        lines = ["400,410,1x,500"] + [f"{row[0]},{row[1]},{name},7" for row, name in clouds(4)]
        path = self.write("t.csv", "\n".join(lines) + "\n")
        document, _ = self.fit(path, "--target", "1x")
        self.assertEqual((document["n"], document["d"]), (4, 3))

    def test_header_no_keeps_the_row(self):
        path = self.spectra(["400", "410", "420", "430", "tissue"])
        self.assertEqual(self.fit(path, "--header", "no")[0]["n"], 13)

    def test_class_first_under_numbers(self):
        lines = ["class,400,410"] + [f"{name},{row[0]},{row[1]}" for row, name in clouds(30)]
        path = self.write("first.csv", "\n".join(lines) + "\n")
        self.fails(INPUT, "fit", path, "-o", "m", *FIXED, says="use --target class")
        self.assertEqual(self.features(path, "--target", "class"), ["400", "410"])


class Columns(MessyTest):
    def table(self, extra, rows=60):
        """clouds() with further columns in front; extra maps a name to a function of the row's number."""
        header = [*extra, "x", "y", "class"]
        body = [[value(i) for value in extra.values()] + row + [name] for i, (row, name) in enumerate(clouds(rows))]
        return self.write("t.csv", csv_text(header, body))

    def test_the_index_of_pandas_is_left_out(self):
        path = self.table({"": lambda i: i})
        self.assertEqual(self.features(path), ["x", "y"])
        self.assertIn("column 1 counts the rows and is left out", self.fit(path)[1])
        self.assertEqual(len(self.features(path, "--keep-ids")), 3)

    def test_the_index_of_a_part_of_a_frame_is_left_out(self):
        stream = random.Random(3)
        for first in ("", "Unnamed: 0", '""'):
            numbers = stream.sample(range(1000), 60)
            lines = [f"{first},x,y,class"] + [f"{number},{row[0]},{row[1]},{name}" for number, (row, name) in zip(numbers, clouds())]
            path = self.write("part.csv", "\n".join(lines) + "\n")
            with self.subTest(first):
                self.assertEqual(self.features(path), ["x", "y"])
                self.assertIn("as the index of a data frame", self.fit(path)[1])
                self.assertEqual(len(self.features(path, "--keep-ids")), 3)

    def test_a_nameless_first_column_of_measurements_is_kept(self):
        lines = [",y,class"] + [f"{row[0]},{row[1]},{name}" for row, name in clouds()]
        self.assertEqual(len(self.features(self.write("m.csv", "\n".join(lines) + "\n"))), 2)

    def test_a_column_that_numbers_the_rows_is_left_out(self):
        self.assertEqual(self.features(self.table({"Id": lambda i: i + 1})), ["x", "y"])
        self.assertEqual(self.features(self.table({"Id": lambda i: i + 2})), ["Id", "x", "y"])

    def test_text_with_a_value_a_row_is_left_out(self):
        path = self.table({"name": lambda i: f"sample-{i}"})
        self.assertEqual(self.features(path), ["x", "y"])
        self.assertIn("'name' has words of its own in every row", self.fit(path)[1])
        self.assertEqual(len(self.features(path, "--keep-ids")), 62)

    def test_streamed_tables_are_read_alike(self):
        path = self.table({"": lambda i: i, "name": lambda i: f"s{i}", "k": lambda i: "uvw"[i % 3]})
        machine = ("--machine", "msvr", "--centers", 10)
        held = self.fit(path, *machine, name="a")[1]
        streamed = self.fit(path, *machine, "--stream", name="b")[1]
        self.assertEqual(*[[line for line in said.splitlines() if line.startswith("note:")] for said in (held, streamed)])
        self.assertEqual((self.folder / "a").read_bytes(), (self.folder / "b").read_bytes())

    def test_ignored_columns_may_be_there_at_prediction_or_not(self):
        path = self.table({"id": lambda i: 1000 - i, "site": lambda i: "uv"[i // 30]})
        self.assertEqual(self.features(path, "--ignore", "id,2"), ["x", "y"])
        expected = self.succeeds("predict", "m.safetensors", path, "--strict").out
        bare = "\n".join(",".join(line.split(",")[2:]) for line in path.read_text().splitlines())
        self.assertEqual(self.succeeds("predict", "m.safetensors", self.write("bare.csv", bare), "--strict").out, expected)

    def test_a_column_without_a_name_is_never_guessed_to_be_the_identifier(self):
        rows = clouds()
        path = self.write("t.csv", "id,x,y,class\n" + "".join(f"{i + 1},{row[0]},{row[1]},{name}\n" for i, (row, name) in enumerate(rows)))
        self.fit(path)
        expected = self.succeeds("evaluate", "m.safetensors", path).out
        labelled = self.write("l.csv", "".join(f"{row[0]},{row[1]},{name}\n" for row, name in rows))
        self.assertEqual(self.succeeds("evaluate", "m.safetensors", labelled).out, expected)
        self.fails(INPUT, "predict", "m.safetensors", labelled, says=["3 columns have no names", "'id'", "or the class"])
        numbered = self.write("n.csv", "".join(f"{i + 1},{row[0]},{row[1]}\n" for i, (row, _) in enumerate(rows)))
        self.fails(INPUT, "predict", "m.safetensors", numbered, says=["the features alone", "all 4 columns"])

    def test_ignored_columns_of_tables_without_names_are_left_out_by_place(self):
        rows = clouds()
        text = "".join(f"{1000 - i},{row[0]},{name},{row[1]},7\n" for i, (row, name) in enumerate(rows))
        path = self.write("bare.csv", text)
        self.fit(path, "--ignore", "1,5", "--target", 3)
        expected = self.succeeds("predict", "m.safetensors", path).out
        unlabelled = "".join(f"{1000 - i},{row[0]},{row[1]},7\n" for i, (row, _) in enumerate(rows))
        self.assertEqual(self.succeeds("predict", "m.safetensors", self.write("u.csv", unlabelled)).out, expected)
        features = "".join(f"{row[0]},{row[1]}\n" for row, _ in rows)
        self.assertEqual(self.succeeds("predict", "m.safetensors", self.write("f.csv", features)).out, expected)

    def test_ignoring_the_target_or_nothing_that_is_there(self):
        path = self.table({})
        self.fails(USAGE, "fit", path, "-o", "m", "--ignore", "class", says="it is the target column")
        self.fails(USAGE, "fit", path, "-o", "m", "--ignore", "z", says="no such column")

    def test_a_column_that_tells_the_class_is_noted(self):
        self.assertIn("column 'code' alone tells the class of every row",
                      self.fit(self.table({"code": lambda i: "uv"[i % 2]}))[1])
        self.assertIn("column 'code' alone", self.fit(self.table({"code": lambda i: 10 * (i % 2) + i / 100}))[1])
        self.assertNotIn("alone", self.fit(self.table({"code": lambda i: "uv"[i % 3 // 2]}))[1])
        self.assertNotIn("alone", self.fit(self.table({"code": lambda i: 0.4 * (i % 2) + i / 100}))[1])

    def test_a_column_called_label_that_is_not_the_last_is_noted(self):
        for name in ("Label", "class", "target"):
            lines = self.table({"first": lambda i: "pq"[i // 30]}).read_text().splitlines()
            lines[0] = lines[0].replace("class", "z").replace("first", name)
            _, notes = self.fit(self.write("l.csv", "\n".join(lines) + "\n"))
            self.assertIn(f"if it is column '{name}', use --target {name}", notes)

    def test_a_class_in_front_of_decimals_is_asked_for(self):
        text = "".join(f"{1 + i % 2},{row[0]},{row[1]}\n" for i, (row, _) in enumerate(clouds()))
        path = self.write("wine.data", text)
        self.fails(INPUT, "fit", path, "-o", "m", *FIXED, says=["hardly classes", "use --target 1"])
        self.assertEqual(self.fit(path, "--target", 1)[0]["d"], 2)
        self.assertEqual(len(self.fit(path, "--target", 3)[0]["classes"]), len({line.split(",")[2] for line in text.split()}))

    def test_a_class_of_words_in_front_of_decimals_is_asked_for(self):
        text = "".join(f"{7919 * i % 1000},{name},{row[0]},{row[1]}\n" for i, (row, name) in enumerate(clouds()))
        self.fails(INPUT, "fit", self.write("wdbc.data", text), "-o", "m", *FIXED, says=["hardly classes", "use --target 2"])

    def test_numbers_to_be_predicted_are_noted(self):
        text = "".join(f"{row[1]},{row[0]}\n" for row, _ in clouds())
        self.assertIn("each of them becomes a class", self.fit(self.write("r.csv", text))[1])

    def test_a_precomputed_kernel_keeps_its_columns(self):
        n = 12
        text = "".join(",".join(str(min(i, j) + 1) for j in range(n)) + f",{'ab'[i % 2]}\n" for i in range(n))
        self.succeeds("fit", self.write("k.csv", text), "-o", "m", "--kernel", "precomputed", "--ridge", 1)


class Prediction(MessyTest):
    def setUp(self):
        super().setUp()
        colours = ["red", "green", "blue"]
        self.rows = [[i, colours[i % 3], *row, name] for i, (row, name) in enumerate(clouds())]
        self.header = ["nr", "colour", "x", "y", "class"]
        self.table = self.write("t.csv", csv_text(self.header, self.rows))

    def changed(self, row, column, value):
        rows = [list(cells) for cells in self.rows]
        rows[row][self.header.index(column)] = value
        return self.write("changed.csv", csv_text(self.header, rows))

    def test_unseen_categories_are_none_of_the_known_and_counted(self):
        self.fitted(self.table, "m.safetensors", *FIXED)
        path = self.changed(4, "colour", "purple")
        result = self.succeeds("predict", "m.safetensors", path)
        self.assertEqual(len(result.out.splitlines()), 60)
        self.assertIn("1 cell holds a category that the model does not know (first: 'purple' of column 'colour' in row 5)",
                      result.err)
        self.fails(INPUT, "predict", "m.safetensors", path, "--strict", says="does not know the value 'purple'")
        self.assertIn("1 cell", self.succeeds("evaluate", "m.safetensors", path).err)

    def test_an_unseen_category_is_encoded_as_zeros(self):
        self.fitted(self.table, "m.safetensors", *FIXED)
        self.succeeds("convert", self.changed(4, "colour", "purple"), "--encode-by", "m.safetensors", "-o", "e.csv")
        lines = (self.folder / "e.csv").read_text().splitlines()
        self.assertEqual(lines[0].split(",")[:3], ["colour=blue", "colour=green", "colour=red"])
        self.assertEqual(lines[5].split(",")[:3], ["0", "0", "0"])

    def test_an_empty_cell_for_a_model_that_dropped_rows(self):
        self.fitted(self.changed(2, "x", ""), "m.safetensors", *FIXED, "--missing", "drop")
        expected = self.succeeds("predict", "m.safetensors", self.table).out.splitlines()
        path = self.changed(4, "x", "NaN")
        result = self.succeeds("predict", "m.safetensors", path, "--proba", "--keep", "nr")
        lines = result.out.splitlines()
        self.assertEqual(lines[5], "4,,,")
        self.assertEqual([line.split(",")[1] for line in lines[1:5] + lines[6:]], expected[:4] + expected[5:])
        self.assertIn("1 row has missing values and no class", result.err)
        document = self.succeeds("predict", "m.safetensors", path, "--scores", "--json").json()
        self.assertEqual((document["labels"][4], document["scores"][4]), (None, [None, None]))
        self.fails(INPUT, "predict", "m.safetensors", path, "--strict", says="a value is missing in row 5")

    def test_an_empty_cell_for_a_model_that_takes_none(self):
        self.fitted(self.table, "m.safetensors", *FIXED)
        expected = self.succeeds("predict", "m.safetensors", self.table).out.splitlines()
        path = self.changed(4, "x", "")
        result = self.succeeds("predict", "m.safetensors", path)
        self.assertEqual(result.out.splitlines(), [*expected[:4], "", *expected[5:]])
        self.assertIn("1 row has missing values and no class", result.err)
        self.assertIn("1 row has missing values and was left out", self.succeeds("evaluate", "m.safetensors", path).err)
        self.fails(INPUT, "predict", "m.safetensors", path, "--strict", says="a value is missing in row 5")

    def test_a_row_without_a_class_is_dropped_with_those_that_miss_other_values(self):
        path = self.changed(2, self.header[-1], "")
        self.assertEqual(self.succeeds("fit", path, "-o", "m", *FIXED, "--json", "--missing", "drop").json()["n"], 59)
        self.fails(INPUT, "fit", path, "-o", "m", *FIXED, "--missing", "mean", says="found a missing value in column")

    def test_a_kept_column_called_class_is_told_from_the_prediction(self):
        self.fitted(self.table, "m.safetensors", *FIXED)
        head = self.succeeds("predict", "m.safetensors", self.table, "--keep", "nr,class").out.splitlines()[0]
        self.assertEqual(head, "nr,class,predicted")

    def test_further_named_columns_are_left_out_with_a_note(self):
        self.fitted(self.table, "m.safetensors", *FIXED)
        path = self.write("more.csv", csv_text([*self.header, "weather"], [[*row, "fine"] for row in self.rows]))
        result = self.succeeds("predict", "m.safetensors", path)
        self.assertIn("not known to the model and left out: 'weather'", result.err)
        self.assertEqual(result.out, self.succeeds("predict", "m.safetensors", self.table).out)
        self.fails(INPUT, "predict", "m.safetensors", path, "--strict", says="not known to the model: 'weather'")

    def test_unknown_classes_are_wrong_in_evaluate(self):
        self.fitted(self.table, "m.safetensors", *FIXED)
        before = self.succeeds("evaluate", "m.safetensors", self.table, "--json").json()
        rows = [*self.rows, [99, "red", 0, 0, "c"], [99, "red", 0, 0, "d"]]
        path = self.write("more.csv", csv_text(self.header, rows))
        result = self.succeeds("evaluate", "m.safetensors", path, "--json")
        after = result.json()
        self.assertIn("2 rows are of classes that the model does not know ('c' and others) and count as wrong", result.err)
        self.assertEqual((after["n"], after["unknown"]), (62, 2))
        self.assertAlmostEqual(after["error"], (60 * before["error"] + 2) / 62)
        self.assertAlmostEqual(after["balanced_error"], (2 * before["balanced_error"] + 2) / 4)
        self.fails(INPUT, "evaluate", "m.safetensors", path, "--strict", says="does not know")

    def test_1_and_1_0_are_the_same_label_and_category(self):
        rows = [[1 + i % 2, *row, 1 + (name == "b")] for i, (row, name) in enumerate(clouds())]
        path = self.write("whole.csv", csv_text(["k", "x", "y", "class"], rows))
        decimals = self.write("decimal.csv", csv_text(["k", "x", "y", "class"],
                                                      [[float(row[0]), *row[1:3], float(row[3])] for row in rows]))
        self.fitted(path, "m.safetensors", *FIXED, "--nominal", "k")
        figures = [self.succeeds("evaluate", "m.safetensors", table, "--json", "--strict").json()["confusion"]
                   for table in (path, decimals)]
        self.assertEqual(*figures)

    def test_keep_carries_columns_through(self):
        self.fitted(self.table, "m.safetensors", *FIXED)
        classes = self.succeeds("predict", "m.safetensors", self.table).out.splitlines()
        lines = self.succeeds("predict", "m.safetensors", self.table, "--keep", "nr,2").out.splitlines()
        self.assertEqual(lines[0], "nr,colour,class")
        self.assertEqual(lines[1:], [f"{row[0]},{row[1]},{name}" for row, name in zip(self.rows, classes)])
        document = self.succeeds("predict", "m.safetensors", self.table, "--keep", "nr", "--json").json()
        self.assertEqual(document["kept"]["nr"], [str(row[0]) for row in self.rows])
        self.fails(USAGE, "predict", "m.safetensors", self.table, "--keep", "zz", says="no such column")

    def test_tune_takes_categories_of_held_out_rows_as_unseen(self):
        """As a model of the other rows does: a word that none of them has shrinks all kernel values by one factor."""
        header = ["k", "x", "y", "class"]
        rows = [[f"own-{i}" if i % 4 == 0 else "uv"[i % 3 // 2], *row, name] for i, (row, name) in enumerate(clouds(60))]
        fold_of_row = [i % 7 % 3 for i in range(60)]
        given = (*FIXED, "--scale", "none", "--quiet")
        folds = self.write("folds", "".join(f"{fold}\n" for fold in fold_of_row))
        tuned = self.succeeds("tune", self.write("all.csv", csv_text(header, rows)), "--json", *given, "--folds", folds).json()
        errors = []
        for fold in range(3):
            part = [[row for row, of in zip(rows, fold_of_row) if (of == fold) == held_out] for held_out in (False, True)]
            self.fitted(self.write("train.csv", csv_text(header, part[0])), "m.safetensors", *given)
            test = self.write("test.csv", csv_text(header, part[1]))
            errors.append(self.succeeds("evaluate", "m.safetensors", test, "--json").json()["error"])
        self.assertAlmostEqual(tuned["cv"]["error"], sum(errors) / 3)


class Writing(MessyTest):
    def rows(self):
        return clouds(20)

    def same_as_plain(self, text, *options, notes=""):
        """The table gives the predictions of the plain table, also when it is predicted."""
        plain = self.write("plain.csv", csv_text(["x", "y", "class"], [[*row, name] for row, name in self.rows()]))
        self.fit(plain, name="plain")
        document, said = self.fit(self.write("messy.txt", text), *options, name="messy")
        self.assertEqual((document["n"], document["d"]), (20, 2), text[:200])
        self.assertIn(notes, said)
        expected = self.succeeds("predict", "plain", plain, "--scores").out
        self.assertEqual(self.succeeds("predict", "messy", "messy.txt", "--scores", *options).out, expected)
        self.assertEqual(self.succeeds("predict", "plain", "messy.txt", "--scores", *options).out, expected)

    def test_blanks_between_cells(self):
        self.same_as_plain("x y class\n" + "".join(f"  {row[0]}   {row[1]}\t{name} \n" for row, name in self.rows()))

    def test_numbers_in_a_spelling_that_is_not_read_are_noted(self):
        for spelling in ('"{},000.5"', "{}.5%", "{}'000"):
            with self.subTest(spelling):
                lines = [f"{spelling.format(1 + k % 9)},{k % 4 + k / 8},{'ab'[k % 2]}" for k in range(40)]
                _, notes = self.fit(self.write("n.csv", "\n".join(["x,y,c", *lines]) + "\n"))
                self.assertIn("column 'x' holds words that look like numbers", notes)
        lines = [f"{1 + k % 9}-{k % 3},{k % 4 + k / 8},{'ab'[k % 2]}" for k in range(40)]
        self.assertNotIn("look like numbers", self.fit(self.write("n.csv", "\n".join(["x,y,c", *lines]) + "\n"))[1])

    def test_tabs_of_which_some_are_doubled(self):
        self.same_as_plain("x\ty\tclass\n" + "".join(f"{row[0]}\t{row[1]}\t{'' if i % 3 else chr(9)}{name}\n"
                                                     for i, (row, name) in enumerate(self.rows())))

    def test_bars_between_cells(self):
        self.same_as_plain("x|y|class\n" + "".join(f"{row[0]} | {row[1]} | {name}\n" for row, name in self.rows()))

    def test_comment_lines(self):
        body = "".join(f"# row \"{i}\" of, many, cells\n{row[0]},{row[1]},{name}\n" for i, (row, name) in enumerate(self.rows()))
        self.same_as_plain("# written by \"hand\"\n#\nx,y,class\n" + body)

    def test_a_category_may_start_with_a_number_sign(self):
        path = self.write("c.csv", "".join(f"#{i % 2},{row[0]},{name}\n" for i, (row, name) in enumerate(self.rows())))
        self.assertEqual(self.fit(path)[0]["n"], 20)

    def test_write_table_of_r(self):
        body = "".join(f'"{i + 1}" {row[0]} {row[1]} "{name}"\n' for i, (row, name) in enumerate(self.rows()))
        self.same_as_plain('"x" "y" "class"\n' + body, notes="counts the rows")

    def test_write_csv_of_r(self):
        body = "".join(f'"{i + 1}",{row[0]},{row[1]},"{name}"\n' for i, (row, name) in enumerate(self.rows()))
        self.same_as_plain('"","x","y","class"\n' + body, notes="counts the rows")

    def test_decimal_commas_of_excel(self):
        body = "".join(f"{row[0]};{row[1]};{name}\n".replace(".", ",") for row, name in self.rows())
        self.same_as_plain("x;y;class\n" + body, notes="decimal commas")
        self.same_as_plain("x;y;class\n" + body, "--decimal", "comma")

    def test_excel_may_say_its_separator(self):
        body = "".join(f"{row[0]};{row[1]};{name}\r\n".replace(".", ",") for row, name in self.rows())
        self.same_as_plain("sep=;\r\nx;y;class\r\n" + body, notes="decimal commas")

    def test_a_separator_at_the_end_of_every_line(self):
        self.same_as_plain("x,y,class,\n" + "".join(f"{row[0]},{row[1]},{name},\n" for row, name in self.rows()))

    def test_decimal_commas_without_a_header(self):
        rows = [[a, b, i % 2 + 0.5] for i, ((a, b), _) in enumerate(self.rows())]
        text = "".join(";".join(str(v).replace(".", ",") for v in row) + "\n" for row in rows)
        document, _ = self.fit(self.write("d.csv", text))
        self.assertEqual((document["d"], document["classes"]), (2, ["0.5", "1.5"]))

    def test_decimal_points_can_be_insisted_on(self):
        self.fails(INPUT, "fit", self.write("d.csv", "x;y;class\n1,5;2;a\n2,5;3;b\n"), "-o", "m", "--decimal", "point",
                   says="--decimal comma")

    def test_all_ways_of_writing_nothing_are_missing(self):
        for word in ("", "?", "NA", "N/A", "n/a", "nan", "NaN", "NAN", "null", "NULL", "<NA>", "#N/A"):
            with self.subTest(word):
                lines = [f"{row[0]},{row[1]},{name}" for row, name in self.rows()]
                lines[3] = f"{word},1,a"
                path = self.write("m.csv", "x,y,class\n" + "\n".join(lines) + "\n")
                self.fails(INPUT, "fit", path, "-o", "m", *FIXED, says="a value is missing in row 4, column 'x'")
                self.fit(path, "--missing", "mean")
                self.succeeds("predict", "m.safetensors", path)

    def test_missing_values_of_libsvm_rows(self):
        rows = [f"{name} 1:{row[0]} 2:{row[1]}" for row, name in clouds(24)]
        whole = self.write("whole.svm", "\n".join(rows[:3] + rows[4:7] + rows[8:]) + "\n")
        for word in ("nan", "NaN", "?", "NA", "null"):
            rows[3], rows[7] = f"a 1:{word} 2:1", f"b 2:{word}"
            path = self.write("gaps.svm", "\n".join(rows) + "\n")
            self.fails(INPUT, "fit", path, "-o", "m", *FIXED, says=["gaps.svm:4:2", "a value is missing", "--missing drop"])
        self.assertIn("2 of 24 rows have missing values and were left out", self.fit(path, "--missing", "drop")[1])
        self.fit(whole, "--missing", "drop", name="w.safetensors")
        streamed = ("--machine", "msvr", "--centers", 5, "--missing", "drop")
        self.assertIn("2 of 24 rows", self.fit(path, *streamed, "--stream", name="s.safetensors")[1])
        self.fit(whole, *streamed, "--stream", name="t.safetensors")
        for one, other in (("m", "w"), ("s", "t")):
            lines = self.succeeds("predict", f"{one}.safetensors", path, "--scores").out.split("\n")
            self.assertEqual([lines[4].strip(","), lines[8].strip(",")], ["", ""])
            del lines[8], lines[4]
            self.assertEqual(lines, self.succeeds("predict", f"{other}.safetensors", whole, "--scores").out.split("\n"))
        self.fails(INPUT, "fit", self.write("none.svm", "a 1:?\nb 1:nan\n"), "-o", "m", *FIXED, "--missing", "drop", says="every row has a missing value")

    def test_sodium_is_not_missing(self):
        path = self.write("salt.csv", "".join(f"{('Na', 'K')[i % 2]},{row[0]},{name}\n" for i, (row, name) in enumerate(self.rows())))
        self.assertEqual(self.features(path, "--header", "no"), ["f1=K", "f1=Na", "f2"])

    def test_nan_is_missing_in_arff(self):
        head = "@relation r\n@attribute x numeric\n@attribute k {nan,u}\n@attribute class {a,b}\n@data\n"
        path = self.write("t.arff", head + "1,nan,a\nNaN,u,b\n3,u,a\n4,nan,b\n")
        self.fails(INPUT, "fit", path, "-o", "m", *FIXED, says="a value is missing in row 2, column 'x'")
        self.assertEqual(self.features(path, "--missing", "mean"), ["x", "k=nan", "k=u"])


class Groups(MessyTest):
    """Rows of a patient differ little, and their class is drawn: only folds that tear patients apart can tell it."""

    def setUp(self):
        super().setUp()
        stream = random.Random(3)
        rows = []
        for patient in range(20):
            centre = [stream.uniform(-5, 5) for _ in range(2)]
            name = stream.choice("ab")
            for _ in range(6):
                rows.append(f"p{patient},{centre[0] + stream.gauss(0, 0.01):.4f},{centre[1] + stream.gauss(0, 0.01):.4f},{name}")
        stream.shuffle(rows)
        self.table = self.write("patients.csv", "\n".join(["patient,x,y,class", *rows]) + "\n")

    def error(self, *options):
        return self.succeeds("tune", self.table, "--json", "--quiet", *options).json()["cv"]

    def test_groups_never_straddle_the_folds(self):
        self.assertLess(self.error("--ignore", "patient")["error"], 0.05)
        grouped = self.error("--groups", "patient")
        self.assertGreater(grouped["error"], 0.2)
        self.assertEqual(grouped["folds"], 10)
        for search in ("grid", "halving", "design"):
            self.assertGreater(self.error("--groups", "patient", "--search", search, "--folds", 4)["error"], 0.2, search)
        self.assertGreater(self.error("--groups", "patient", "--folds", "loo")["error"], 0.2)
        self.assertGreater(self.error("--groups", "patient", "--machine", "msvr")["error"], 0.2)
        self.assertGreater(self.error("--groups", "patient", "--stratify", "--repeats", 2)["error"], 0.2)

    def test_groups_of_a_streamed_table_are_those_of_one_in_memory(self):
        lines = ["patient,x,y,class"] + [f"p{i // 5},{row[0]},{row[1]},{name}" for i, (row, name) in enumerate(clouds(100))]
        data = self.write("patients.csv", "\n".join(lines) + "\n")
        for option in (("--groups", "patient"), ("--folds", "column:patient")):
            for stream in ((), ("--stream",)):
                self.succeeds("fit", data, "-o", f"m{len(stream)}", "--machine", "msvr", "--centers", 20, *option, *stream)
            with self.subTest(option):
                self.assertEqual((self.folder / "m0").read_bytes(), (self.folder / "m1").read_bytes())

    def test_groups_never_straddle_nested_folds(self):
        for options in (("--groups", "patient"), ("--folds", "column:patient"), ("--groups", "patient", "--machine", "msvr")):
            document = self.succeeds("tune", self.table, "--json", "--quiet", "--nested", *options).json()
            self.assertGreater(document["nested"]["error"], 0.2, options)

    def test_groups_never_straddle_the_calibration(self):
        """A model that knows patients by heart is sure of nothing on new ones."""
        temperatures = []
        for options in (("--ignore", "patient"), ("--groups", "patient")):
            self.fitted(self.table, "m.safetensors", *FIXED, *options)
            temperatures.append(self.succeeds("inspect", "m.safetensors", "--json").json()["temperature"])
        self.assertGreater(temperatures[1], 2 * temperatures[0])

    def test_groups_never_straddle_a_comparison(self):
        for protocol in ("5x2cv", "cv:4x2", "holdout:0.4"):
            for groups in (("--groups", "patient"), ("--folds", "column:patient")):
                result = self.succeeds("compare", self.table, "--machines", "onelsm,vo-rls-beta", "--protocol", protocol, *groups,
                                       "--json", "--quiet").json()
                for machine in result["sets"][0]["machines"]:
                    self.assertGreater(machine["error"], 0.15, (protocol, groups))

    def test_more_folds_than_groups_are_refused(self):
        self.fails(USAGE, "tune", self.table, "--groups", "patient", "--folds", 21, says="needs as many groups, found 20")
        self.fails(USAGE, "tune", self.table, "--groups", "patient", "--folds", "column:patient", says="leave --groups out")
        self.fails(USAGE, "compare", self.table, "--machines", "onelsm", "--with", "svm-ovo --groups x", says="the same for all machines")


if __name__ == "__main__":
    unittest.main()
