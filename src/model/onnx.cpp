// SPDX-License-Identifier: Apache-2.0
#include "model/onnx.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/numbers.hpp"
#include "base/onnx_graph.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

std::string scaled(OnnxGraph& graph, const Scaling& scaling, const std::string& x) {
  if (scaling.kind == ScalingKind::none) return x;
  const std::string moved = graph.node("Sub", {x, graph.row("scaling.offset", scaling.offset)});
  return graph.node("Mul", {moved, graph.row("scaling.factor", scaling.factor)});
}

/// |x|^2 + |z|^2 - 2x'z, one product for all pairs. Rounding may leave a small negative number, which becomes 0.
std::string squared_distances(OnnxGraph& graph, const Features& centres, const std::string& x) {
  const Matrix turned = -2 * centres.dense_rows(0, centres.rows()).transpose();
  const std::string products = graph.node("MatMul", {x, graph.matrix("minus_twice_centres", turned)});
  const std::string norms =
      graph.node("ReduceSumSquare", {x}, {{"axes", std::vector<std::int64_t>{1}}, {"keepdims", std::int64_t{1}}});
  const std::string sum = graph.node("Add", {products, norms});
  const std::string distances =
      graph.node("Add", {sum, graph.row("squared_norms_of_centres", centres.squared_norms())});
  return graph.node("Max", {distances, graph.scalar("no_distance", 0)});
}

/// sum_j (x_j - z_j)^2 row by row: exactly 0 where x is a centre. The square root of the laplacian kernel would make
/// 1e-8 of the 1e-16 that squared_distances() leaves there.
std::string sharp_squared_distances(OnnxGraph& graph, const Features& centres, const std::string& x) {
  const Index m = centres.rows();
  const std::string Z = graph.matrix("centres", centres.dense_rows(0, m));
  OnnxGraph body(graph.real());
  const std::string row = body.input("one_row", {centres.features()});
  body.node("Sub", {Z, row}, {}, "one_difference");
  body.node("ReduceSumSquare", {"one_difference"},
            {{"axes", std::vector<std::int64_t>{1}}, {"keepdims", std::int64_t{0}}}, "one_distance");
  body.output("one_distance", graph.real(), {m});
  return graph.node("Scan", {x}, {{"body", body.message("distances_of_a_row")}, {"num_scan_inputs", std::int64_t{1}}});
}

/// A formula of `statistic`, element by element.
std::string with_steps(OnnxGraph& graph, const std::vector<Formula::Step>& steps, const std::string& statistic) {
  using Verb = Formula::Verb;
  OnnxGraph::Names out{statistic};
  for (std::size_t k = 1; k < steps.size(); ++k) {
    const Formula::Step& step = steps[k];
    const std::string& left = out[static_cast<std::size_t>(step.left)];
    const std::string& right = out[static_cast<std::size_t>(step.right)];
    const auto number = [&](double value) { return graph.scalar(fmt::format("kernel.{}", k), value); };
    switch (step.verb) {
      case Verb::scale: out.push_back(graph.node("Mul", {left, number(step.number)})); break;
      case Verb::shift: out.push_back(graph.node("Add", {left, number(step.number)})); break;
      case Verb::add: out.push_back(graph.node("Add", {left, right})); break;
      case Verb::multiply: out.push_back(graph.node("Mul", {left, right})); break;
      case Verb::root: out.push_back(graph.node("Sqrt", {left})); break;
      case Verb::decay: out.push_back(graph.node("Exp", {graph.node("Mul", {left, number(-step.number)})})); break;
      case Verb::power: out.push_back(graph.node("Pow", {left, number(step.exponent)})); break;
      case Verb::statistic: break;
    }
  }
  return out.back();
}

/// k(x, z) for all centres: rows x m.
std::string kernel_values(OnnxGraph& graph, const Expansion& expansion, const std::string& x) {
  const Kernel& kernel = expansion.kernel;
  const Features& Z = expansion.centres;
  if (kernel.radial()) {
    const std::string squares =
        kernel.entry->sharp ? sharp_squared_distances(graph, Z, x) : squared_distances(graph, Z, x);
    return with_steps(graph, kernel.entry->steps(kernel), squares);
  }
  const Matrix turned = Z.dense_rows(0, Z.rows()).transpose();
  return with_steps(graph, kernel.entry->steps(kernel), graph.node("MatMul", {x, graph.matrix("centres", turned)}));
}

/// f = K(x, Z) A + b. Of a linear kernel only Z'A is kept.
std::string outputs_of(OnnxGraph& graph, const Expansion& expansion, const std::string& x) {
  std::string values = x;
  std::string A;
  if (expansion.kernel.entry->linear) {
    const Features& Z = expansion.centres;
    A = graph.matrix("weights", Z.sparse() ? Matrix(Z.csr().transpose() * expansion.coefficients)
                                           : Matrix(Z.dense().transpose() * expansion.coefficients));
  } else {
    if (!expansion.kernel.precomputed()) values = kernel_values(graph, expansion, x);
    A = graph.matrix("coefficients", expansion.coefficients);
  }
  return graph.node("Add", {graph.node("MatMul", {values, A}), graph.row("bias", expansion.bias)});
}

