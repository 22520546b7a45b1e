// SPDX-License-Identifier: Apache-2.0
#include "manyone/decoder/decoder.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manyone/base/errors.hpp"
#include "manyone/base/names.hpp"

namespace manyone {

namespace {

constexpr std::array kDecoders = {
    DecodeInfo{DecodeKind::argmax, "argmax", "the class of the largest score"},
    DecodeInfo{DecodeKind::hamming, "hamming", "the codeword with the fewest signs that differ"},
    DecodeInfo{DecodeKind::loss_square, "loss:square", "the codeword of the smallest sum of (1 - m f)^2"},
    DecodeInfo{DecodeKind::loss_hinge, "loss:hinge", "the codeword of the smallest sum of max(0, 1 - m f)"},
    DecodeInfo{DecodeKind::loss_linear, "loss:linear", "the codeword of the smallest sum of -m f"},
    DecodeInfo{DecodeKind::loss_exponential, "loss:exponential", "the codeword of the smallest sum of exp(-m f)"},
    DecodeInfo{DecodeKind::votes, "votes", "the class that wins most pairs, ties by the sum of pair values"},
    DecodeInfo{DecodeKind::votes_first, "votes:first",
               "the class that wins most pairs, ties to the first class (LIBSVM's rule)"},
    DecodeInfo{DecodeKind::dag, "dag", "pairs drop one class after the other"},
    DecodeInfo{DecodeKind::flda, "flda", "the class of the nearest mean in the metric of Fisher's discriminant"},
    DecodeInfo{DecodeKind::ssvm, "ssvm", "votes of a smooth SVM for each pair of classes"}};

bool decodes_pairs(DecodeKind kind) {
  return kind == DecodeKind::votes || kind == DecodeKind::votes_first || kind == DecodeKind::dag;
}

double loss_of(DecodeKind kind, double z) {
  switch (kind) {
    case DecodeKind::hamming: return z > 0 ? 0 : z < 0 ? 1 : 0.5;
    case DecodeKind::loss_square: return (1 - z) * (1 - z);
    case DecodeKind::loss_hinge: return std::max(0.0, 1 - z);
    case DecodeKind::loss_exponential: return std::exp(-z);
    default: return -z;
  }
}

/// s_c = -sum_k loss(M_ck f_k)
Matrix loss_scores(DecodeKind kind, const Matrix& f, const Matrix& code) {
  Matrix s = Matrix::Zero(f.rows(), code.rows());
  for (Index i = 0; i < f.rows(); ++i) {
    for (Index c = 0; c < code.rows(); ++c) {
      for (Index k = 0; k < code.cols(); ++k) s(i, c) -= loss_of(kind, code(c, k) * f(i, k));
    }
  }
  return s;
}

/// s_c = votes + 1/2 m_c / (1 + max |m|) with m_c the sum of the signed values of the pairs of c; without
/// `break_ties` the votes alone.
Matrix vote_scores(const Matrix& f, const std::vector<ClassPair>& pairs, Index L, bool break_ties) {
  constexpr Index side = 8;  // rows counted side by side
  using Lanes = Eigen::Array<double, 1, side>;
  Matrix s(f.rows(), L);
  Eigen::Array<double, Eigen::Dynamic, side, Eigen::RowMajor> votes(L, side);
  Eigen::Array<double, Eigen::Dynamic, side, Eigen::RowMajor> sums(L, side);
  for (Index i = 0; i < f.rows(); i += side) {
    const Index rows = std::min(side, f.rows() - i);
    votes.setZero();
    sums.setZero();
    Lanes v = Lanes::Zero();
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      for (Index r = 0; r < rows; ++r) v[r] = f(i + r, static_cast<Index>(k));
      const Lanes won = (v > 0).cast<double>();
      votes.row(pairs[k].first) += won;
      votes.row(pairs[k].second) += 1 - won;
      sums.row(pairs[k].first) += v;
      sums.row(pairs[k].second) -= v;
    }
    if (break_ties) votes += sums.rowwise() / (2 * (1 + sums.abs().colwise().maxCoeff()));
    s.middleRows(i, rows) = votes.leftCols(rows).matrix().transpose();
  }
  return s;
}

/// The class dropped in step t has score t, the one that is left L - 1.
Matrix dag_scores(const Matrix& f, const std::vector<ClassPair>& pairs, Index L) {
  Eigen::MatrixXi column = Eigen::MatrixXi::Zero(L, L);
  for (std::size_t k = 0; k < pairs.size(); ++k) column(pairs[k].first, pairs[k].second) = static_cast<int>(k);
  const auto value = [&](Index i, Index a, Index b) {
    const int k = column(a, b);
    const ClassPair& pair = pairs[static_cast<std::size_t>(k)];
    return pair.first == a && pair.second == b ? f(i, k) : -f(i, column(b, a));
  };
  Matrix s(f.rows(), L);
  for (Index i = 0; i < f.rows(); ++i) {
    Index low = 0;
    Index high = L - 1;
    for (Index step = 0; step < L - 1; ++step)
      s(i, value(i, low, high) > 0 ? high-- : low++) = static_cast<double>(step);
    s(i, low) = static_cast<double>(L - 1);
  }
  return s;
}

/// s_c = log prior_c - |z - m_c|^2 / 2
Matrix nearness_scores(const Matrix& z, const Matrix& means, const Vector& log_priors) {
  Matrix s(z.rows(), means.rows());
  for (Index c = 0; c < means.rows(); ++c) {
    s.col(c) = log_priors[c] - (z.rowwise() - means.row(c)).rowwise().squaredNorm().array() / 2;
  }
  return s;
}

/// What the log loss of held-out rows depends on.
struct LossRows {
  Matrix below;       ///< how far each score is below the largest of its row
  double wanted = 0;  ///< mean of that for the true classes
  double spread = 0;  ///< mean over rows of the largest of it
};

LossRows loss_rows(ConstView scores, std::span<const int> labels) {
  std::vector<Index> learned;
  for (Index i = 0; i < scores.rows(); ++i) {
    if (!never_predicted(scores(i, labels[static_cast<std::size_t>(i)]))) learned.push_back(i);
  }
  LossRows out;
  out.below = scores(learned, Eigen::all);
  out.below.colwise() -= Vector(out.below.rowwise().maxCoeff());
  const double n = static_cast<double>(learned.size());
  double runners_up = 0;
  for (std::size_t k = 0; k < learned.size(); ++k) {
    const int label = labels[static_cast<std::size_t>(learned[k])];
    double lowest = 0;
    double runner_up = kNeverPredicted;
    for (Index c = 0; c < out.below.cols(); ++c) {
      const double s = out.below(static_cast<Index>(k), c);
      if (never_predicted(s)) continue;
      lowest = std::min(lowest, s);
      if (c != label) runner_up = std::max(runner_up, s);
    }
    out.wanted += out.below(static_cast<Index>(k), label) / n;
    out.spread -= lowest / n;
    if (!never_predicted(runner_up)) runners_up += runner_up / n;
  }
  if (out.wanted == 0) out.wanted = runners_up / (n + 2);
  return out;
}

/// Derivatives of the mean log loss in b = 1/T: E[mean_p(s) - s_y] and E[var_p(s)].
struct Slope {
  double first = 0;
  double second = 0;
};

Slope slope_at(const LossRows& rows, double b) {
  const Matrix& below = rows.below;
  const Matrix weights = (b * below.array()).exp();
  Slope slope;
  for (Index i = 0; i < below.rows(); ++i) {
    double total = 0;
    double mean = 0;
    double square = 0;
    for (Index c = 0; c < below.cols(); ++c) {
      const double s = below(i, c);
      total += weights(i, c);
      mean += weights(i, c) * s;
      square += weights(i, c) * s * s;
    }
    mean /= total;
    slope.first += mean;
    slope.second += square / total - mean * mean;
  }
  const double n = static_cast<double>(below.rows());
  return {slope.first / n - rows.wanted, slope.second / n};
}

}  // namespace

