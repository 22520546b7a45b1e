# SPDX-License-Identifier: Apache-2.0
"""Data frames with categories, text and missing values: encoded as the command line encodes the same table in a file."""
import json
import pickle
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import manyone
from manyone import KernelSVC, OneLSMClassifier
from manyone.estimators import ESTIMATORS

FIXED = {"sigma": 1.0, "ridge": 0.125}


def table(rows=120, gaps=False):
    """Numbers, words, categories that are numbers, truth values; the class depends on all of them."""
    draw = np.random.RandomState(4)
    frame = pd.DataFrame({
        "size": draw.normal(size=rows).round(3),
        "colour": draw.choice(["red", "green", "dark blue"], rows),
        "floor": draw.choice([1, 2, 10], rows),
        "lift": draw.choice([True, False], rows),
        "town": pd.Categorical(draw.choice(["Ulm", "Bern"], rows)),
    })
    score = frame["size"] + (frame["colour"] == "red") + (frame["floor"] == 10) - frame["lift"] + (frame["town"] == "Ulm")
    kind = np.where(score > 1.2, "high", np.where(score > 0.2, "middle", "low"))
    if gaps:
        frame.loc[::11, "size"] = np.nan
        frame.loc[5::13, "colour"] = None
    return frame, pd.Series(kind, name="kind")


def by_command_line(tool, tmp_path, X, y, new, *options):
    X.assign(kind=y).to_csv(tmp_path / "t.csv", index=False)
    new.to_csv(tmp_path / "new.csv", index=False)
    tool("fit", "t.csv", "-o", "m.safetensors", *options)
    return json.loads(tool("predict", "m.safetensors", "new.csv", "--json", "--scores"))


@pytest.mark.parametrize("missing", ["error", "drop", "mean", "indicator"])
def test_a_frame_gives_what_the_command_line_gives_for_its_csv(missing, tool, tmp_path):
    X, y = table(gaps=missing != "error")
    new = X[20:] if missing != "drop" else X.dropna()
    theirs = by_command_line(tool, tmp_path, X, y, new, "--nominal", "floor", "--missing", missing)
    ours = OneLSMClassifier(missing=missing, nominal=["floor"]).fit(X, y)
    assert_array_equal(ours.decision_function(new), theirs["scores"])
    assert_array_equal(ours.predict(new), theirs["labels"])


def test_a_model_with_words_goes_both_ways_between_python_and_the_command_line(tool, tmp_path):
    X, y = table(gaps=True)
    ours = OneLSMClassifier(missing="indicator", nominal=["floor"], **FIXED).fit(X, y)
    ours.save(tmp_path / "ours.safetensors")
    X.to_csv(tmp_path / "new.csv", index=False)
    assert_array_equal(tool("predict", "ours.safetensors", "new.csv").split(), ours.predict(X))
    loaded = manyone.load(tmp_path / "ours.safetensors")
    assert_array_equal(loaded.feature_names_in_, X.columns)
    assert (loaded.n_features_in_, loaded.missing, set(loaded.nominal)) == (5, "indicator", {"colour", "floor", "lift", "town"})
    assert_array_equal(loaded.decision_function(X), ours.decision_function(X))
    assert_array_equal(loaded.fit(X, y).decision_function(X), ours.decision_function(X))


def test_the_features_that_columns_become_are_taken_too(tmp_path):
    X, y = table()
    ours = OneLSMClassifier(**FIXED).fit(X, y)
    names = ours._model.feature_names
    assert names[:4] == ["size", "colour=dark blue", "colour=green", "colour=red"]
    encoded = pd.DataFrame({name: X[name] if name in X else (X[name.split("=")[0]].astype(str) == name.split("=")[1]).astype(float) for name in names})
    assert_array_equal(ours.predict(encoded), ours.predict(X))
    assert_array_equal(ours.predict(encoded.to_numpy()), ours.predict(X))


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_unseen_categories_are_none_of_the_known_and_warned_of_once(estimator):
    X, y = table()
    classifier = estimator(**FIXED).fit(X, y)
    new = X[:10].copy()
    new["colour"] = ["violet", "pink"] + ["red"] * 8
    new["town"] = ["Rome"] * 10
    with pytest.warns(UserWarning, match="none of the known ones: 2 of column 'colour', such as 'violet'; 10 of column 'town'") as told:
        scores = classifier.decision_function(new)
    assert len(told) == 1
    names = classifier._model.feature_names
    rows = np.zeros((1, len(names)))
    rows[0, 0], rows[0, names.index("floor")], rows[0, names.index(f"lift={new['lift'][0]}")] = new["size"][0], new["floor"][0], 1
    assert_array_equal(classifier.decision_function(rows)[0], scores[0])


