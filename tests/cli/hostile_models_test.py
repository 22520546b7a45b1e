# SPDX-License-Identifier: Apache-2.0
"""A model file is data: no text in it reaches a program, a page or a terminal unchecked.

Each text of a sound model is replaced by one that ends a line, a comment or a string; the checksum is made anew.
"""
import json
import shutil
import struct
import subprocess
import time
import zlib

from tool import INPUT, ToolTest

ENDS_A_COMMENT = 'onelsm\nstatic int injected = 1; /* */ "\\'


def parts(bytes_):
    length = struct.unpack("<Q", bytes_[:8])[0]
    return json.loads(bytes_[8:8 + length]), bytes_[8 + length:]


def joined(header, data):
    header["__metadata__"]["checksum"] = "0" * 8
    text = json.dumps(header, separators=(",", ":")).encode()
    whole = struct.pack("<Q", len(text)) + text + data
    return whole.replace(b'"checksum":"00000000"', b'"checksum":"%08x"' % zlib.crc32(whole))


class HostileModels(ToolTest):
    def changed(self, source, change):
        """A copy of a model whose description went through `change`."""
        header, data = parts(source.read_bytes())
        description = json.loads(header["__metadata__"]["model"])
        change(description)
        header["__metadata__"]["model"] = json.dumps(description)
        path = self.folder / "changed.safetensors"
        path.write_bytes(joined(header, data))
        return path

    def test_an_unchanged_copy_is_a_model(self):
        self.succeeds("inspect", self.changed(self.fitted(), lambda description: None))

    def test_every_name_in_a_model_file_is_one_that_this_program_knows(self):
        model = self.fitted()
        places = {
            "machine": lambda d, text: d.update(machine=text),
            "search": lambda d, text: d.update(search=text),
            "weights": lambda d, text: d.update(weights=text),
            "labelbook": lambda d, text: d.update(labelbook=text),
            "label kernel": lambda d, text: d.update(label_kernel=text),
            "decoder": lambda d, text: d.update(decode=text),
            "outputs": lambda d, text: d.update(outputs=text),
            "scaling": lambda d, text: d.update(scaling=text),
            "kernel": lambda d, text: d["kernel"].update(name=text),
            "policy for missing values": lambda d, text: d["schema"].update(missing=text),
            "kind of estimate": lambda d, text: d.update(cv={"folds": 10, "repeats": 1, "error": 0.5, "rows": 150, "kind": text}),
        }
        for what, replace in places.items():
            with self.subTest(what):
                path = self.changed(model, lambda d, replace=replace: replace(d, ENDS_A_COMMENT))
                for command in (("inspect", path), ("export", path, "--cpp", "h.hpp")):
                    self.fails(INPUT, *command, says=[f"its {what} 'onelsm\\x0a", "is not one that this program knows"])
                self.assertFalse((self.folder / "h.hpp").exists())

    def test_numbers_that_no_training_gives_are_refused(self):
        model = self.fitted()
        for change in (lambda d: d.update(trained_rows=-1), lambda d: d.update(trained_rows=1e300), lambda d: d["kernel"].update(degree=1.5),
                       lambda d: d.update(cv={"folds": 1 << 40, "repeats": 1, "error": 0.5, "rows": 150}),
                       lambda d: d.update(cv={"folds": 10, "repeats": 1, "error": 0.5, "rows": 150, "train_rows": -3}), lambda d: d["schema"].update(target_position=-7),
                       lambda d: d.update(classes=["a", "a", "b"]),
                       lambda d: d.update(cv={"folds": 10, "repeats": 1, "error": 7, "rows": 150})):
            self.fails(INPUT, "inspect", self.changed(model, change), says="damaged or not a manyone model")

    def test_a_header_of_many_tensors_is_refused_at_once(self):
        tensor = '{"dtype":"F64","shape":[],"data_offsets":[0,8]}'
        header = "{" + ",".join(f'"{k}":{tensor}' for k in range(100_000)) + "}"
        path = self.folder / "many.safetensors"
        path.write_bytes(struct.pack("<Q", len(header)) + header.encode() + bytes(8))
        start = time.monotonic()
        self.fails(INPUT, "inspect", path, says="too many tensors")
        self.assertLess(time.monotonic() - start, 10)

    def test_a_header_holds_any_class_and_column_name(self):
        compiler = shutil.which("g++") or shutil.which("clang++")
        if compiler is None:
            self.skipTest("no C++ compiler")
        names = ['line\nend', 'quote"s', 'back\\slash\\', '*/ int injected; /*', '??/ ??\'', '\u00e9\u4e2d', '%s%n', ' ']
        columns = [name + " x" for name in names[:2]] + ["*/", "??/"]
        self.fitted()
        for trio in (names[0:3], names[3:6], names[5:8]):
            path = self.changed(self.folder / "m.safetensors", lambda d, trio=trio: (
                d.update(classes=trio), [c.update(name=n) for c, n in zip(d["schema"]["columns"], columns)]))
            self.succeeds("export", path, "--cpp", "h.hpp")
            expected = "".join(f"{name}\0" for name in trio)
            self.write("p.cpp", '#include "h.hpp"\n#include <cstdio>\nint main() {\n'
                       "  for (const char* name : h::class_names) std::fwrite(name, 1, __builtin_strlen(name) + 1, stdout);\n}\n")
            subprocess.run([compiler, "-std=c++17", "-trigraphs", "-Wall", "-Wextra", "-Werror", "p.cpp", "-o", "p"],
                           cwd=self.folder, check=True)
            printed = subprocess.run([self.folder / "p"], check=True, capture_output=True).stdout.decode()
            self.assertEqual(printed, expected)
            self.succeeds("export", path, "--onnx", "m.onnx")
