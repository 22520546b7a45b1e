# SPDX-License-Identifier: Apache-2.0
"""Who hears what: --json, --quiet, --progress and --strict."""
import json

from tool import INPUT, IRIS, SOURCE, USAGE, ToolTest, csv_text, iris_rows


class Talking(ToolTest):
    def setUp(self):
        super().setUp()
        header, rows = iris_rows()
        self.noted = self.write("noted.csv", csv_text(header, [*rows[:100], rows[149]]))  # a class with a single row

    def test_json_is_the_only_thing_on_standard_output(self):
        model = self.fitted()
        for command in (("fit", IRIS, "-o", "n"), ("tune", IRIS), ("predict", model, IRIS), ("evaluate", model, IRIS),
                        ("inspect", model)):
            with self.subTest(command[0]):
                result = self.succeeds(*command, "--json")
                self.assertIsInstance(result.json(), dict)

    def test_text_for_people_goes_to_standard_error_with_json(self):
        for command in (("fit", IRIS, "-o", "n"), ("tune", IRIS), ("evaluate", self.fitted(), IRIS)):
            with self.subTest(command[0]):
                self.assertIn("error", self.succeeds(*command, "--json").err)

    def test_quiet_says_nothing(self):
        model = self.fitted()
        for command in (("fit", IRIS, "-o", "n"), ("tune", IRIS), ("evaluate", model, IRIS), ("predict", model, IRIS, "-o", "out"),
                        ("fit", self.noted, "-o", "n")):
            with self.subTest(command[0]):
                result = self.succeeds(*command, "--quiet")
                self.assertEqual((result.out, result.err), ("", ""))

    def test_quiet_leaves_json_and_errors(self):
        self.assertEqual(self.succeeds("tune", IRIS, "--quiet", "--json").err, "")
        self.fails(INPUT, "fit", "absent.csv", "-o", "n", "--quiet", says="absent.csv")

    def test_progress_lines_are_json(self):
        result = self.succeeds("fit", self.noted, "-o", "n", "--progress", "json", "--quiet")
        events = [json.loads(line) for line in result.err.splitlines()]
        progress = [event for event in events if event["event"] == "progress"]
        notes = [event for event in events if event["event"] == "note"]
        self.assertEqual(len(progress) + len(notes), len(events))
        self.assertIn("single row", notes[0]["message"])
        for event in progress:
            self.assertEqual(set(event), {"event", "task", "done", "total", "seconds", "left", "state"})
        self.assertEqual(progress[0]["done"], 0)
        self.assertEqual(progress[-1]["state"], "finished")
        self.assertEqual(sorted(event["done"] for event in progress), [event["done"] for event in progress])

    def test_an_error_among_json_lines_has_its_parts(self):
        result = self.run_tool("fit", IRIS, "-o", "n", "--repeats", 0, "--progress", "json")
        self.assertEqual(result.code, USAGE)
        parts, line = result.err.splitlines()
        self.assertEqual(json.loads(parts), {
            "event": "error", "fault": "usage", "parameter": "repeats", "expected": "1 to 10000", "found": "0",
            "remedy": "leave it out for 1", "message": "--repeats must be 1 to 10000, found 0; leave it out for 1"})
        self.assertEqual(line, "manyone: --repeats must be 1 to 10000, found 0; leave it out for 1")
        place = self.run_tool("fit", SOURCE / "tests" / "data" / "invalid" / "csv-bad-number.csv", "-o", "n", "--progress=json")
        event = json.loads(place.err.splitlines()[0])
        self.assertEqual((event["fault"], event["parameter"], event["line"], event["column"]), ("input", "nominal", 8, 2))
        self.assertIn("--nominal y", event["remedy"])

    def test_progress_of_prediction(self):
        result = self.succeeds("predict", self.fitted(), IRIS, "--progress", "json")
        events = [json.loads(line) for line in result.err.splitlines()]
        self.assertEqual(events[-1], {**events[-1], "task": "predicting", "done": 1, "total": 1, "state": "finished"})

    def test_no_bar_where_there_is_no_terminal(self):
        self.assertEqual(self.succeeds("fit", IRIS, "-o", "n").err, "")

    def test_strict_turns_a_note_into_an_error(self):
        result = self.fails(INPUT, "fit", self.noted, "-o", "n", "--strict", "--json", "--quiet", says=["single row", "--strict"])
        self.assertEqual(result.out, "")
        self.assertFalse((self.folder / "n").exists())

    def test_strict_without_a_note_changes_nothing(self):
        self.succeeds("fit", IRIS, "-o", "n", "--strict")
