// SPDX-License-Identifier: Apache-2.0
//
// What a user says in a word or in numbers, understood once: how many centres, the kernel on labels, priors of the
// classes. A word that is none of those known stands for numbers that are yet to be given, and is refused where they
// are needed; files are read at the door (value_from_word() in model/parameters.hpp).
#pragma once

#include <optional>
#include <string>

#include "base/matrix.hpp"
#include "machine/centres.hpp"

namespace manyone {

/// The centres of machines that have some: so many, a share of the rows, or rows in the scale of the table. Nothing: as
/// many as suit the table.
struct CentreChoice {
  std::string said = {};
  std::optional<CentreCount> count = {};
  Matrix rows = {};

  CentreChoice() = default;
  CentreChoice(std::string word);  ///< "1000", "5%"
  CentreChoice(const char* word) : CentreChoice(std::string(word)) {}
  CentreChoice(std::string name, Matrix given) : said(std::move(name)), rows(std::move(given)) {}

  bool empty() const { return said.empty(); }
  /// Throws ConfigError unless it is one of these.
  void validate() const;
};

/// The kernel on codewords: their inner products, a Gaussian, or a Gram matrix of the classes (L x L).
struct LabelKernel {
  std::string said = "linear";
  std::optional<double> width = {};
  Matrix gram = {};

  LabelKernel() = default;
  LabelKernel(std::string word);  ///< "linear", "gaussian:2"
  LabelKernel(const char* word) : LabelKernel(std::string(word)) {}
  LabelKernel(std::string name, Matrix given) : said(std::move(name)), gram(std::move(given)) {}

  bool linear() const { return said == "linear"; }
  bool gaussian() const;
};

/// Priors of the classes: all alike, as in the training rows, or a number for each class.
struct ClassPriors {
  std::string said = "uniform";
  Vector numbers = {};

  ClassPriors() = default;
  ClassPriors(std::string word) : said(std::move(word)) {}  ///< "uniform", "data"
  ClassPriors(const char* word) : said(word) {}
  ClassPriors(std::string name, Vector given) : said(std::move(name)), numbers(std::move(given)) {}

  bool uniform() const { return said == "uniform"; }
  bool of_rows() const { return said == "data"; }
};

}  // namespace manyone
