// SPDX-License-Identifier: Apache-2.0
#include "labelbook/labelbook.hpp"

#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/numbers.hpp"
#include "base/worded.hpp"
#include "data/number_table.hpp"
#include "labelbook/codes.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

constexpr std::array kBooks = {
    LabelbookInfo{"indicator", "1 for the own class, 0 elsewhere"},
    LabelbookInfo{"pm1", "+1 for the own class, -1 elsewhere"},
    LabelbookInfo{"alignment", "unit vectors with angles as wide as possible, summing to 0, in L dimensions"},
    LabelbookInfo{"consistency", "1 for the own class, -1/(L-1) elsewhere"},
    LabelbookInfo{"mincorr", "the alignment book rotated into L-1 dimensions (Helmert)"}};

/// a e_c + b 1
Matrix one_per_class(Index L, double a, double b) {
  Matrix book = Matrix::Constant(L, L, b);
  book.diagonal().array() += a;
  return book;
}

/// sqrt(L/(L-1)) times Helmert columns: 1/sqrt(k(k+1)) for rows 0..k-1, -k/sqrt(k(k+1)) for row k, 0 below.
Matrix helmert(Index L) {
  const double radius = std::sqrt(static_cast<double>(L) / static_cast<double>(L - 1));
  Matrix book = Matrix::Zero(L, L - 1);
  for (Index k = 1; k < L; ++k) {
    const double scale = radius / std::sqrt(static_cast<double>(k * (k + 1)));
    book.col(k - 1).head(k).setConstant(scale);
    book(k, k - 1) = -static_cast<double>(k) * scale;
  }
  return book;
}

Matrix built_in(std::string_view name, Index classes) {
  const auto L = static_cast<double>(classes);
  if (name == "indicator") return one_per_class(classes, 1, 0);
  if (name == "pm1") return one_per_class(classes, 2, -1);
  if (name == "alignment") return one_per_class(classes, std::sqrt(L / (L - 1)), -1 / std::sqrt(L * (L - 1)));
  if (name == "consistency") return one_per_class(classes, L / (L - 1), -1 / (L - 1));
  if (name == "mincorr") return helmert(classes);
  return {};
}

std::vector<std::string_view> names_of(std::span<const LabelbookInfo> infos) {
  std::vector<std::string_view> names;
  for (const auto& info : infos) names.push_back(info.name);
  return names;
}

ConfigError unknown_name(const std::string& name) {
  const auto books = names_of(kBooks);
  const auto code_names = names_of(codes());
  auto all = books;
  all.insert(all.end(), code_names.begin(), code_names.end());
  const auto nearest = nearest_word(name, all);
  return ConfigError("labelbook",
                     fmt::format("labelbook '{}' is neither a file nor a known book or code{}", name,
                                 nearest ? fmt::format(" (did you mean '{}'?)", *nearest) : ""),
                     fmt::format("books are {}; codes are {}", fmt::join(books, ", "), fmt::join(code_names, ", ")));
}

}  // namespace

bool Labelbook::centred() const {
  return codewords.colwise().sum().cwiseAbs().maxCoeff() <= 1e-12 * codewords.cwiseAbs().sum();
}

std::span<const LabelbookInfo> labelbooks() { return kBooks; }

Labelbook make_labelbook(const std::string& name_or_path, int classes) {
  if (is_code(name_or_path)) {
    throw ConfigError("labelbook",
                      fmt::format("'{}' is a code, for machines that train one problem per column, and not a labelbook",
                                  name_or_path),
                      fmt::format("books are {}", fmt::join(names_of(kBooks), ", ")));
  }
  return make_labelbook(name_or_path, BookRequest{classes, {}, 1, {}});
}

Labelbook make_labelbook(const std::string& name_or_path, const BookRequest& request) {
  const bool given = request.given.size() > 0;
  if (!given && is_code(name_or_path)) return {name_or_path, make_code(name_or_path, request)};
  Matrix book = given ? Matrix() : built_in(name_or_path, request.classes);
  if (!given && book.size() == 0 && !std::filesystem::exists(name_or_path)) throw unknown_name(name_or_path);
  if (request.length) {
    throw ConfigError(
        "length",
        fmt::format("the length of '{}' is fixed; only random, dense and sparse codes take one", name_or_path),
        "leave `length` out");
  }
  if (book.size() > 0) return {name_or_path, std::move(book)};
  return make_labelbook(given ? request.given : read_number_table(name_or_path), name_or_path, request.classes);
}

Labelbook make_labelbook(Matrix codewords, const std::string& source, int classes) {
  if (codewords.rows() != classes) {
    throw InputError(
        Place{source},
        fmt::format("expected one codeword for each of the {} classes, found {} rows", classes, codewords.rows()),
        "give one in each row", "labelbook");
  }
  if (codewords.cols() < 1 || !codewords.allFinite()) {
    throw InputError(Place{source}, "a labelbook needs at least one column of finite numbers", {}, "labelbook");
  }
  for (Index r = 0; r < codewords.rows(); ++r) {
    for (Index s = 0; s < r; ++s) {
      if (codewords.row(r) == codewords.row(s)) {
        throw InputError(
            Place{source, static_cast<std::size_t>(r + 1), 0},
            worded("codewords `#{}` and `#{}` are equal, so their classes could not be told apart", s + 1, r + 1),
            "change one", "labelbook");
      }
    }
  }
  return {source, std::move(codewords)};
}

}  // namespace manyone