def test_pandas_own_types():
    X, y = table(gaps=True)
    plain = OneLSMClassifier(missing="mean", nominal=["floor"], **FIXED).fit(X, y).decision_function(X)
    own = X.convert_dtypes()
    own["floor"] = own["floor"].astype("category")  # numbers as categories need no nominal
    own["colour"] = own["colour"].astype("category")
    classifier = OneLSMClassifier(missing="mean", **FIXED).fit(own, y)
    assert_array_equal(classifier.decision_function(own), plain)
    with pytest.raises(ValueError, match="column 'day' holds datetime64"):
        classifier.fit(X.assign(day=pd.Timestamp("2020-01-01")), y)


def test_missing_values_in_arrays(iris):
    X, y = iris[0].copy(), iris[1]
    X[::9, 2] = np.nan
    with pytest.raises(ValueError, match="contains NaN.*missing='mean'"):
        OneLSMClassifier(**FIXED).fit(X, y)
    for missing in ("mean", "indicator", "drop"):
        classifier = OneLSMClassifier(missing=missing, **FIXED).fit(X, y)
        assert classifier._more_tags()["allow_nan"]
        assert classifier.n_features_in_ == 4 and classifier._model.features == (5 if missing == "indicator" else 4)
        assert classifier.score(iris[0], y) > 0.9
    filled = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    assert_array_equal(OneLSMClassifier(missing="mean", **FIXED).fit(X, y).predict(X), OneLSMClassifier(**FIXED).fit(filled, y).predict(filled))
    dropped = OneLSMClassifier(missing="drop").fit(X, y, sample_weight=np.where(y == 1, 2.0, 1.0))
    assert set(dropped.support_) == set(np.flatnonzero(np.arange(150) % 9))
    assert_array_equal(OneLSMClassifier(nominal=[0], **FIXED).fit(iris[0], y)._model.columns[0][1], True)


@pytest.mark.parametrize("frame", [True, False])
def test_rows_that_training_drops_are_predicted_with_means_and_counted(frame, tmp_path):
    X, y = table(rows=200, gaps=True)
    if not frame:
        X = X[["size", "floor"]].to_numpy()
    fitted = OneLSMClassifier(missing="drop", **FIXED).fit(X, y)
    gaps = pd.DataFrame(X).isna().any(axis=1).to_numpy()
    assert set(fitted.support_) == set(np.flatnonzero(~gaps))
    with pytest.warns(UserWarning, match=f"^{gaps.sum()} of 200 rows have missing values") as told:
        labels = fitted.predict(X)
    assert len(told) == 1 and len(labels) == 200
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_array_equal(fitted.predict(X[~gaps]), labels[~gaps])
    # "mean" fills with the means of the rows it was given: with those that were kept, the same.
    means = OneLSMClassifier(missing="mean", **FIXED).fit(X[~gaps], y[~gaps])
    assert_array_equal(labels, means.predict(X))
    fitted.save(tmp_path / "m.safetensors")
    for same in (manyone.load(tmp_path / "m.safetensors"), pickle.loads(pickle.dumps(fitted))):
        with pytest.warns(UserWarning, match="missing='drop'"):
            assert_array_equal(same.predict(X), labels)


def test_a_search_over_ways_with_missing_values_has_no_nan_scores():
    X, y = table(rows=200, gaps=True)
    with pytest.warns(UserWarning, match="rows have missing values"):
        search = GridSearchCV(OneLSMClassifier(**FIXED), {"missing": ["drop", "mean", "indicator"]}, cv=4).fit(X, y)
    assert np.all(search.cv_results_["mean_test_score"] > 0.6)


def test_a_dropping_model_of_the_command_line_has_no_means(tool, tmp_path):
    X, y = table(gaps=True)
    by_command_line(tool, tmp_path, X, y, X.dropna(), "--missing", "drop")
    with pytest.raises(ValueError, match="a value is missing in row 0 of X, column 'size'; fill it in"):
        manyone.load(tmp_path / "m.safetensors").predict(X)


