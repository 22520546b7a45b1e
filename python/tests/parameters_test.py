# SPDX-License-Identifier: Apache-2.0
"""Constructors agree with the core's table of parameters: names, defaults, and which machines take what."""
import inspect
import json

import numpy as np
import pytest

from manyone import OneLSMClassifier, _core, load
from manyone.estimators import ESTIMATORS, estimator_for

TABLE = {parameter["name"]: parameter for parameter in _core.parameters()}
# What only Python has, and what stands for them in the core.
OWN = {"missing", "nominal", "class_weight", "random_state", "n_jobs", "memory", "verbose", "callback"}
# What Python says otherwise, or not in a constructor.
ELSEWHERE = {"lambda", "time", "weights", "groups", "resume", "seed"}


def defaults_of(estimator):
    return {name: parameter.default for name, parameter in list(inspect.signature(estimator.__init__).parameters.items())[1:]}


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_parameter_is_in_the_table_or_pythons_own(estimator):
    assert set(defaults_of(estimator)) - set(TABLE) == OWN


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_defaults_are_those_of_the_table(estimator):
    for name, default in defaults_of(estimator).items():
        if name not in TABLE or name == "machine" or default is None:  # None is what the core does without being told
            continue
        standard = TABLE[name]["default"]
        typed = {"flag": lambda text: text == "true", "count": int}.get(TABLE[name]["type"], str)
        assert default == typed(standard), name


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_constructor_has_what_one_of_its_machines_takes(estimator):
    taken = {name for name, parameter in TABLE.items() if set(parameter["machines"]) & set(estimator.machines)}
    given = set(defaults_of(estimator)) - OWN
    assert given <= taken
    assert taken - given - ELSEWHERE <= ({"machine"} if len(estimator.machines) == 1 else set())


def test_attributes_are_what_was_given():
    for estimator in ESTIMATORS:
        marks = {name: object() for name in defaults_of(estimator)}
        assert vars(estimator(**marks)) == marks


def test_a_subclass_with_a_parameter_of_its_own_is_one():
    class Named(OneLSMClassifier):
        def __init__(self, name="x", *, sigma="auto"):
            super().__init__(sigma=sigma)
            self.name = name

    assert Named("y", sigma=2.0).get_params() == {"name": "y", "sigma": 2.0}


def test_what_the_table_says_of_models_comes_back_with_them(iris, tmp_path):
    model = OneLSMClassifier(kernel="polynomial", degree=2, offset=0.5, ridge=0.5, labelbook="mincorr", label_kernel="gaussian:1", bias=True,
                             scale="standard", decode="argmax").fit(*iris)
    model.save(tmp_path / "model")
    told = json.loads(model._model.description)
    told.update(told["kernel"], kernel=told["kernel"]["name"])
    in_model = {name for name, parameter in TABLE.items() if parameter["in_model"]} - {"sigma"}  # of another kernel
    assert in_model <= set(told)
    again = load(tmp_path / "model").get_params()
    for name in in_model & set(again) - {"search"}:
        assert again[name] == model.get_params()[name], name


@pytest.mark.parametrize("parameters, says", [
    ({"centers": 20, "centers_from": "rows"}, "centers_from must be 'training' or 'all', found 'rows'"),
    ({"solver": "lu"}, "solver must be 'auto', 'direct' or 'cg', found 'lu'"),
    ({"accuracy": "fine"}, "accuracy must be a number from 1e-12 to less than 1, found 'fine'"),
    ({"repeats": 0}, "repeats must be 1 to 10000, found 0"),
    ({"stratify": 1}, "stratify must be True or False, found 1"),
    ({"grid": [(-4, 4)]}, "grid must be a dict"),
    ({"decode": 5}, "decode must be text, found 5"),
])
def test_values_are_checked_in_pythons_words(parameters, says, iris):
    with pytest.raises(ValueError) as raised:
        OneLSMClassifier(**parameters).fit(*iris)
    assert says in str(raised.value)


def test_a_machine_takes_what_the_table_says(iris):
    X, y = iris[0][::5], iris[1][::5]
    for name, value in (("solver", "direct"), ("mkl", "simplex"), ("penalty", "rkhs"), ("label_kernel", "gaussian:1")):
        for estimator in ESTIMATORS:
            for machine in estimator.machines:
                model = estimator_for(machine)
                if name not in model.get_params():
                    continue
                model.set_params(**{name: value, "sigma": 1.0, "ridge": 1.0, **({"centers": 10} if name == "penalty" else {})})
                if machine in TABLE[name]["machines"]:
                    model.fit(X, y)
                else:
                    with pytest.raises(ValueError, match=name):
                        model.fit(X, y)
    assert np.all([TABLE["sigma"]["machines"] == _core.machines()])