std::vector<ClassPair> class_pairs(const Matrix& code) {
  const Index L = code.rows();
  std::vector<ClassPair> out;
  if (code.cols() != L * (L - 1) / 2) return {};
  Matrix seen = Matrix::Zero(L, L);
  for (Index k = 0; k < code.cols(); ++k) {
    ClassPair pair;
    if (code.col(k).maxCoeff(&pair.first) != 1 || code.col(k).minCoeff(&pair.second) != -1 ||
        code.col(k).cwiseAbs().sum() != 2)
      return {};
    seen(pair.first, pair.second) += 1;
    seen(pair.second, pair.first) += 1;
    out.push_back(pair);
  }
  for (Index a = 0; a < L; ++a) {
    for (Index b = 0; b < a; ++b) {
      if (seen(a, b) != 1) return {};
    }
  }
  return out;
}

std::span<const DecodeInfo> decoders() { return kDecoders; }

std::string_view name_of(DecodeKind kind) { return name_of_kind(decoders(), kind); }

DecodeKind decode_from_name(std::string_view name) {
  if (name == "loss") return DecodeKind::loss_square;
  return named(decoders(), name, "decoder").kind;
}

Matrix Decoder::scores(Matrix outputs) const {
  if (meaning == OutputMeaning::classes) outputs = outputs * code;
  if (fitted()) outputs = ((outputs * map).rowwise() + shift.transpose()).eval();
  switch (kind) {
    case DecodeKind::argmax: return code.isIdentity(0) ? std::move(outputs) : Matrix(outputs * code.transpose());
    case DecodeKind::flda: return nearness_scores(outputs, code, log_priors);
    case DecodeKind::ssvm:
    case DecodeKind::votes: return vote_scores(outputs, class_pairs(code), code.rows(), true);
    case DecodeKind::votes_first: return vote_scores(outputs, class_pairs(code), code.rows(), false);
    case DecodeKind::dag: return dag_scores(outputs, class_pairs(code), code.rows());
    default: return loss_scores(kind, outputs, code);
  }
}

