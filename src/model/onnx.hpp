// SPDX-License-Identifier: Apache-2.0
//
// A classifier as an ONNX model: scaling, kernel, expansion, decoder and probabilities as one graph of standard
// operators, so that runtimes in other languages give our scores. Input: `features`, rows x d numbers as the model's
// schema encodes them, not scaled (for a precomputed kernel: the kernel values against the training rows). Outputs:
// `label` (int64 if every class is a whole number, else strings), `scores` and `probabilities`, rows x classes.
#pragma once

#include <string>

#include "model/model.hpp"

namespace manyone {

struct OnnxOptions {
  bool single = false;  ///< float32 instead of float64
  std::string version;  ///< of the program, for the file
};

/// The bytes of the file. Throws ConfigError for a model that an ONNX file cannot hold: over 2 GB, or numbers beyond
/// float32 when that is asked for.
std::string onnx_bytes(const Model& model, const OnnxOptions& options);

/// Every class is a whole number in its plain spelling.
bool has_integer_classes(const Model& model);

}  // namespace manyone
