// SPDX-License-Identifier: Apache-2.0
#include "model/cpp_header.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>

#include <fmt/format.h>

#include "base/cpp_source.hpp"
#include "base/numbers.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

constexpr Index kMostFeatures = 100000;  // of a row that is kept on the stack: 800 kB

// Words that are no names of namespaces.
constexpr std::array kReserved = {
    "alignas",   "alignof",   "and",      "and_eq",   "asm",       "auto",      "bitand",   "bitor",   "bool",
    "break",     "case",      "catch",    "char",     "char16_t",  "char32_t",  "char8_t",  "class",   "compl",
    "concept",   "const",     "continue", "co_await", "co_return", "co_yield",  "decltype", "default", "delete",
    "do",        "double",    "else",     "enum",     "explicit",  "export",    "extern",   "false",   "float",
    "for",       "friend",    "goto",     "if",       "inline",    "int",       "long",     "main",    "mutable",
    "namespace", "new",       "noexcept", "not",      "not_eq",    "nullptr",   "operator", "or",      "or_eq",
    "private",   "protected", "public",   "register", "requires",  "return",    "short",    "signed",  "sizeof",
    "static",    "std",       "struct",   "switch",   "template",  "this",      "throw",    "true",    "try",
    "typedef",   "typeid",    "typename", "union",    "unsigned",  "using",     "virtual",  "void",    "volatile",
    "wchar_t",   "while",     "xor",      "xor_eq",   "constexpr", "constinit", "consteval"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A formula of the variable `s` as an expression; what it needs more than once becomes a variable in `lines`.
std::string cpp_formula(const std::vector<Formula::Step>& steps, std::string& lines) {
  using Verb = Formula::Verb;
  std::vector<int> uses(steps.size(), 0);
  for (const Formula::Step& step : steps) {
    ++uses[static_cast<std::size_t>(step.left)];
    if (step.verb == Verb::add || step.verb == Verb::multiply) ++uses[static_cast<std::size_t>(step.right)];
  }
  std::vector<std::string> out{"s"};
  for (std::size_t k = 1; k < steps.size(); ++k) {
    const Formula::Step& step = steps[k];
    const std::string& left = out[static_cast<std::size_t>(step.left)];
    const std::string& right = out[static_cast<std::size_t>(step.right)];
    const std::string number = format_double(step.number);
    switch (step.verb) {
      case Verb::scale: out.push_back(fmt::format("{} * {}", left, number)); break;
      case Verb::shift: out.push_back(fmt::format("({} + {})", left, number)); break;
      case Verb::add: out.push_back(fmt::format("({} + {})", left, right)); break;
      case Verb::multiply: out.push_back(fmt::format("{} * {}", left, right)); break;
      case Verb::root: out.push_back(fmt::format("std::sqrt({})", left)); break;
      case Verb::decay: out.push_back(fmt::format("std::exp(-{} * {})", left, number)); break;
      case Verb::power: out.push_back(fmt::format("std::pow({}, {})", left, step.exponent)); break;
      case Verb::statistic: break;
    }
    if (uses[k] > 1) {
      lines += fmt::format("    const double t{} = {};\n", k, out.back());
      out.back() = fmt::format("t{}", k);
    }
  }
  return out.back();
}

/// What stands between the features and the outputs f.
void write_outputs(CppSource& source, const Expansion& expansion) {
  const Kernel& kernel = expansion.kernel;
  const Features& Z = expansion.centres;
  source.vector("bias", expansion.bias);
  source.body(fmt::format("  double f[{}];\n  for (int k = 0; k < {}; ++k) f[k] = numbers::bias[k];\n",
                          expansion.outputs(), expansion.outputs()));
  if (kernel.entry->linear) {  // only Z'A is needed
    source.matrix("weights", Z.sparse() ? Matrix(Z.csr().transpose() * expansion.coefficients)
                                        : Matrix(Z.dense().transpose() * expansion.coefficients));
    source.body(
        fmt::format("  for (int j = 0; j < feature_count; ++j) {{\n"
                    "    for (int k = 0; k < {}; ++k) f[k] += numbers::weights[j][k] * x[j];\n  }}\n",
                    expansion.outputs()));
    return;
  }
  source.matrix("coefficients", expansion.coefficients);
  std::string value = "x[i]";
  std::string statistic;
  if (!kernel.precomputed()) {
    source.rows("centres", Z.rows(), Z.features(), [&](Index i) { return Z.dense_rows(i, 1); });
    statistic = kernel.radial() ? "    double s = 0;  // squared distance to centre i\n"
                                  "    for (int j = 0; j < feature_count; ++j) {\n"
                                  "      const double gap = x[j] - numbers::centres[i][j];\n"
                                  "      s += gap * gap;\n    }\n"
                                : "    double s = 0;  // inner product with centre i\n"
                                  "    for (int j = 0; j < feature_count; ++j) s += x[j] * numbers::centres[i][j];\n";
    value = cpp_formula(kernel.entry->steps(kernel), statistic);
  }
  source.body(
      fmt::format("  for (int i = 0; i < {}; ++i) {{\n{}    const double value = {};\n"
                  "    for (int k = 0; k < {}; ++k) f[k] += numbers::coefficients[i][k] * value;\n  }}\n",
                  expansion.coefficients.rows(), statistic, value, expansion.outputs()));
}

void write_scaling(CppSource& source, const Scaling& scaling) {
  if (scaling.kind == ScalingKind::none) {
    source.body("  const double* const x = features;\n");
    return;
  }
  source.vector("scaling_offset", scaling.offset);
  source.vector("scaling_factor", scaling.factor);
  source.body(
      "  double x[feature_count];\n  for (int j = 0; j < feature_count; ++j) {\n"
      "    x[j] = (features[j] - numbers::scaling_offset[j]) * numbers::scaling_factor[j];\n  }\n");
}

std::string head(const Model& model, const CppHeaderOptions& options) {
  const bool precomputed = model.expansion.kernel.precomputed();
  return fmt::format(
      "// Written by manyone {0} export --cpp: a {1} model, {2} kernel, decoded by {3}. Needs C++17 and nothing else.\n"
      "//\n"
      "//   const double x[{4}::feature_count] = {{...}};  // {5}\n"
      "//   const int c = {4}::predict(x);\n"
      "//   std::puts({4}::class_names[c]);\n"
      "#ifndef MANYONE_MODEL_{4}\n#define MANYONE_MODEL_{4}\n\n#include <cmath>\n\nnamespace {4} {{\n\n",
      cpp_comment(options.version), cpp_comment(model.machine), model.expansion.kernel.name(),
      model.decoder.entry->name, options.name_space,
      precomputed ? "kernel values against the training rows"
                  : "in the order of feature_names, not scaled; nominal columns as 0/1 features");
}

/// What follows from the scores: the class and its probability, which agree.
std::string tail(const Model& model, const CppHeaderOptions& options) {
  return fmt::format(
      R"(/// The class of a row: the first of those with the largest score.
inline int predict(const double* features) {{
  double s[class_count];
  scores(features, s);
  int best = 0;
  for (int c = 1; c < class_count; ++c) {{
    if (s[c] > s[best]) best = c;
  }}
  return best;
}}

/// Calibrated probabilities, one per class; the largest is that of predict().
inline void probabilities(const double* features, double* out) {{
  double s[class_count];
  scores(features, s);
  double top = s[0];
  for (int c = 1; c < class_count; ++c) top = s[c] > top ? s[c] : top;
  double sum = 0;
  for (int c = 0; c < class_count; ++c) sum += out[c] = std::exp((s[c] - top) / {});
  double largest = 0;
  for (int c = 0; c < class_count; ++c) {{
    out[c] /= sum;
    largest = out[c] > largest ? out[c] : largest;
  }}
  for (int c = 0; c < class_count; ++c) {{
    if (s[c] < top && out[c] == largest) out[c] = std::nextafter(largest, 0.0);
  }}
}}

}}  // namespace {}

#endif
)",
      cpp_number(model.temperature), options.name_space);
}

}  // namespace

