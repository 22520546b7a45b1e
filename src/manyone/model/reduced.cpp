// SPDX-License-Identifier: Apache-2.0
#include "manyone/model/reduced.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"
#include "manyone/base/numbers.hpp"
#include "manyone/base/random.hpp"
#include "manyone/data/number_table.hpp"
#include "manyone/decoder/discriminant.hpp"
#include "manyone/labelbook/codes.hpp"
#include "manyone/machine/machines.hpp"

namespace manyone {

namespace {

// Rows up to which msvr uses all as centres unless it is told otherwise, and centres beyond.
constexpr Index kAllCentres = 2000;
constexpr Index kFewCentres = 1000;
constexpr Index kManyCentres = 2000;
// Rows whose kernel columns kernel PCA starts from, at most.
constexpr Index kComponentRows = 2000;
// Rows up to which the whole kernel matrix is used unless asked otherwise.
constexpr Index kExactRows = 20000;
// For guesses of time: flops of a core in a second, factorisations that choose a ridge, and the search for a width.
constexpr double kRate = 2e10;
constexpr double kFactors = 40;
constexpr double kSearchSeconds = 3;
constexpr Index kBlock = 8192;  // rows of a table in memory that are passed at a time

/// A number that looks random, from two (SplitMix64's finaliser).
std::uint64_t mixed(std::uint64_t seed, std::uint64_t row) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15 + row + 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// The rows of each class whose mixed numbers are smallest, as many as its share of `size`.
class Draw {
 public:
  Draw(std::span<const Index> counts, Index size, std::uint64_t seed) : seed_(seed), kept_(counts.size()) {
    const auto n = static_cast<double>(std::accumulate(counts.begin(), counts.end(), Index{0}));
    for (const Index count : counts) {
      const double share = static_cast<double>(size) / n * static_cast<double>(count);
      quota_.push_back(static_cast<std::size_t>(std::max(1.0, std::round(share))));
    }
  }

  void offer(const Features& rows, std::span<const int> labels, Index first) {
    for (Index i = 0; i < rows.rows(); ++i) {
      const auto c = static_cast<std::size_t>(labels[static_cast<std::size_t>(i)]);
      const Key key{mixed(seed_, static_cast<std::uint64_t>(first + i)), first + i};
      auto& kept = kept_[c];
      const bool full = kept.size() == quota_[c];
      if (full && kept.rbegin()->first < key) continue;
      if (full) kept.erase(std::prev(kept.end()));
      kept.emplace(key, rows.select(std::span(&i, 1)));
    }
  }

  /// Into the table, in the order of the rows.
  void take(PreparedTable& table) {
    std::map<Index, std::pair<int, Features>> sorted;
    for (std::size_t c = 0; c < kept_.size(); ++c) {
      for (auto& [key, row] : kept_[c]) sorted.emplace(key.second, std::pair{static_cast<int>(c), std::move(row)});
    }
    std::vector<Features> pieces;
    for (auto& [row, entry] : sorted) {
      table.rows.push_back(row);
      table.labels.push_back(entry.first);
      pieces.push_back(std::move(entry.second));
    }
    table.features = stacked(pieces);
  }

