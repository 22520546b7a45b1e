// SPDX-License-Identifier: Apache-2.0
//
// Model: a trained classifier as Python holds it, and what is known of how it was fitted. It pickles as the bytes of
// its model file; how it was fitted stays behind.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "python/src/running.hpp"
#include "result/result_json.hpp"

namespace manyone::python {

/// Of a model that was made by fit() in this process.
struct Fitted {
  Dataset table;  ///< without its rows
  Recipe recipe;
  std::optional<Tuning> tuning;
  std::vector<std::string> notes;
  double solve_seconds = 0;
  double seconds = 0;
};

struct Model {
  manyone::Model classifier;
  std::shared_ptr<const Fitted> fitted;

  /// With the interpreter's lock, which is let go while it works.
  static Model fit(const Dataset& data, const py::dict& parameters, bool nested, const RunChoice& choice,
                   const py::object& callback);

  Matrix scores(const Features& rows, int threads) const;
  std::vector<int> predict(const Features& rows, int threads) const;
  /// Arrays sigma, ridge, cost, error and std; None where nothing was tuned.
  py::object surface() const;
  /// The result as `manyone fit --json` prints it. Throws ConfigError when it is not known how it was fitted.
  Json document(const std::string& command) const;

  static void declare(py::module_& module);
};

}  // namespace manyone::python
