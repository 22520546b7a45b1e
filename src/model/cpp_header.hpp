// SPDX-License-Identifier: Apache-2.0
//
// A classifier as C++ source: one header without dependencies that computes scores and classes with plain loops, its
// numbers written so that a compiler reads the same doubles. For small models inside other programs; large ones go out
// as ONNX.
#pragma once

#include <string>

#include "model/model.hpp"

namespace manyone {

struct CppHeaderOptions {
  std::string name_space;  ///< an identifier; see cpp_namespace()
  std::string version;     ///< of the program, for the first line
};

/// The text of the header. Throws ConfigError for a model of more than 20 MB of text or 100 000 features.
std::string cpp_header(const Model& model, const CppHeaderOptions& options);

/// The name of a file without folder and ending as an identifier: "my-model.hpp" is my_model.
std::string cpp_namespace(const std::string& path);

}  // namespace manyone
