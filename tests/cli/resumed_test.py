# SPDX-License-Identifier: Apache-2.0
"""A search that was stopped and continued gives the model of one that was not, to the last bit; and a journal is
believed only where a search can have written it."""
from tool import INPUT, ToolTest, noise_table

GRID = ("--search", "grid", "--grid", "sigma=-1:2,ridge=-3:1", "--quiet")
MACHINES = ("svm-ovo", "svm-ova", "svm-ecoc", "ww", "cs", "llw", "vo-svm", "onelsm", "vo-lssvm", "vo-rls-f", "sbc-identity", "msvr")


class Resumed(ToolTest):
    def test_a_resumed_model_has_the_bytes_of_an_uninterrupted_one(self):
        data = self.write("s.csv", noise_table(120, 5, 3))
        for machine in MACHINES:
            grid = GRID if machine != "sbc-identity" else ("--search", "grid", "--grid", "sigma=0:1,ridge=-2:0", "--quiet")
            fit = ("fit", data, "--machine", machine, *grid)
            self.succeeds(*fit, "-o", "plain")
            expected = (self.folder / "plain").read_bytes()
            self.succeeds(*fit, "-o", "whole", "--resume", "journal")
            self.assertEqual((self.folder / "whole").read_bytes(), expected, machine)
            lines = (self.folder / "journal").read_text().splitlines(keepends=True)
            for kept in (1, 3, len(lines) // 2, len(lines) - 1, len(lines)):
                with self.subTest(f"{machine}, {kept} lines"):
                    self.write("part", "".join(lines[:kept]))
                    self.succeeds(*fit, "-o", "resumed", "--resume", "part")
                    self.assertEqual((self.folder / "resumed").read_bytes(), expected)
            (self.folder / "journal").unlink()

    def test_a_journal_changes_no_byte_when_the_chosen_cell_is_not_the_best(self):
        """Classes that cannot be told apart: many cells are within a standard error of the best."""
        for rows, columns, classes in ((60, 3, 4), (60, 5, 3), (90, 2, 4), (200, 2, 4)):
            data = self.write("s.csv", noise_table(rows, columns, classes))
            fit = ("fit", data, "--machine", "svm-ovo", "--search", "grid", "--grid", "sigma=-1:2,ridge=-3:1", "--quiet")
            self.succeeds(*fit, "-o", "plain")
            self.succeeds(*fit, "-o", "whole", "--resume", f"journal-{rows}-{columns}")
            self.assertEqual((self.folder / "whole").read_bytes(), (self.folder / "plain").read_bytes())

    def test_a_resumed_automatic_search_gives_the_same_bytes(self):
        data = self.write("s.csv", noise_table(150, 5, 3))
        for machine in ("svm-ovo", "ww", "onelsm"):
            fit = ("fit", data, "--machine", machine, "--quiet")
            self.succeeds(*fit, "-o", "whole", "--resume", "journal")
            lines = (self.folder / "journal").read_text().splitlines(keepends=True)
            for kept in (2, len(lines) // 2, len(lines)):
                with self.subTest(f"{machine}, {kept} lines"):
                    self.write("part", "".join(lines[:kept]))
                    self.succeeds(*fit, "-o", "resumed", "--resume", "part")
                    self.assertEqual((self.folder / "resumed").read_bytes(), (self.folder / "whole").read_bytes())
            (self.folder / "journal").unlink()

    def test_cells_that_no_search_can_have_scored_are_damage(self):
        data = self.write("s.csv", noise_table(40, 3, 2))
        tune = ("tune", data, "--search", "grid", "--grid", "sigma=0:1,ridge=-1:0")
        self.succeeds(*tune, "--resume", "journal")
        lines = (self.folder / "journal").read_text().splitlines(keepends=True)
        for field, value in (("error", "-inf"), ("error", "nan"), ("error", "-0.25"), ("error", "1.5"), ("error", "inf"), ("sigma", "0"),
                             ("sigma", "-1"), ("sigma", "inf"), ("ridge", "nan"), ("ridge", "-2"), ("loss", "nan"), ("loss", "inf"),
                             ("loss", "-3")):
            with self.subTest(f"{field} {value}"):
                old = lines[2].split(f'"{field}":"')[1].split('"')[0]
                damaged = lines[2].replace(f'"{field}":"{old}"', f'"{field}":"{value}"')
                self.assertNotEqual(damaged, lines[2])
                self.write("damaged", "".join([*lines[:2], damaged, *lines[3:]]))
                self.fails(INPUT, *tune, "--resume", "damaged", says=["damaged:3: ", "the line is damaged"])
        for std in ('"-1"', '"inf"', '"nan"'):
            self.write("damaged", "".join([*lines[:2], lines[2].replace('"std":null', f'"std":{std}'), *lines[3:]]))
            self.fails(INPUT, *tune, "--resume", "damaged", says="damaged:3: ")
        self.write("damaged", "".join([*lines[:2], lines[2].replace("}\n", ',"unfinished":18446744073709551615}\n'), *lines[3:]]))
        self.fails(INPUT, *tune, "--resume", "damaged", says="damaged:3: ")
