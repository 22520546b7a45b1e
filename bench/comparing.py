# SPDX-License-Identifier: Apache-2.0
"""Comparisons and pages: how long a person waits. There is no peer that does the same; the bars are seconds."""
import json

import tables
from programs import TOOL, line, run


def compare_machines(setting):
    """Four machines on glass and vowel by 5x2cv, everything tuned inside."""
    paths = [tables.load(name).write_csv(setting.folder / f"{name}.csv") for name in ("glass", "vowel.train")]
    seconds = setting.ours("compare", *paths, "--machines", "onelsm,vo-lssvm,vo-svm,svm-ovo", median=True).seconds
    return [line("time", seconds, ("<=", 60), "s")]


def report_page(setting):
    """The page of a model of 100000 made-up rows: seconds for the page from its result, and its size."""
    import numpy

    random = numpy.random.default_rng(1)
    labels = random.integers(0, 10, 100_000)
    rows = random.standard_normal((10, 8))[labels] * 2 + random.standard_normal((100_000, 8))
    path = setting.folder / "large.csv"
    numpy.savetxt(path, numpy.column_stack([rows, labels]), fmt=["%.4f"] * 8 + ["%d"], delimiter=",")
    result = setting.folder / "result.json"
    result.write_text(json.dumps(setting.ours_json("fit", path, "-o", setting.folder / "model", "--figures")[1]))
    page = setting.folder / "page.html"
    seconds = run(TOOL, "report", result, "-o", page).seconds
    return [line("time for the page", seconds, ("<=", 2), "s"),
            line("size of the page", page.stat().st_size / 1e6, ("<=", 1.5), "MB")]


BENCHMARKS = [compare_machines, report_page]
