// SPDX-License-Identifier: Apache-2.0
//
// OnnxGraph: nodes, constants, inputs and outputs of an ONNX graph, written as protocol buffers. Values are known by
// their names; every constant and node gives the name of what it makes, to be used by the nodes after it. What is
// computed is model/onnx's business.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/matrix.hpp"
#include "base/protobuf.hpp"

namespace manyone {

/// Types of elements, with their numbers in ONNX.
enum class OnnxType : int { float32 = 1, int64 = 7, string = 8, float64 = 11 };

/// A dimension that every call may choose.
inline constexpr Index kAnyRows = -1;

class OnnxGraph {
 public:
  using Shape = std::vector<Index>;
  using Names = std::vector<std::string>;
  struct Attribute {
    std::string name;
    std::variant<std::int64_t, std::vector<std::int64_t>, ProtobufMessage> value;  ///< the last: a graph
  };
  using Attributes = std::vector<Attribute>;

  /// `real`: the type of all constants that are not whole numbers, float32 or float64.
  explicit OnnxGraph(OnnxType real) : real_(real) {}
  OnnxType real() const { return real_; }

  std::string input(std::string name, const Shape& shape);
  void output(const std::string& name, OnnxType type, const Shape& shape);

  /// Constants. Throw ConfigError for a number that float32 cannot hold.
  std::string matrix(std::string name, const Matrix& values);
  std::string row(std::string name, const Vector& values);
  std::string scalar(std::string name, double value);
  std::string integers(std::string name, const std::vector<std::int64_t>& values, const Shape& shape);
  std::string strings(std::string name, const std::vector<std::string>& values);

  /// The first (mostly the only) output of a new node, called `output` or after the operator and a number.
  std::string node(const std::string& op, const Names& inputs, const Attributes& attributes = {},
                   std::string output = "");

  /// The GraphProto.
  ProtobufMessage message(const std::string& name) const;

 private:
  std::string real_tensor(std::string name, const Shape& shape, std::span<const double> values);
  std::string tensor(std::string name, OnnxType type, const Shape& shape, std::string_view raw);

  OnnxType real_;
  std::vector<ProtobufMessage> nodes_;
  std::vector<ProtobufMessage> tensors_;
  std::vector<ProtobufMessage> inputs_;
  std::vector<ProtobufMessage> outputs_;
};

/// The ModelProto around a graph: version of the operators, who made it, and texts for whoever looks inside.
struct OnnxModelText {
  std::string producer_version;
  std::string description;
  std::vector<std::pair<std::string, std::string>> properties;
};
std::string onnx_model_bytes(const ProtobufMessage& graph, const OnnxModelText& text);

}  // namespace manyone