 private:
  using Key = std::pair<std::uint64_t, Index>;
  std::uint64_t seed_;
  std::vector<std::size_t> quota_;
  std::vector<std::map<Key, Features>> kept_;  // of each class
};

std::optional<CentreCount> count_from(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text.back() == '%') {
    const auto share = parse_double(std::string_view(text).substr(0, text.size() - 1));
    if (!share || !(*share > 0 && *share <= 100)) {
      throw ConfigError(
          fmt::format("--centers must be a number, a share such as 5% (above 0, up to 100), or a file, "
                      "found '{}'",
                      text));
    }
    return CentreCount{{}, *share / 100};
  }
  if (const auto number = parse_integer(text)) {
    if (*number < 1) throw ConfigError(fmt::format("--centers must be 1 or more, found {}", text));
    return CentreCount{static_cast<Index>(*number), {}};
  }
  if (!std::filesystem::exists(text)) {
    throw ConfigError(fmt::format(
        "--centers must be a number, a share such as 5%, or a CSV file with a centre a line, found '{}'", text));
  }
  return std::nullopt;
}

/// Centres of the user's own, in the scale of the training table.
Features centres_from_file(const std::string& path, const Scaling& scaling) {
  const Matrix numbers = read_number_table(path);
  if (numbers.cols() != scaling.offset.size()) {
    throw InputError(Place{path, 1, 0}, fmt::format("expected {} features for each centre, as the table has, found {}",
                                                    scaling.offset.size(), numbers.cols()));
  }
  for (Index r = 0; r < numbers.rows(); ++r) {
    for (Index s = 0; s < r; ++s) {
      if (numbers.row(r) == numbers.row(s)) {
        throw InputError(Place{path, static_cast<std::size_t>(r + 1), 0},
                         fmt::format("centres {} and {} are equal; leave one of them out", s + 1, r + 1));
      }
    }
  }
  Features out(numbers);
  scaling.apply(out);
  return out;
}

void check_enough(Index centres, Index classes) {
  if (centres >= classes) return;
  throw ConfigError(
      fmt::format("{} centres cannot tell {} classes apart; use --centers {} or more", centres, classes, classes));
}

Index usual_centres(Index rows) { return std::clamp(rows / 20, kFewCentres, kManyCentres); }

bool regresses_on_features(const Recipe& recipe) {
  return recipe.kernel == KernelKind::linear && recipe.reduction.centres.empty() && !recipe.reduction.kind;
}

}  // namespace

Index RowSource::rows() const {
  const auto counts = class_counts();
  return std::accumulate(counts.begin(), counts.end(), Index{0});
}

void DatasetRows::pass(const Use& use) const {
  std::vector<Index> block;
  for (Index first = 0; first < data_.rows(); first += kBlock) {
    const Index count = std::min(kBlock, data_.rows() - first);
    block.resize(static_cast<std::size_t>(count));
    std::iota(block.begin(), block.end(), first);
    const Features rows = count == data_.rows() ? data_.features : data_.features.select(block);
    use(rows, std::span(data_.labels).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)), first);
  }
}

std::vector<Index> DatasetRows::class_counts() const {
  std::vector<Index> out(data_.classes.size(), 0);
  for (const int label : data_.labels) ++out[static_cast<std::size_t>(label)];
  return out;
}

std::vector<Index> StreamedRows::class_counts() const {
  const auto counts = stream_.class_counts();
  return {counts.begin(), counts.end()};
}

Index affordable_centres(const Execution& execution, Index rows, Index features, Index classes,
                         std::optional<double> seconds) {
  const double n = static_cast<double>(rows);
  const double rate = kRate * execution.backend.threads();
  const auto cost = [&](double m) {
    const double columns = 2 * m * static_cast<double>(features) + m * m;  // for a row
    return (n * columns + kFactors * m * m * m / 3) / rate + kSearchSeconds;
  };
  Index best = classes;
  for (double m = 125; m <= 8000 && m <= n; m *= std::sqrt(2.0)) {
    const auto count = static_cast<Index>(std::round(m));
    const bool fits = execution.memory.fits(FoldSums::bytes(count, 16) + 8.0 * m * kSampleRows);
    if (!fits || (seconds ? cost(m) > *seconds : count > usual_centres(rows))) break;
    best = std::max(best, count);
  }
  return best;
}

MachineChoice choose_machine(const Execution& execution, const RowSource& table, std::optional<double> seconds) {
  const Index n = table.rows();
  const double cubes = std::pow(static_cast<double>(n), 3) / 3 / (kRate * execution.backend.threads());
  const bool exact = n <= kExactRows && execution.memory.fits(2 * square_bytes(n)) && !(seconds && cubes > *seconds);
  if (exact) return {"onelsm", ""};
  return {"msvr", fmt::format("{}", affordable_centres(execution, n, table.features(),
                                                       static_cast<Index>(table.classes().size()), seconds))};
}

Index PreparedTable::table_rows() const { return std::accumulate(class_counts.begin(), class_counts.end(), Index{0}); }

