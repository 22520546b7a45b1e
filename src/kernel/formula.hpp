// SPDX-License-Identifier: Apache-2.0
//
// Formula: a function of one number, the statistic of a pair of rows, as a value. A kernel writes its formula once, as
// a template over the type of the statistic: with double it gives kernel values one by one, with Formula the same as a
// list of steps, which backends run over whole blocks and exports write down in other languages.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

namespace manyone {

class Formula {
 public:
  enum class Verb {
    statistic,  ///< what the formula is a function of
    scale,      ///< number * left
    shift,      ///< left + number
    add,        ///< left + right
    multiply,   ///< left * right
    root,       ///< sqrt(left)
    decay,      ///< exp(-number * left), of numbers >= 0
    power,      ///< left^exponent
  };

  /// One step; `left` and `right` are places of earlier steps.
  struct Step {
    Verb verb = Verb::statistic;
    int left = 0;
    int right = 0;
    double number = 0;
    int exponent = 0;
  };

  static Formula statistic() { return Formula(Verb::statistic, {}); }

  friend Formula operator*(const Formula& a, double number) { return Formula(Verb::scale, {a.node_}, number); }
  friend Formula operator+(const Formula& a, double number) { return Formula(Verb::shift, {a.node_}, number); }
  friend Formula operator+(const Formula& a, const Formula& b) { return Formula(Verb::add, {a.node_, b.node_}); }
  friend Formula operator*(const Formula& a, const Formula& b) { return Formula(Verb::multiply, {a.node_, b.node_}); }
  friend Formula root(const Formula& a) { return Formula(Verb::root, {a.node_}); }
  /// A factor of what is taken becomes a part of the step.
  friend Formula decay(const Formula& a);
  friend Formula power(const Formula& a, int exponent) { return Formula(Verb::power, {a.node_}, 0, exponent); }

  /// In the order they are computed, each once; the last is the result, the first is the statistic.
  std::vector<Step> steps() const;

 private:
  struct Node {
    Verb verb;
    std::vector<std::shared_ptr<const Node>> operands;
    double number;
    int exponent;
  };
  Formula(Verb verb, std::vector<std::shared_ptr<const Node>> operands, double number = 0, int exponent = 0)
      : node_(std::make_shared<const Node>(Node{verb, std::move(operands), number, exponent})) {}

  std::shared_ptr<const Node> node_;
};

// The same words for numbers.
inline double root(double x) { return std::sqrt(x); }
inline double decay(double x) { return std::exp(-x); }
inline double power(double x, int exponent) { return std::pow(x, exponent); }

}  // namespace manyone