std::string cpp_namespace(const std::string& path) {
  std::string out = std::filesystem::path(path).stem().string();
  for (char& c : out) {
    if (!is_letter(c) && !is_digit(c)) c = '_';
  }
  // Names with two underscores in a row belong to the compiler, as do those that start with one.
  out.erase(std::unique(out.begin(), out.end(), [](char a, char b) { return a == '_' && b == '_'; }), out.end());
  if (out.empty() || !is_letter(out.front())) out = out.empty() || out.front() == '_' ? "model" + out : "model_" + out;
  if (std::find(kReserved.begin(), kReserved.end(), out) != kReserved.end()) out += "_model";
  return out;
}

std::string cpp_header(const Model& model, const CppHeaderOptions& options) {
  const Index d = model.expansion.features();
  if (d > kMostFeatures) {
    throw ConfigError("cpp", fmt::format("a C++ header takes up to {} features, this model has {}", kMostFeatures, d),
                      "use `onnx`");
  }
  CppSource source;
  source.count("feature_count", d);
  source.count("class_count", std::ssize(model.classes));
  source.names("class_names", "In the order of predict() and scores().", model.classes);
  source.names("feature_names", "What a row holds.", model.schema.feature_names());
  source.open_numbers();
  write_scaling(source, model.scaling);
  write_outputs(source, model.expansion);
  model.decoder.write_cpp(source);
  source.check_size();
  return head(model, options) + source.text() + tail(model, options);
}

}  // namespace manyone