bool Decoder::fits(Index outputs) const {
  if (!fitted()) return outputs == (meaning == OutputMeaning::classes ? code.rows() : code.cols());
  const bool mapped = meaning == OutputMeaning::scores && map.rows() == outputs && map.cols() == code.cols() &&
                      shift.size() == code.cols() && map.allFinite() && shift.allFinite();
  if (kind == DecodeKind::ssvm) return mapped && !class_pairs(code).empty();
  return mapped && log_priors.size() == code.rows() && log_priors.allFinite();
}

Decoder make_decoder(const MachineEntry& machine, OutputCode outputs, std::optional<DecodeKind> asked) {
  const bool scores = outputs.meaning == OutputMeaning::scores;
  const bool pairs = !class_pairs(outputs.code).empty() && outputs.meaning == OutputMeaning::columns;
  const auto usual = [&] {
    if (scores) return DecodeKind::argmax;
    const DecodeKind of_columns = decode_from_name(machine.usual_decoder);
    return pairs && !decodes_pairs(of_columns) ? DecodeKind::votes : of_columns;
  };
  const DecodeKind kind = asked ? *asked : usual();
  if (Decoder::is_fitted(kind)) {
    throw ConfigError(fmt::format("--decode {} is fitted to the outputs of a regression: it goes with --machine {}",
                                  name_of(kind), machines_with(&MachineEntry::fitted_decoder)));
  }
  if (decodes_pairs(kind) && !pairs) {
    throw ConfigError(fmt::format(
        "--decode {} needs one output for each pair of classes; it goes with ls-ovo and svm-ovo, not with {}",
        name_of(kind), machine.name));
  }
  const bool coded = (outputs.code.array().abs() == 1).all();
  if (scores && kind != DecodeKind::argmax && !(coded && machine.decodes_books)) {
    throw ConfigError(
        fmt::format("--decode {} compares outputs with a code of -1 and 1, which {} with this labelbook does "
                    "not have; use --decode argmax, or --machine ls-ecoc with a code such as dense",
                    name_of(kind), machine.name));
  }
  if (!scores && kind == DecodeKind::argmax) {
    throw ConfigError(fmt::format("{} has one output per column of its code, not per class; use --decode {}",
                                  machine.name, pairs ? "votes, dag, hamming or loss" : "hamming or loss"));
  }
  return {kind, outputs.meaning, std::move(outputs.code)};
}

