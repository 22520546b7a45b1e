# SPDX-License-Identifier: Apache-2.0
"""Model files are shared with the command line, both ways."""
import json

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

import manyone
from manyone import OneLSMClassifier, estimator_for
from manyone.estimators import ESTIMATORS

ALL_MACHINES = [machine for estimator in ESTIMATORS for machine in estimator.machines]
FIXED = {"sigma": 1.0, "ridge": 0.125}


@pytest.mark.parametrize("machine", ALL_MACHINES)
def test_the_command_line_predicts_with_a_model_from_python(machine, iris_table, tool, tmp_path, source):
    X, y, names = iris_table
    frame = pd.DataFrame(X, columns=names[:-1])
    estimator = estimator_for(machine).set_params(**FIXED).fit(frame, pd.Series(y, name=names[-1]))
    estimator.save(tmp_path / "m.safetensors")
    document = json.loads(tool("predict", "m.safetensors", source / "data" / "iris.csv", "--json", "--scores", "--proba"))
    assert_array_equal(document["labels"], estimator.predict(frame))
    assert_array_equal(document["probabilities"], estimator.predict_proba(frame))
    if len(estimator.classes_) > 2:
        assert_array_equal(document["scores"], estimator.decision_function(frame))


@pytest.mark.parametrize("machine", ALL_MACHINES)
def test_python_predicts_with_a_model_of_the_command_line(machine, iris_table, tool, tmp_path, source):
    X, y, names = iris_table
    tool("fit", source / "data" / "iris.csv", "--machine", machine, "--sigma", 1, "--ridge", 0.125, "-o", "m.safetensors")
    estimator = manyone.load(tmp_path / "m.safetensors")
    assert machine in type(estimator).machines and estimator._machine() == machine
    assert_array_equal(estimator.feature_names_in_, names[:-1])
    frame = pd.DataFrame(X, columns=names[:-1])
    document = json.loads(tool("predict", "m.safetensors", source / "data" / "iris.csv", "--json", "--scores"))
    assert_array_equal(document["labels"], estimator.predict(frame))
    assert_array_equal(document["scores"], estimator.decision_function(frame))


def test_a_tuned_fit_is_that_of_the_command_line_bit_for_bit(iris_table, tool, tmp_path, source):
    X, y, names = iris_table
    tool("fit", source / "data" / "iris.csv", "-o", "m.safetensors")
    ours = OneLSMClassifier().fit(pd.DataFrame(X, columns=names[:-1]), pd.Series(y, name=names[-1]))
    theirs = manyone.load(tmp_path / "m.safetensors")
    assert (ours.sigma_, ours.ridge_, ours.cv_error_) == (theirs.sigma_, theirs.ridge_, theirs.cv_error_)
    assert_array_equal(ours.dual_coef_, theirs.dual_coef_)
    assert_array_equal(ours.centers_, theirs.centers_)


@pytest.mark.parametrize("labels, kind", [([3, 1, 2], "i"), (["b", "a", "c"], "U"), ([4.0, 1.0, 2.0], "f")])
def test_labels_survive_a_file(labels, kind, iris, tmp_path):
    X, y = iris
    mine = np.array(labels)[y]
    fitted = OneLSMClassifier(**FIXED).fit(X, mine)
    fitted.save(tmp_path / "m.safetensors")
    loaded = OneLSMClassifier.load(tmp_path / "m.safetensors")
    assert loaded.classes_.dtype.kind == kind
    assert_array_equal(loaded.predict(X), fitted.predict(X))
    assert_array_equal(loaded.decision_function(X), fitted.decision_function(X))


def test_boolean_labels_survive_a_file(two_classes, tmp_path):
    X, y = two_classes
    OneLSMClassifier(**FIXED).fit(X, y == 1).save(tmp_path / "m.safetensors")
    assert_array_equal(manyone.load(tmp_path / "m.safetensors").classes_, [False, True])


def test_a_loaded_estimator_can_be_fitted_again(iris, tmp_path):
    X, y = iris
    first = manyone.KernelSVC("cs", kernel="laplacian", cost=2.0, sigma=1.5).fit(X, y)
    first.save(tmp_path / "m.safetensors")
    loaded = manyone.load(tmp_path / "m.safetensors")
    assert (loaded.machine, loaded.kernel, loaded.sigma, loaded.ridge) == ("cs", "laplacian", 1.5, 0.5)
    assert_array_equal(loaded.fit(X, y).decision_function(X), first.decision_function(X))


def test_the_file_of_another_machine_is_refused(iris, tmp_path):
    OneLSMClassifier(**FIXED).fit(*iris).save(tmp_path / "m.safetensors")
    with pytest.raises(ValueError, match="expected a model of svm-ovo.*found onelsm"):
        manyone.KernelSVC.load(tmp_path / "m.safetensors")


def test_a_given_kernel_survives_a_file(iris, tmp_path):
    X, y = iris
    K = X @ X.T
    fitted = OneLSMClassifier(kernel="precomputed", ridge=1.0).fit(K, y)
    fitted.save(tmp_path / "m.safetensors")
    loaded = manyone.load(tmp_path / "m.safetensors")
    assert loaded.centers_ is None
    assert_array_equal(loaded.decision_function(K), fitted.decision_function(K))


def test_a_model_of_a_table_with_words_takes_its_columns_or_their_features(tool, tmp_path):
    rows = [(size, colour, "big" if (size > 5) != (colour == "red") else "small") for size in range(10) for colour in ("red", "blue", "green")]
    (tmp_path / "t.csv").write_text("size,colour,kind\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    tool("fit", "t.csv", "--sigma", 0.5, "--ridge", 0.01, "-o", "m.safetensors")
    theirs = tool("predict", "m.safetensors", "t.csv").split()
    loaded = manyone.load(tmp_path / "m.safetensors")
    assert (list(loaded.feature_names_in_), loaded.n_features_in_) == (["size", "colour"], 2)
    assert_array_equal(loaded.predict(pd.DataFrame({"size": [a for a, _, _ in rows], "colour": [b for _, b, _ in rows]})), theirs)
    features = pd.DataFrame({name: [float(size) if name == "size" else float(name == f"colour={colour}") for size, colour, _ in rows]
                             for name in loaded._model.feature_names})
    assert features.shape == (30, 4)
    assert_array_equal(loaded.predict(features), theirs)
    assert_array_equal(loaded.predict(features.to_numpy()), theirs)


def test_a_model_without_names_predicts_rows_without_names(iris, tool, tmp_path):
    X, y = iris
    OneLSMClassifier(**FIXED).fit(X, y).save(tmp_path / "m.safetensors")
    np.savetxt(tmp_path / "rows.csv", X, delimiter=",", fmt="%r")
    assert_array_equal([int(name) for name in tool("predict", "m.safetensors", "rows.csv").split()], OneLSMClassifier(**FIXED).fit(X, y).predict(X))
