# SPDX-License-Identifier: Apache-2.0
"""Every parameter, attribute and method is described, in numpy's style."""
import inspect
import re

import pandas as pd
import pytest

import manyone
from manyone import OneLSMClassifier
from manyone._docs import SECTION, entries
from manyone.estimators import ESTIMATORS

FUNCTIONS = [manyone.compare, manyone.report, manyone.load, manyone.estimator_for]


def sections(text):
    head, *parts = SECTION.split(inspect.cleandoc(text))
    return head, {name: body for name, body in zip(parts[::2], parts[1::2])}


def methods(estimator):
    """Public ones, scikit-learn's own left out."""
    for name, method in inspect.getmembers(estimator, inspect.isroutine):
        if not name.startswith("_") and method.__module__ and method.__module__.startswith("manyone"):
            yield name, method


def check_entries(described, names):
    assert list(described) == list(names)
    for name, entry in described.items():
        head, *body = entry.splitlines()
        assert re.match(rf"{re.escape(name)} : \S", head), head
        assert body and all(line.startswith("    ") or not line for line in body), entry


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_parameter_of_an_estimator_is_described(estimator):
    head, found = sections(estimator.__doc__)
    assert head and list(found) == ["Parameters", "Attributes", "Examples"]
    parameters = list(inspect.signature(estimator.__init__).parameters)[1:]
    check_entries(entries(found["Parameters"]), parameters)
    assert list(inspect.signature(estimator).parameters) == parameters  # what help() and editors show


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_attribute_of_a_fitted_estimator_is_described(estimator, iris):
    fitted = estimator(sigma=1.0, ridge=1.0).fit(pd.DataFrame(iris[0], columns=list("abcd")), iris[1])
    described = entries(sections(estimator.__doc__)[1]["Attributes"])
    check_entries(described, described)
    properties = {name for name, _ in inspect.getmembers(estimator, lambda member: isinstance(member, property))}
    public = {name for name in set(vars(fitted)) | properties if name.endswith("_") and not name.startswith("_")}
    assert public == set(described)


@pytest.mark.parametrize("name, method", [*methods(OneLSMClassifier), *((function.__name__, function) for function in FUNCTIONS)])
def test_every_method_and_function_describes_its_parameters_and_what_it_returns(name, method):
    head, found = sections(method.__doc__)
    assert head.splitlines()[0][-1] in ".?"
    signature = inspect.signature(method)
    parameters = [("**" if one.kind is one.VAR_KEYWORD else "") + name for name, one in signature.parameters.items() if name not in ("self", "cls")]
    described = entries(found["Parameters"]) if "Parameters" in found else {}
    assert list(described) == parameters
    assert ("Returns" in found) == (str(signature.return_annotation) != "None")
