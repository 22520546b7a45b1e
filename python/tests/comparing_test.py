# SPDX-License-Identifier: Apache-2.0
"""compare() and report(): the same as the command line's."""
import json
import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_wine
from sklearn.svm import SVC

import manyone
from manyone import OneLSMClassifier, VectorOutputClassifier


def errors_of(document):
    return {table["name"]: {one["name"]: one["error"] for one in table["machines"]} for table in document["sets"]}


def test_the_command_line_says_the_same(iris_table, tool, source):
    X, y, names = iris_table
    ours = manyone.compare({"iris.csv": (pd.DataFrame(X, columns=names[:-1]), y)}, ["onelsm", "vo-lssvm"], protocol="cv:3")
    theirs = json.loads(tool("compare", source / "data" / "iris.csv", "--machines", "onelsm,vo-lssvm", "--protocol", "cv:3", "--json"))
    assert ours.errors == errors_of(theirs)
    assert ours.pairs == theirs["pairs"]
    assert ours.document["kind"] == "compare"
    assert "onelsm" in str(ours)


def test_estimators_with_parameters_and_several_tables(iris):
    wine = load_wine(return_X_y=True)
    result = manyone.compare({"iris": iris, "wine": wine},
                             {"narrow": OneLSMClassifier(sigma=0.1, ridge=0.1, class_weight="balanced"),
                              "vector": VectorOutputClassifier(sigma=1.0, ridge=0.1, class_weight={0: 2.0})}, protocol="holdout:0.3")
    assert set(result.errors) == {"iris", "wine"}
    assert result.document["ranks"]["names"] == ["narrow", "vector"]
    assert_allclose(result.pairs[0]["difference"], result.errors["iris"]["narrow"] - result.errors["iris"]["vector"])


def test_a_journal_is_gone_on_from(iris, tmp_path):
    journal = tmp_path / "trials.jsonl"
    first = manyone.compare(iris, ["onelsm", "ls-ovo"], protocol="cv:2", journal=journal)
    assert journal.stat().st_size > 0
    again = manyone.compare(iris, ["onelsm", "ls-ovo"], protocol="cv:2", journal=journal)
    assert again.errors == first.errors


@pytest.mark.parametrize("machines, says", [
    (["onelsm", "onelsm"], "there twice"),
    (["onelsm", "svm"], "machine 'svm' is not known"),
    (["onelsm", SVC()], "estimators of manyone"),
    (["onelsm", OneLSMClassifier(kernel="precomputed")], "twice|precomputed"),
    ({"a": OneLSMClassifier(nested=True)}, "nested"),
])
def test_contestants_that_cannot_take_part(machines, says, iris):
    with pytest.raises(ValueError, match=says):
        manyone.compare(iris, machines)


def test_tables_that_cannot_be_compared_on(iris):
    for data, says in (({}, "none"), (iris[0], r"\(X, y\)"), ((iris[0], np.zeros(150)), "one class")):
        with pytest.raises(ValueError, match=says):
            manyone.compare(data, ["onelsm", "ls-ovo"])
    with pytest.raises(ValueError, match="protocol"):
        manyone.compare(iris, ["onelsm", "ls-ovo"], protocol="jackknife")


@pytest.fixture(scope="module")
def families():
    """Rows of a family are almost the same and of one class, families are not: who has seen a sister knows the class."""
    draw = np.random.RandomState(3)
    family = draw.permutation(np.repeat(np.arange(30), 4))
    return draw.normal(size=(30, 3))[family] + 1e-6 * draw.normal(size=(120, 3)), draw.randint(0, 2, 30)[family], family


@pytest.mark.parametrize("protocol", ["5x2cv", "cv:4", "holdout:0.3"])
def test_groups_never_straddle(protocol, families):
    X, y, family = families
    machines = {"narrow": OneLSMClassifier(sigma=0.05, ridge=1e-3), "tuned": OneLSMClassifier(ridge=1e-3)}
    apart = manyone.compare((X, y), machines, protocol=protocol).errors["data"]
    together = manyone.compare((X, y), machines, protocol=protocol, groups=family).errors["data"]
    assert apart["narrow"] < 0.25 and together["narrow"] > 0.3 and together["tuned"] > 0.2


@pytest.mark.parametrize("options, groups, folds", [(["--groups", "family"], True, None), (["--groups", "family", "--folds", "3"], True, 3),
                                                   (["--folds", "column:family"], True, "loo"), (["--folds", "4"], False, 4)])
