// SPDX-License-Identifier: Apache-2.0
//
// Eigen's matrices are read where they are, and predictions seen as Eigen's:
//     07_eigen
#include <iostream>

#include <manyone/eigen.hpp>
#include <manyone/manyone.hpp>

int main() try {
  Eigen::MatrixXd X(6, 2);
  X << 0, 0, 0, 1, 1, 0, 5, 5, 5, 6, 6, 5;
  const manyone::Table table = manyone::Table::of(manyone::view(X), {"near", "near", "near", "far", "far", "far"});
  const manyone::Classifier classifier = manyone::fit(table, {.sigma = 1.0, .ridge = 0.1}).classifier;
  const manyone::Matrix probabilities = classifier.probabilities(manyone::view(X.bottomRows(2)));
  std::cout << manyone::map(probabilities).rowwise().sum() << "\n";
} catch (const manyone::Error& error) {
  std::cerr << error.what() << "\n";
  return static_cast<int>(error.exit_code());
}