def test_a_frame_inside_the_tools_of_scikit_learn():
    X, y = table(rows=200, gaps=True)
    classifier = OneLSMClassifier(missing="mean", **FIXED)
    assert cross_val_score(classifier, X, y, cv=4).mean() > 0.7
    pipeline = make_pipeline(FunctionTransformer(), KernelSVC(missing="indicator", **FIXED)).fit(X, y)
    assert pipeline.score(X, y) > 0.8
    fitted = classifier.fit(X, y)
    assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(X), fitted.predict(X))


def test_what_a_frame_must_not_hold():
    X, y = table()
    fitted = OneLSMClassifier(**FIXED).fit(X, y)
    for new, says in ((X.drop(columns="size"), "feature names should match"), (X[X.columns[::-1]], "must be in the same order"),
                      (X.assign(size="wide"), "expected a number, found 'wide' in row 0 of X, column 'size'"),
                      (X.assign(size=np.nan), "a value is missing in row 0 of X, column 'size'; .*missing='mean'")):
        with pytest.raises(ValueError, match=says):
            fitted.predict(new)
    words = X.assign(size=X["size"].astype(object))
    words.loc[3, "size"] = "wide"
    for broken, says in ((X.assign(size=np.inf), "inf"), (X.assign(colour=[None] * 120), "use missing='drop' or 'mean' or 'indicator'"),
                         (words, r"nominal=\['size'\] if these are categories"), (X[[]], r"0 feature\(s\)")):
        with pytest.raises(ValueError, match=says):
            OneLSMClassifier(**FIXED).fit(broken, y)
    with pytest.raises(ValueError, match="no column is called 'flor'"):
        OneLSMClassifier(nominal=["flor"]).fit(X, y)
    with pytest.raises(ValueError, match="columns are 0 to 4, found 5"):
        OneLSMClassifier(nominal=[5]).fit(X, y)
    with pytest.raises(TypeError, match="column 'colour' holds dict"):
        OneLSMClassifier().fit(X.assign(colour=[{}] * 120), y)
    for kind, values in (("Decimal", [Decimal("1.5")] * 120), ("Period", pd.period_range("2020-01", periods=120, freq="M"))):
        with pytest.raises(TypeError, match=f"column 'colour' holds {kind}.*make numbers of it .*astype.float.* or categories"):
            OneLSMClassifier().fit(X.assign(colour=values), y)
    with pytest.raises(ValueError, match="sparse rows hold numbers only"):
        OneLSMClassifier(missing="mean").fit(sparse.eye(120, format="csr"), y)
    with pytest.raises(ValueError, match="requires y"):
        OneLSMClassifier().fit(X, None)


def test_compare_takes_frames_as_the_command_line_takes_files(tool, tmp_path):
    X, y = table(gaps=True)
    X.assign(kind=y).to_csv(tmp_path / "t.csv", index=False)
    theirs = json.loads(tool("compare", "t.csv", "--machines", "onelsm,vo-lssvm", "--protocol", "cv:3", "--missing", "mean", "--nominal", "floor", "--json"))
    ours = manyone.compare({"t.csv": (X, y)}, ["onelsm", "vo-lssvm"], protocol="cv:3", missing="mean", nominal=["floor"])
    assert ours.errors == {one["name"]: {m["name"]: m["error"] for m in one["machines"]} for one in theirs["sets"]}


def test_categories_of_any_kind_are_words():
    draw = np.random.RandomState(1)
    frame = pd.DataFrame({"a": draw.normal(size=60), "b": draw.normal(size=60)})
    y = np.where(frame["a"] > 0, "up", "down")
    frame["a"] = pd.cut(frame["a"], 3)
    fitted = OneLSMClassifier(**FIXED).fit(frame, y)
    assert fitted.score(frame, y) > 0.75


def test_columns_that_number_or_name_the_rows_are_warned_of():
    frame = pd.DataFrame({"id": range(60), "x": np.random.RandomState(1).normal(size=60)})
    y = np.where(frame["x"] > 0, "up", "down")
    with pytest.warns(UserWarning, match="column 'id' counts the rows"):
        OneLSMClassifier(**FIXED).fit(frame, y)
    with pytest.warns(UserWarning, match="column 'name' has words of its own"):
        OneLSMClassifier(**FIXED).fit(frame[["x"]].assign(name=[f"n{i}" for i in range(60)]), y)