PreparedTable prepare(const Execution& execution, const RowSource& source, const Recipe& recipe, Index size) {
  PreparedTable out{source, {}, {}, {}, {}, {}, source.class_counts()};
  const Index n = out.table_rows();
  Draw draw(out.class_counts, size, recipe.seed);
  const bool all = n <= size;
  std::vector<Features> pieces;
  ScalingSums sums;
  source.pass([&](const Features& rows, std::span<const int> labels, Index first) {
    execution.interrupt.check();
    sums.add(rows);
    if (!all) return draw.offer(rows, labels, first);
    pieces.push_back(rows);
    out.labels.insert(out.labels.end(), labels.begin(), labels.end());
  });
  out.scaling = sums.finish(scaling_for(recipe, source.sparse()));
  if (all) {
    out.features = stacked(pieces);
    out.rows.resize(static_cast<std::size_t>(n));
    std::iota(out.rows.begin(), out.rows.end(), Index{0});
  } else {
    draw.take(out);
  }
  out.scaling.apply(out.features);
  out.weights = RowWeights(recipe, out.class_counts).of(out.labels, out.rows);
  return out;
}

RowWeights::RowWeights(const Recipe& recipe, std::span<const Index> class_counts) : recipe_(recipe) {
  const auto n = std::accumulate(class_counts.begin(), class_counts.end(), Index{0});
  if (recipe.weights == WeightKind::balanced) {
    of_class_.resize(static_cast<Index>(class_counts.size()));
    for (std::size_t c = 0; c < class_counts.size(); ++c) {
      of_class_[static_cast<Index>(c)] =
          static_cast<double>(n) / static_cast<double>(std::ssize(class_counts) * class_counts[c]);
    }
  } else if (recipe.weights == WeightKind::given) {
    row_weights(recipe, std::vector<int>(static_cast<std::size_t>(n), 0), 1);  // checks them
  }
}

double RowWeights::of(int label, Index row) const {
  return recipe_.weights == WeightKind::balanced ? of_class_[label]
                                                 : recipe_.row_weights[static_cast<std::size_t>(row)];
}

Vector RowWeights::of(std::span<const int> labels, Index first) const {
  if (recipe_.weights == WeightKind::uniform) return {};
  Vector out(std::ssize(labels));
  for (Index i = 0; i < out.size(); ++i) out[i] = of(labels[static_cast<std::size_t>(i)], first + i);
  return out;
}

Vector RowWeights::of(std::span<const int> labels, std::span<const Index> rows) const {
  if (recipe_.weights == WeightKind::uniform) return {};
  Vector out(std::ssize(labels));
  for (std::size_t i = 0; i < labels.size(); ++i) out[static_cast<Index>(i)] = of(labels[i], rows[i]);
  return out;
}

int fold_of_row(std::uint64_t seed, Index row, int folds) {
  constexpr std::uint64_t apart = 0x666f6c6473;  // from the numbers that draw the sample
  return static_cast<int>(mixed(seed ^ apart, static_cast<std::uint64_t>(row)) % static_cast<std::uint64_t>(folds));
}

KernelColumns columns_for(const Execution& execution, const Recipe& recipe, double sigma, const PreparedTable& table) {
  if (regresses_on_features(recipe)) return KernelColumns(table.features.features());
  const Kernel kernel = recipe.kernel_at(sigma);
  const Reduction& reduction = recipe.reduction;
  const auto asked = count_from(reduction.centres);
  if (!asked && !reduction.centres.empty()) {
    if (reduction.kind) {
      throw ConfigError("--centers FILE gives the centres themselves; leave --reduce out");
    }
    Features centres = centres_from_file(reduction.centres, table.scaling);
    check_enough(centres.rows(), table.classes());
    return {kernel, std::move(centres)};
  }
  const Index n = table.table_rows();
  const bool pca = reduction.kind == ReduceKind::pca;
  Index count = *centres_of(recipe, n);
  check_enough(count, table.classes());
  if (pca) count = std::min(n, kComponentRows);
  if (reduction.kind == ReduceKind::kmeans && table.features.sparse()) {
    throw ConfigError("--reduce kmeans needs dense rows; use stratified for sparse ones");
  }
  const auto kind = reduction.kind.value_or(ReduceKind::stratified);
  Features centres = choose_centres(execution, kind, kernel, table.features, table.labels, count, recipe.seed);
  execution.memory.require(4 * FoldSums::bytes(centres.rows(), 1), fmt::format("{} centres", centres.rows()),
                           "use fewer centres, or raise the limit with --memory");
  return {kernel, std::move(centres)};
}