def test_groups_and_folds_are_those_of_the_command_line(options, groups, folds, families, tool, tmp_path):
    X, y, family = families
    frame = pd.DataFrame(X, columns=list("abc"))
    (frame.assign(family=family) if groups else frame).assign(kind=np.where(y, "up", "down")).to_csv(tmp_path / "t.csv", index=False)
    theirs = json.loads(tool("compare", "t.csv", "--machines", "onelsm,ls-ovo", "--protocol", "cv:3", "--json", *options))
    table = pd.read_csv(tmp_path / "t.csv")
    ours = manyone.compare({"t.csv": (table[list("abc")], table["kind"])}, ["onelsm", "ls-ovo"], protocol="cv:3", groups={"t.csv": family} if groups else None, folds=folds)
    assert ours.errors == errors_of(theirs)
    assert ours.pairs == theirs["pairs"]


def test_groups_of_rows_that_are_dropped_are_dropped(families):
    X, y, family = families
    gaps = X.copy()
    gaps[::7, 1] = np.nan
    kept = np.arange(120) % 7 > 0
    dropped = manyone.compare((gaps, y), ["onelsm", "ls-ovo"], protocol="cv:3", groups=family, missing="drop")
    assert dropped.errors == manyone.compare((X[kept], y[kept]), ["onelsm", "ls-ovo"], protocol="cv:3", groups=family[kept]).errors


def test_groups_and_folds_that_cannot_be_compared_with(iris, families):
    X, y, family = families
    for options, says in (({"groups": np.zeros(120)}, "data: groups must be two at least"), ({"groups": [None] * 120}, "found None in row 0"),
                          ({"groups": family[:5]}, "inconsistent"), ({"groups": {"other": family}}, "no table is called 'other'; tables are data"),
                          ({"groups": family, "folds": 50}, "folds=50 needs as many groups, found 30"), ({"folds": family}, "folds must be a number, 'loo' or None")):
        with pytest.raises(ValueError, match=says):
            manyone.compare((X, y), ["onelsm", "ls-ovo"], **options)
    with pytest.raises(ValueError, match="groups must be a dict by table"):
        manyone.compare({"a": (X, y), "b": iris}, ["onelsm", "ls-ovo"], groups=family)


def test_pages(iris, tmp_path):
    classifier = OneLSMClassifier().fit(*iris)
    manyone.report(classifier, tmp_path / "fit.html")
    manyone.report(OneLSMClassifier(sigma=1.0, ridge=0.1).fit(*iris), tmp_path / "fixed.html")
    comparison = manyone.compare(iris, ["onelsm", "ls-ovo"], protocol="cv:2")
    manyone.report(comparison, tmp_path / "compare.html")
    manyone.report(comparison.document, tmp_path / "again.html")
    (tmp_path / "result.json").write_text(json.dumps(comparison.document))
    manyone.report(tmp_path / "result.json", tmp_path / "file.html")
    for name in ("fit", "fixed", "compare", "again", "file"):
        text = (tmp_path / f"{name}.html").read_text()
        assert text.startswith("<!") and "manyone-result" in text


def test_the_document_of_a_fit_is_that_of_the_command_line(iris_table, tool, source):
    X, y, names = iris_table
    classifier = OneLSMClassifier().fit(pd.DataFrame(X, columns=names[:-1]), pd.Series(y, name=names[-1]))
    ours = json.loads(classifier._model.document("fit"))
    theirs = json.loads(tool("fit", source / "data" / "iris.csv", "-o", "m.safetensors", "--json", "--figures"))
    for key in ("machine", "kernel", "ridge", "cv", "surface", "classes", "n", "d", "temperature", "scale"):
        assert ours[key] == theirs[key], key
    assert ours["held_out"]["confusion"] == theirs["held_out"]["confusion"]
    assert ours["held_out"]["figures"]["projection"] == theirs["held_out"]["figures"]["projection"]


def test_what_cannot_be_a_page(iris, tmp_path):
    with pytest.raises(ValueError):
        manyone.report({"some": "thing"}, tmp_path / "page.html")
    with pytest.raises(FileNotFoundError):
        manyone.report({"some": "thing"}, tmp_path / "no" / "page.html")
    with pytest.raises(ValueError, match="just fitted"):
        manyone.report(pickle.loads(pickle.dumps(OneLSMClassifier().fit(*iris))), tmp_path / "page.html")
