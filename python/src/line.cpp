// SPDX-License-Identifier: Apache-2.0
#include "python/src/line.hpp"

#include <cmath>

namespace manyone::python {

namespace {

constexpr double kCopy = 1e-6;      // of the largest coefficient: what quadratic programs of the same rows agree in
constexpr double kRounding = 1e-9;  // of the scores

/// What the decoder holds against the first class where every output is `size` in the direction of the second.
double margin(const Decoder& decoder, const Vector& towards, double size) {
  const Matrix scores = decoder.entry->scores(decoder, size * towards.cwiseSign().transpose());
  return scores(0, 1) - scores(0, 0);
}

/// Losses that add up to something straight, such as the squared one: three times the outputs, three times the margin.
/// Those that bend do so at 0 or 1.
bool straight(const Decoder& decoder, const Vector& towards) {
  const double near = margin(decoder, towards, 1);
  return std::abs(margin(decoder, towards, 3) - 3 * near) <= kRounding * std::abs(near);
}

/// All columns of a code of two classes are the same problem, perhaps with the classes exchanged.
bool copies(const Expansion& expansion, const Vector& towards) {
  const Matrix columns = expansion.coefficients * towards.asDiagonal();
  const Vector biases = expansion.bias.cwiseProduct(towards);
  const double largest = columns.cwiseAbs().maxCoeff();
  return ((columns.colwise() - columns.col(0)).cwiseAbs().maxCoeff() <= kCopy * largest) &&
         (biases.array() - biases[0]).abs().maxCoeff() <= kCopy * (largest + std::abs(biases[0]));
}

}  // namespace

std::optional<Line> line_between_classes(const manyone::Model& model) {
  if (model.classes.size() != 2) return {};
  const Decoder& decoder = model.decoder;
  // From the first class to the second, in the space that the decoder compares in.
  Vector towards = (decoder.code.row(1) - decoder.code.row(0)).transpose();
  if (decoder.fitted()) {
    Line out{decoder.map * towards, decoder.shift.dot(towards)};
    if (decoder.entry->priors) {  // log p_1 - log p_0 - (|z - m_1|^2 - |z - m_0|^2) / 2
      out.shift += decoder.log_priors[1] - decoder.log_priors[0] -
                   (decoder.code.row(1).squaredNorm() - decoder.code.row(0).squaredNorm()) / 2;
    } else {
      out.weights /= 2, out.shift /= 2;
    }
    return out;
  }
  const bool of_classes = decoder.meaning == OutputMeaning::classes;
  if (!decoder.entry->of_scores) {
    towards /= towards.cwiseAbs().sum();  // the mean of the outputs, each turned towards the second class
    const bool single = of_classes || model.expansion.outputs() == 1;
    if (!single && !straight(decoder, towards) && !copies(model.expansion, towards)) return {};
  }
  return Line{of_classes ? Vector(decoder.code * towards) : towards, 0};
}

}  // namespace manyone::python