/// softmax(scores / T); a class whose score is not the largest steps back by one unit in the last place where rounding
/// made its probability the largest: the most probable class is the predicted one.
std::string probabilities_of(OnnxGraph& graph, const std::string& scores, double temperature) {
  const OnnxGraph::Attributes largest = {{"axes", std::vector<std::int64_t>{1}}, {"keepdims", std::int64_t{1}}};
  const OnnxGraph::Attributes over_classes = {{"axis", std::int64_t{1}}};
  const std::string top = graph.node("ReduceMax", {scores}, largest);
  const std::string below = graph.node("Sub", {scores, top});
  const std::string p =
      graph.node("Softmax", {graph.node("Div", {below, graph.scalar("temperature", temperature)})}, over_classes);
  const std::string ties = graph.node(
      "And", {graph.node("Less", {scores, top}), graph.node("Equal", {p, graph.node("ReduceMax", {p}, largest)})});
  const double less = graph.real() == OnnxType::float64 ? 1 - std::numeric_limits<double>::epsilon() / 2
                                                        : 1 - double{std::numeric_limits<float>::epsilon()} / 2;
  return graph.node("Where", {ties, graph.node("Mul", {p, graph.scalar("one_unit_less", less)}), p}, {},
                    "probabilities");
}

void label_of(OnnxGraph& graph, const Model& model, const std::string& scores) {
  const std::string winner = graph.node(
      "ArgMax", {scores}, {{"axis", std::int64_t{1}}, {"keepdims", std::int64_t{0}}});  // the first of equals
  std::string names;
  if (has_integer_classes(model)) {
    std::vector<std::int64_t> numbers;
    for (const std::string& name : model.classes) numbers.push_back(*parse_integer(name));
    names = graph.integers("classes", numbers, {std::ssize(numbers)});
    graph.output("label", OnnxType::int64, {kAnyRows});
  } else {
    names = graph.strings("classes", model.classes);
    graph.output("label", OnnxType::string, {kAnyRows});
  }
  graph.node("Gather", {names, winner}, {}, "label");
}

/// A file of protocol buffers ends at 2 GB.
void check_size(const Model& model, bool single) {
  const Expansion& e = model.expansion;
  const auto m = static_cast<double>(e.coefficients.rows());
  const auto d = static_cast<double>(e.features());
  const auto q = static_cast<double>(e.outputs());
  const double centres = e.kernel.entry->linear ? d * q : e.kernel.precomputed() ? m * q : m * (d + q);
  const double bytes = (centres + static_cast<double>(3 * model.decoder.code.size())) * (single ? 4 : 8);
  constexpr double most = 2e9;
  if (bytes > most) {
    throw ConfigError(
        "onnx",
        fmt::format("an ONNX file holds at most 2 GB, this model needs {}",
                    format_bytes(static_cast<std::uint64_t>(bytes))),
        single ? Words("train with fewer `centers`") : Words("halve it with `float32` or train with fewer `centers`"));
  }
}

OnnxModelText text_of(const Model& model, const std::string& version) {
  const auto json = [](const std::vector<std::string>& names) {
    return nlohmann::json(names).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  const std::string features = json(model.schema.feature_names());
  OnnxModelText out;
  out.producer_version = version;
  out.description = fmt::format(
      "{} with the {} kernel, decoded by {}. Input: rows of the features {} in this order, not scaled{}. Outputs: "
      "label, "
      "scores (one per class, larger = more likely) and probabilities, classes in the order {}.",
      model.machine, model.expansion.kernel.name(), model.decoder.entry->name, features,
      model.expansion.kernel.precomputed() ? ", which are kernel values against the training rows" : "",
      json(model.classes));
  out.properties = {{"machine", model.machine},
                    {"kernel", std::string(model.expansion.kernel.name())},
                    {"decode", std::string(model.decoder.entry->name)},
                    {"features", features},
                    {"classes", json(model.classes)}};
  return out;
}

}  // namespace

bool has_integer_classes(const Model& model) {
  for (const std::string& name : model.classes) {
    const auto number = parse_integer(name);
    if (!number || std::to_string(*number) != name) return false;
  }
  return true;
}

std::string onnx_bytes(const Model& model, const OnnxOptions& options) {
  check_size(model, options.single);
  OnnxGraph graph(options.single ? OnnxType::float32 : OnnxType::float64);
  const auto L = std::ssize(model.classes);
  const std::string features = graph.input("features", {kAnyRows, model.expansion.features()});
  const std::string outputs = outputs_of(graph, model.expansion, scaled(graph, model.scaling, features));
  const std::string scores = graph.node("Identity", {model.decoder.onnx(graph, outputs)}, {}, "scores");
  label_of(graph, model, scores);
  graph.output(scores, graph.real(), {kAnyRows, L});
  graph.output(probabilities_of(graph, scores, model.temperature), graph.real(), {kAnyRows, L});
  return onnx_model_bytes(graph.message("manyone"), text_of(model, options.version));
}

}  // namespace manyone
