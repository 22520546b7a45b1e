#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A study in Python: tune, test, look at the surface, compare, save.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/06_python.py FOLDER

writes the model wine.safetensors, and the page wine.html where the build can make pages, to FOLDER.
"""
import pathlib
import sys

import numpy as np
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

import manyone

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
X, y = load_wine(return_X_y=True)
X, test_X, y, test_y = train_test_split(X, y, test_size=0.3, random_state=1, stratify=y)

# fit() finds the width and the ridge; nested=True also says what error to expect of rows nobody has seen.
classifier = manyone.OneLSMClassifier(nested=True).fit(X, y)
print(f"sigma {classifier.sigma_:.3g}, ridge {classifier.ridge_:.3g}")
print(f"expected error {classifier.nested_error_:.1%}, found {1 - classifier.score(test_X, test_y):.1%}")

# Every cell that was tried.
best = np.argsort(classifier.cv_surface_["error"])[:3]
for sigma, ridge, error in zip(*(classifier.cv_surface_[name][best] for name in ("sigma", "ridge", "error"))):
    print(f"  sigma {sigma:8.3g}  ridge {ridge:8.3g}  error {error:.1%}")

# Is a support vector machine better? Each is tuned inside every training part.
print(manyone.compare({"wine": (X, y)}, ["onelsm", "svm-ovo"]))

classifier.save(folder / "wine.safetensors")  # manyone predict reads it, too
assert np.array_equal(manyone.load(folder / "wine.safetensors").predict(test_X), classifier.predict(test_X))
manyone.report(classifier, folder / "wine.html")