std::optional<Index> centres_of(const Recipe& recipe, Index table_rows) {
  if (regresses_on_features(recipe)) return std::nullopt;
  const auto asked = count_from(recipe.reduction.centres);
  if (asked) return asked->of(table_rows);
  if (!recipe.reduction.centres.empty()) return std::nullopt;
  return table_rows <= kAllCentres ? table_rows : usual_centres(table_rows);
}

MsvrChoice choice_for(const Recipe& recipe, Index table_rows) {
  MsvrChoice choice;
  const bool own = recipe.machine == "msvr";
  const bool pca = recipe.reduction.kind == ReduceKind::pca;
  choice.penalty = recipe.reduction.penalty.value_or(own || pca ? PenaltyKind::identity : PenaltyKind::rkhs);
  choice.bias = own || recipe.bias;
  if (pca) {
    const auto asked = count_from(recipe.reduction.centres);
    choice.components = asked ? asked->of(table_rows) : std::min(table_rows, kFewCentres);
  }
  return choice;
}

ReducedDecoding::ReducedDecoding(const Recipe& recipe, std::span<const Index> class_counts)
    : recipe_(recipe), counts_(class_counts.begin(), class_counts.end()) {
  const auto L = std::ssize(counts_);
  if (recipe.machine != "msvr") {
    std::vector<int> labels;
    for (int c = 0; c < static_cast<int>(L); ++c) labels.push_back(c);
    plain_ = decoder_of(recipe, *machine_of(recipe, labels, L));
    return;
  }
  if (kind() == DecodeKind::argmax && is_code(recipe.book())) {
    throw ConfigError(
        fmt::format("--decode argmax compares inner products with codewords, which needs a labelbook such "
                    "as indicator, not the code {}; use flda or ssvm",
                    recipe.book()));
  }
  if (kind() != DecodeKind::argmax && kind() != DecodeKind::flda && kind() != DecodeKind::ssvm) {
    throw ConfigError(
        fmt::format("--decode {} does not go with msvr; it decodes by flda, ssvm or argmax", name_of(kind())));
  }
  if (recipe.priors != "uniform" && recipe.priors != "data") {
    if (!std::filesystem::exists(recipe.priors)) {
      throw ConfigError(
          fmt::format("--priors must be uniform, data or a CSV file with a number for each class, found "
                      "'{}'",
                      recipe.priors));
    }
    given_priors_ = read_number_table(recipe.priors);
    if (given_priors_.size() != L || !(given_priors_.array() > 0).all()) {
      throw InputError(Place{recipe.priors},
                       fmt::format("expected {} numbers above 0, one for each class in class order, found {}", L,
                                   given_priors_.size()));
    }
  }
}

DecodeKind ReducedDecoding::kind() const { return plain_ ? plain_->kind : recipe_.decode.value_or(DecodeKind::flda); }

Matrix ReducedDecoding::code(const MsvrFit& fit) const {
  if (plain_) return plain_->code;
  const std::string name(recipe_.book());
  BookRequest request{static_cast<int>(classes()), counts_, recipe_.seed, recipe_.code_length};
  request.explained = fit.explained;
  return make_labelbook(name, request).codewords;
}

Vector ReducedDecoding::priors(const GroupedSums& seen) const {
  if (given_priors_.size() > 0) return Eigen::Map<const Vector>(given_priors_.data(), given_priors_.size());
  return recipe_.priors == "data" ? seen.weights : Vector::Ones(classes());
}

