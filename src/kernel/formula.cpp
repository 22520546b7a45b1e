// SPDX-License-Identifier: Apache-2.0
#include "kernel/formula.hpp"

#include <functional>
#include <map>

namespace manyone {

Formula decay(const Formula& a) {
  if (a.node_->verb == Formula::Verb::scale) return Formula(Formula::Verb::decay, a.node_->operands, a.node_->number);
  return Formula(Formula::Verb::decay, {a.node_}, 1);
}

std::vector<Formula::Step> Formula::steps() const {
  std::vector<Step> out{Step{}};
  std::map<const Node*, int> places;
  const std::function<int(const Node&)> place = [&](const Node& node) {
    if (node.verb == Verb::statistic) return 0;
    if (const auto known = places.find(&node); known != places.end()) return known->second;
    Step step{node.verb, place(*node.operands.front()), 0, node.number, node.exponent};
    if (node.operands.size() > 1) step.right = place(*node.operands.back());
    out.push_back(step);
    return places[&node] = static_cast<int>(out.size()) - 1;
  };
  place(*node_);
  return out;
}

}  // namespace manyone