std::vector<int> argmax_classes(ConstView scores) {
  std::vector<int> classes(static_cast<std::size_t>(scores.rows()));
  for (Index i = 0; i < scores.rows(); ++i) {
    Index best = 0;
    for (Index c = 1; c < scores.cols(); ++c) {
      if (scores(i, c) > scores(i, best)) best = c;
    }
    classes[static_cast<std::size_t>(i)] = static_cast<int>(best);
  }
  return classes;
}

std::vector<int> finite_classes(ConstView scores) {
  std::vector<int> classes = argmax_classes(scores);
  for (Index i = 0; i < scores.rows(); ++i) {
    if (!scores.row(i).allFinite()) classes[static_cast<std::size_t>(i)] = -1;
  }
  return classes;
}

Matrix softmax(ConstView scores, double temperature) {
  Matrix p(scores.rows(), scores.cols());
  for (Index i = 0; i < scores.rows(); ++i) {
    const double top = scores.row(i).maxCoeff();
    // std::exp for each, not Eigen's: that one rounds differently in a vector's lanes and in the rest behind them.
    for (Index c = 0; c < scores.cols(); ++c) p(i, c) = std::exp((scores(i, c) - top) / temperature);
    p.row(i) /= p.row(i).sum();
    // Scores that differ by less than exp() can tell would tie: the smaller ones step back by one unit in the last
    // place, so that the argmax of the probabilities is the argmax of the scores.
    const double largest = p.row(i).maxCoeff();
    for (Index c = 0; c < scores.cols(); ++c) {
      if (scores(i, c) < top && p(i, c) == largest) p(i, c) = std::nextafter(largest, 0.0);
    }
  }
  return p;
}

double log_loss(ConstView scores, std::span<const int> labels, double temperature) {
  double sum = 0;
  Index rows = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    if (never_predicted(scores(i, labels[static_cast<std::size_t>(i)]))) continue;
    ++rows;
    const double top = scores.row(i).maxCoeff();
    const double total = ((scores.row(i).array() - top) / temperature).exp().sum();
    sum += std::log(total) - (scores(i, labels[static_cast<std::size_t>(i)]) - top) / temperature;
  }
  return sum / static_cast<double>(rows);
}

double calibrate_temperature(ConstView scores, std::span<const int> labels) {
  const LossRows rows = loss_rows(scores, labels);
  const double spread = rows.spread;
  // Below, 1/T would be infinite: so little tells nothing.
  constexpr double kLeastSpread = 1e-290;
  if (!(spread > kLeastSpread) || !std::isfinite(spread)) return 1;
  // Useless scores push 1/T to 0, margins of rounding to infinity; both ends are far beyond what data can tell.
  double low = 1e-3 / spread;
  double high = 1e3 / spread;
  double b = 10 / spread;
  Slope slope = slope_at(rows, b);
  // The loss is convex: only the end on the falling side can be the best.
  if (slope.first > 0 && slope_at(rows, low).first >= 0) return 1 / low;
  if (slope.first <= 0 && slope_at(rows, high).first <= 0) return 1 / high;
  for (int iteration = 0; iteration < 100; ++iteration) {
    (slope.first > 0 ? high : low) = b;
    const auto settles = [b](double next) { return std::abs(next - b) <= 1e-10 * b; };
    double next = b - slope.first / slope.second;
    // A step too small to leave an end of the bracket is no reason to halve it.
    if (!(next > low && next < high) && !settles(next)) next = std::sqrt(low * high);
    const bool settled = settles(next);
    b = next;
    if (settled) break;
    slope = slope_at(rows, b);
  }
  return 1 / b;
}

}  // namespace manyone