Decoder ReducedDecoding::decoder(const Backend& backend, const MsvrFit& fit, const Matrix& code,
                                 const GroupedSums& seen, const Matrix& outputs, std::span<const int> labels,
                                 const Vector& weights) const {
  if (plain_) return *plain_;
  if (kind() == DecodeKind::argmax) {
    Decoder out;
    out.code = code;
    return out;
  }
  const Matrix W = fit.W * code;
  if (kind() == DecodeKind::flda) {
    const GroupedOutputs of = outputs_of_groups(backend, seen, W, Vector(code.transpose() * fit.c));
    return discriminant_decoder({of.means, of.within, seen.weights}, priors(seen));
  }
  const PlaneSpace space = plane_space(W, code.transpose() * fit.origin, classes());
  return smooth_svm_decoder(outputs * code, labels, classes(), weights, space);
}

GroupedSums PassedRows::all() const {
  GroupedSums out = folds.front();
  for (std::size_t f = 1; f < folds.size(); ++f) out += folds[f];
  return out;
}

PassedRows pass_rows(const Execution& execution, const Recipe& recipe, const PreparedTable& table, double sigma,
                     int folds) {
  PassedRows out{columns_for(execution, recipe, sigma, table), {}, {}};
  const Index m = out.columns.count();
  execution.memory.require(FoldSums::bytes(m, folds + 3), fmt::format("{} centres and {} folds", m, folds),
                           "use fewer centres or folds, or raise the limit with --memory");
  out.shift = choice_for(recipe, table.table_rows()).bias ? column_shift(execution, out.columns) : Vector::Zero(m);
  FoldSums sums(execution, out.columns, out.shift, table.classes(), folds);
  const RowWeights weights(recipe, table.class_counts);
  const auto n = static_cast<double>(table.table_rows());
  execution.observer.begin("adding up rows", n);
  table.source.pass([&](const Features& rows, std::span<const int> labels, Index first) {
    Features scaled = rows;
    table.scaling.apply(scaled);
    std::vector<int> fold(labels.size(), 0);
    for (std::size_t i = 0; folds > 1 && i < fold.size(); ++i) {
      fold[i] = fold_of_row(recipe.seed, first + static_cast<Index>(i), folds);
    }
    sums.add(scaled, labels, fold, weights.of(labels, first));
    execution.observer.update(static_cast<double>(first + rows.rows()), "");
  });
  out.folds = sums.finish();
  execution.observer.end();
  return out;
}

Classifier train_reduced(const Execution& execution, const Recipe& recipe, const PreparedTable& table,
                         const PassedRows& passed, double ridge) {
  const Backend& backend = execution.backend;
  Classifier model;
  model.machine = recipe.machine;
  model.search = recipe.tuned() ? std::string(name_of(recipe.search)) : "fixed";
  model.ridge = ridge;
  model.bias = recipe.bias;
  model.weights = name_of(recipe.weights);
  model.schema = table.source.schema();
  model.classes = table.source.classes();
  model.trained_rows = table.table_rows();
  model.labelbook = recipe.book();
  model.label_kernel = recipe.label_kernel;
  model.scaling = table.scaling;
  const GroupedSums all = passed.all();
  const Msvr machine(execution, choice_for(recipe, table.table_rows()), passed.columns, all, passed.shift);
  const GroupedSums seen = machine.seen(all);
  MsvrFit fit;
  if (!machine.fit(seen, ridge, fit)) throw_ridge_too_small(ridge);
  const ReducedDecoding decoding(recipe, table.class_counts);
  const Matrix code = decoding.code(fit);
  Matrix outputs;
  if (decoding.needs_rows()) {
    if (!table.whole()) {
      execution.observer.note(fmt::format("the planes of ssvm are fitted to a sample of {} of {} rows",
                                          table.rows.size(), table.table_rows()));
    }
    outputs = passed.columns.expansion(fit.A, fit.b).evaluate(backend, table.features);
  }
  model.decoder = decoding.decoder(backend, fit, code, seen, outputs, table.labels, table.weights);
  model.expansion = passed.columns.expansion(fit.A * code, code.transpose() * fit.b);
  return model;
}

}  // namespace manyone
