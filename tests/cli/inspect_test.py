# SPDX-License-Identifier: Apache-2.0
"""manyone inspect, and that a model file is what other readers of safetensors expect."""
import json
import struct

from tool import INPUT, IRIS, VALID, ToolTest


class Inspect(ToolTest):
    def test_json_is_what_was_asked_for(self):
        model = self.fitted(IRIS, "m", "--sigma", 0.3, "--ridge", 0.7, "--labelbook", "mincorr", "--bias", "--scale", "standard")
        document = self.succeeds("inspect", model, "--json").json()
        expected = {"machine": "onelsm", "labelbook": "mincorr", "kernel": {"name": "gaussian", "sigma": 0.3}, "ridge": 0.7,
                    "bias": True, "weights": "uniform", "scale": "standard", "search": "fixed", "cv": None, "n": 150, "d": 4,
                    "centres": 150, "sparse": False, "outputs": 2, "classes": ["setosa", "versicolor", "virginica"],
                    "features": ["sepal-length", "sepal-width", "petal-length", "petal-width"]}
        self.assertEqual({key: document[key] for key in expected}, expected)
        self.assertGreater(document["temperature"], 0)

    def test_text_names_what_is_in_the_file(self):
        self.succeeds("fit", IRIS, "-o", "m", "--quiet")
        out = self.succeeds("inspect", "m").out
        for part in ("onelsm", "indicator labelbook", "gaussian kernel", "tuned, auto search", "150 rows, 4 features", "setosa",
                     "petal-width", "cv error"):
            self.assertIn(part, out)

    def test_nominal_columns_are_spelled_out(self):
        model = self.fitted(VALID / "csv-nominal.csv", "m", "--sigma", 1, "--ridge", 1, "--folds", "loo")
        features = self.succeeds("inspect", model, "--json").json()["features"]
        self.assertTrue(any("colour" in name and "red" in name for name in features), features)

    def test_the_file_is_safetensors(self):
        content = self.fitted().read_bytes()
        length = struct.unpack("<Q", content[:8])[0]
        header = json.loads(content[8:8 + length])
        self.assertEqual(header["__metadata__"]["format"], "manyone")
        data = content[8 + length:]
        end = 0
        for name, entry in sorted(((k, v) for k, v in header.items() if k != "__metadata__"), key=lambda i: i[1]["data_offsets"]):
            begin, stop = entry["data_offsets"]
            self.assertEqual(begin, end, name)
            items = 1
            for size in entry["shape"]:
                items *= size
            self.assertEqual(stop - begin, items * {"F64": 8, "I64": 8, "I32": 4}[entry["dtype"]], name)
            end = stop
        self.assertEqual(end, len(data))
        begin = header["parameters"]["data_offsets"][0]
        self.assertEqual(struct.unpack_from("<3d", data, begin), (1.0, 1.0, 0.125))  # sigma, offset, ridge
        self.assertEqual(header["centres"]["shape"], [150, 4])
        self.assertEqual(header["coefficients"]["shape"], [150, 3])

    def test_a_table_is_not_a_model(self):
        self.fails(INPUT, "inspect", IRIS, says=["iris.csv", "no model"])

    def test_a_file_that_is_not_there(self):
        self.fails(INPUT, "inspect", "absent", says=["absent", "No such file"])

    def test_a_damaged_model_is_refused_whatever_is_damaged(self):
        content = self.fitted().read_bytes()
        length = struct.unpack("<Q", content[:8])[0]
        damaged = self.folder / "damaged"
        for at in (0, 7, 8, 20, length // 2, 8 + length, 8 + length + 100, len(content) - 1):
            with self.subTest(at=at):
                damaged.write_bytes(content[:at] + bytes([content[at] ^ 0x11]) + content[at + 1:])
                self.fails(INPUT, "inspect", damaged, says="damaged")
        for size in (0, 1, 7, 8, 100, 8 + length, len(content) // 2, len(content) - 1):
            with self.subTest(size=size):
                damaged.write_bytes(content[:size])
                self.fails(INPUT, "inspect", damaged, says="damaged")

    def test_a_newer_format_version_says_so(self):
        content = self.fitted().read_bytes()
        (self.folder / "newer").write_bytes(content.replace(b'"version":"1"', b'"version":"2"'))
        self.fails(INPUT, "inspect", "newer", says=["version 2", "newer"])
