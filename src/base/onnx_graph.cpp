// SPDX-License-Identifier: Apache-2.0
//
// Numbers of fields are those of onnx.proto.
#include "base/onnx_graph.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "manyone/errors.hpp"

namespace manyone {

namespace {

static_assert(std::endian::native == std::endian::little, "raw tensors of ONNX are little-endian");

// Operators of version 17 go with version 8 of the file format; runtimes since the middle of 2022 take both.
constexpr int kFileVersion = 8;
constexpr int kOperatorVersion = 17;

constexpr std::string_view kRowsName = "rows";

template <class T>
std::string_view raw(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

/// ValueInfoProto of a tensor.
ProtobufMessage value_info(const std::string& name, OnnxType type, const OnnxGraph::Shape& shape) {
  ProtobufMessage dimensions;
  for (const Index size : shape) {
    ProtobufMessage dimension;
    if (size == kAnyRows) {
      dimension.text(2, kRowsName);
    } else {
      dimension.number(1, size);
    }
    dimensions.message(1, dimension);
  }
  const auto tensor = ProtobufMessage().number(1, static_cast<int>(type)).message(2, dimensions);
  return ProtobufMessage().text(1, name).message(2, ProtobufMessage().message(1, tensor));
}

ProtobufMessage attribute_message(const OnnxGraph::Attribute& attribute) {
  constexpr int kInteger = 2;
  constexpr int kGraph = 5;
  constexpr int kIntegers = 7;
  constexpr int kKind = 20;
  ProtobufMessage out;
  out.text(1, attribute.name);
  if (const auto* const integer = std::get_if<std::int64_t>(&attribute.value)) {
    out.number(3, *integer).number(kKind, kInteger);
  } else if (const auto* const graph = std::get_if<ProtobufMessage>(&attribute.value)) {
    out.message(6, *graph).number(kKind, kGraph);
  } else {
    for (const std::int64_t each : std::get<std::vector<std::int64_t>>(attribute.value)) out.number(8, each);
    out.number(kKind, kIntegers);
  }
  return out;
}

}  // namespace

std::string OnnxGraph::input(std::string name, const Shape& shape) {
  inputs_.push_back(value_info(name, real_, shape));
  return name;
}

void OnnxGraph::output(const std::string& name, OnnxType type, const Shape& shape) {
  outputs_.push_back(value_info(name, type, shape));
}

std::string OnnxGraph::tensor(std::string name, OnnxType type, const Shape& shape, std::string_view bytes) {
  ProtobufMessage out;
  for (const Index size : shape) out.number(1, size);
  tensors_.push_back(out.number(2, static_cast<int>(type)).text(8, name).text(9, bytes));
  return name;
}

std::string OnnxGraph::real_tensor(std::string name, const Shape& shape, std::span<const double> values) {
  if (real_ == OnnxType::float64) return tensor(std::move(name), real_, shape, raw(values));
  std::vector<float> narrow(values.begin(), values.end());
  for (const float value : narrow) {
    if (!std::isfinite(value)) {
      throw ConfigError("float32", "a number of the model is beyond the largest float32", "leave `float32` out");
    }
  }
  return tensor(std::move(name), real_, shape, raw(std::span<const float>(narrow)));
}

std::string OnnxGraph::matrix(std::string name, const Matrix& values) {
  return real_tensor(std::move(name), {values.rows(), values.cols()},
                     {values.data(), static_cast<std::size_t>(values.size())});
}

std::string OnnxGraph::row(std::string name, const Vector& values) {
  return real_tensor(std::move(name), {values.size()}, {values.data(), static_cast<std::size_t>(values.size())});
}

std::string OnnxGraph::scalar(std::string name, double value) {
  return real_tensor(std::move(name), {}, std::span(&value, 1));
}

std::string OnnxGraph::integers(std::string name, const std::vector<std::int64_t>& values, const Shape& shape) {
  return tensor(std::move(name), OnnxType::int64, shape, raw(std::span(values)));
}

std::string OnnxGraph::strings(std::string name, const std::vector<std::string>& values) {
  ProtobufMessage out;
  out.number(1, std::ssize(values)).number(2, static_cast<int>(OnnxType::string));
  for (const std::string& value : values) out.text(6, value);
  tensors_.push_back(out.text(8, name));
  return name;
}

std::string OnnxGraph::node(const std::string& op, const Names& inputs, const Attributes& attributes,
                            std::string output) {
  if (output.empty()) output = fmt::format("{}_{}", op, nodes_.size());
  ProtobufMessage out;
  for (const std::string& name : inputs) out.text(1, name);
  out.text(2, output).text(3, output).text(4, op);
  for (const Attribute& attribute : attributes) out.message(5, attribute_message(attribute));
  nodes_.push_back(std::move(out));
  return output;
}

ProtobufMessage OnnxGraph::message(const std::string& name) const {
  ProtobufMessage out;
  for (const auto& node : nodes_) out.message(1, node);
  out.text(2, name);
  for (const auto& constant : tensors_) out.message(5, constant);
  for (const auto& each : inputs_) out.message(11, each);
  for (const auto& each : outputs_) out.message(12, each);
  return out;
}

std::string onnx_model_bytes(const ProtobufMessage& graph, const OnnxModelText& text) {
  ProtobufMessage out;
  out.number(1, kFileVersion).text(2, "manyone").text(3, text.producer_version).text(6, text.description);
  out.message(7, graph);
  out.message(8, ProtobufMessage().text(1, "").number(2, kOperatorVersion));
  for (const auto& [key, value] : text.properties) out.message(14, ProtobufMessage().text(1, key).text(2, value));
  return out.bytes();
}

}  // namespace manyone
