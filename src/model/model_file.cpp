// SPDX-License-Identifier: Apache-2.0
//
// Model <-> safetensors file (docs/file-formats.md). Numbers that must survive bit for bit are tensors; names and
// choices are one JSON text in the metadata. Everything read is checked against everything else before it is used.
#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/numbers.hpp"
#include "data/records/cell.hpp"
#include "manyone/errors.hpp"
#include "model/model.hpp"
#include "model/model_checks.hpp"
#include "model/safetensors.hpp"

namespace manyone {

namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;
constexpr std::string_view kAdvice = "the file is damaged or not a manyone model: copy it again or train anew";

Shape shape_of(const Matrix& m) { return {static_cast<std::size_t>(m.rows()), static_cast<std::size_t>(m.cols())}; }

template <class T>
TensorToWrite tensor(std::string name, Shape shape, const T* data, std::size_t count) {
  return TensorToWrite::of<T>(std::move(name), std::move(shape), std::span<const T>(data, count));
}

TensorToWrite tensor(std::string name, const Matrix& m) {
  return tensor(std::move(name), shape_of(m), m.data(), static_cast<std::size_t>(m.size()));
}

TensorToWrite tensor(std::string name, const Vector& v) {
  const auto size = static_cast<std::size_t>(v.size());
  return tensor(std::move(name), {size}, v.data(), size);
}

std::string_view missing_name(MissingPolicy policy) {
  switch (policy) {
    case MissingPolicy::error: return "error";
    case MissingPolicy::drop: return "drop";
    case MissingPolicy::mean: return "mean";
    case MissingPolicy::indicator: break;
  }
  return "indicator";
}

std::string_view name_of(OutputMeaning meaning) {
  switch (meaning) {
    case OutputMeaning::columns: return "columns";
    case OutputMeaning::classes: return "classes";
    case OutputMeaning::scores: break;
  }
  return "scores";
}

OutputMeaning meaning_from_name(const std::string& name) {
  for (const auto meaning : {OutputMeaning::scores, OutputMeaning::columns, OutputMeaning::classes}) {
    if (name_of(meaning) == name) return meaning;
  }
  throw ConfigError("outputs", "the meaning of the outputs is not known", "use a model of this version");
}

MissingPolicy missing_from_name(const std::string& name) {
  for (const auto policy : {MissingPolicy::error, MissingPolicy::drop, MissingPolicy::mean, MissingPolicy::indicator}) {
    if (missing_name(policy) == name) return policy;
  }
  throw ConfigError("missing", "the policy for missing values is not known", "use a model of this version");
}

Json schema_json(const Schema& schema) {
  Json columns = Json::array();
  for (const Column& column : schema.columns) {
    Json c = {{"name", column.name}};
    if (column.nominal) c["values"] = column.values;
    if (column.missing_feature) c["missing_feature"] = true;
    if (!column.means.empty()) c["means"] = column.means.size();  // how many of the tensor schema.means are its own
    columns.push_back(std::move(c));
  }
  Json out = {{"columns", std::move(columns)},
              {"target", schema.target},
              {"target_position", schema.target_position},
              {"fold", schema.fold},
              {"named", schema.named},
              {"plain", schema.plain},
              {"plain_features", schema.plain_features},
              {"missing", missing_name(schema.missing)}};
  for (const LeftOutColumn& column : schema.left_out) {
    out["left_out"].push_back({{"name", column.name}, {"position", column.position}});
  }
  return out;
}

Schema schema_from(const Json& json) {
  Schema schema;
  for (const Json& c : json.at("columns")) {
    Column column;
    column.name = c.at("name").get<std::string>();
    column.nominal = c.contains("values");
    if (column.nominal) column.values = c.at("values").get<std::vector<std::string>>();
    column.missing_feature = c.value("missing_feature", false);
    const auto means = c.value("means", std::size_t{0});
    if (means > std::max<std::size_t>(1, column.values.size()) + 1)
      throw Json::other_error::create(501, "too many means", &c);
    column.means.resize(means);
    schema.columns.push_back(std::move(column));
  }
  for (const Json& c : json.value("left_out", Json::array())) {  // not in files of the first release
    schema.left_out.push_back({c.at("name").get<std::string>(), c.at("position").get<Index>()});
  }
  schema.target = json.at("target").get<std::string>();
  schema.target_position = json.at("target_position").get<Index>();
  schema.fold = json.at("fold").get<std::string>();
  schema.named = json.at("named").get<bool>();
  schema.plain = json.at("plain").get<bool>();
  schema.plain_features = std::max<Index>(json.at("plain_features").get<Index>(), 0);
  return schema;
}

/// Reads with a reason: every lookup that fails says what was expected.
class Reader {
 public:
  explicit Reader(SafetensorsFile file) : file_(std::move(file)) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(Place{file_.name()}, fmt::format("{}; {}", what, kAdvice));
  }
  void expect(bool condition, const char* what) const {
    if (!condition) fail(what);
  }

  Json header() const {
    const auto format = file_.metadata().find("format");
    if (format == file_.metadata().end() || format->second != "manyone") fail("expected a manyone model");
    const auto version = file_.metadata().find("version");
    if (version == file_.metadata().end()) fail("the format version is missing");
    if (!parse_integer(version->second)) fail("the format version is not a number");
    if (version->second != std::to_string(kVersion)) {
      throw InputError(
          Place{file_.name()},
          fmt::format("the model has format version {}, this program reads version {}", version->second, kVersion),
          "use a newer manyone");
    }
    file_.verify_checksum();
    const auto model = file_.metadata().find("model");
    if (model == file_.metadata().end()) fail("the description of the model is missing");
    Json json = parse_json<Json>(model->second);
    expect(json.is_object(), "the description of the model is not JSON");
    return json;
  }

  Vector vector(std::string_view name) const {
    const auto values = file_.f64(name);
    return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
  }

  Matrix matrix(std::string_view name) const {
    const TensorView view = file_.tensor(name);
    expect(view.shape.size() == 2, "a tensor has the wrong number of dimensions");
    const auto values = file_.f64(name);
    expect(!values.empty() || name == "centres", "a tensor is empty");
    if (values.empty()) return {};
    return Eigen::Map<const Matrix>(values.data(), static_cast<Index>(view.shape[0]),
                                    static_cast<Index>(view.shape[1]));
  }

  Features centres(Index features) const {
    if (!file_.has("centres.indptr")) return matrix("centres");
    const auto starts = file_.i64("centres.indptr");
    const auto columns = file_.i32("centres.indices");
    const auto values = file_.f64("centres.values");
    expect(!starts.empty() && columns.size() == values.size() && starts.front() == 0 &&
               starts.back() == static_cast<std::int64_t>(values.size()),
           "the sparse centres do not fit together");
    for (std::size_t i = 1; i < starts.size(); ++i) {
      expect(starts[i - 1] <= starts[i], "the sparse centres do not fit together");
      for (std::int64_t k = starts[i - 1]; k < starts[i]; ++k) {
        const auto at = static_cast<std::size_t>(k);
        expect(columns[at] >= 0 && columns[at] < features && (k == starts[i - 1] || columns[at - 1] < columns[at]),
               "the sparse centres do not fit together");
      }
    }
    SparseMatrix out(static_cast<Index>(starts.size()) - 1, features);
    out.reserve(static_cast<Index>(values.size()));
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
      out.startVec(static_cast<Index>(i));
      for (std::int64_t k = starts[i]; k < starts[i + 1]; ++k) {
        out.insertBack(static_cast<Index>(i), columns[static_cast<std::size_t>(k)]) =
            values[static_cast<std::size_t>(k)];
      }
    }
    out.finalize();
    return out;
  }

 private:
  SafetensorsFile file_;
};

Vector all_means(const Schema& schema) {
  std::vector<double> means;
  for (const Column& column : schema.columns) means.insert(means.end(), column.means.begin(), column.means.end());
  return Eigen::Map<const Vector>(means.data(), static_cast<Index>(means.size()));
}

Json description_of(const Model& model) {
  const Kernel& kernel = model.expansion.kernel;
  Json json = {{"machine", model.machine},
               {"search", model.search},
               {"weights", model.weights},
               {"bias", model.bias},
               {"classes", model.classes},
               {"labelbook", model.labelbook},
               {"label_kernel", model.label_kernel},
               {"decode", model.decoder.entry->name},
               {"outputs", name_of(model.decoder.meaning)},
               {"kernel", {{"name", kernel.name()}, {"degree", kernel.degree}}},
               {"scaling", name_of(model.scaling.kind)},
               {"schema", schema_json(model.schema)},
               {"trained_rows", model.trained_rows}};
  if (model.cv) {
    const CvSummary& cv = *model.cv;
    json["cv"] = {{"folds", cv.folds}, {"repeats", cv.repeats}, {"error", cv.error}, {"rows", cv.rows}};
    json["cv"]["train_rows"] = cv.train_rows;
    json["cv"]["kind"] = name_of(cv.kind);
    if (cv.std) json["cv"]["std"] = *cv.std;
    if (cv.majority_error) json["cv"]["majority_error"] = *cv.majority_error;
  }
  return json;
}

/// The value that a name in the file stands for; `find` throws ConfigError for a name that is not known, in words for
/// one who typed it.
template <class Find>
auto chosen(const Reader& reader, const char* what, const Json& name, const Find& find) {
  const auto text = name.get<std::string>();
  try {
    return find(text);
  } catch (const ConfigError&) {
    reader.fail(fmt::format("its {} {} is not one that this program knows", what, shown(text)));
  }
}

template <class Number>
Number count_in(const Reader& reader, const Json& value) {
  constexpr auto most =
      static_cast<std::int64_t>(std::min<std::int64_t>(std::numeric_limits<Number>::max(), 1LL << 50));
  if (!value.is_number_integer() || value < 0 || value > most) reader.fail("a count in its description is none");
  return value.get<Number>();
}

/// Everything but the tensors.
void read_description(const Reader& reader, const Json& json, Model& model) {
  try {
    model.machine = json.at("machine").get<std::string>();
    model.search = json.at("search").get<std::string>();
    model.weights = json.at("weights").get<std::string>();
    model.bias = json.at("bias").get<bool>();
    model.classes = json.at("classes").get<std::vector<std::string>>();
    model.trained_rows = count_in<Index>(reader, json.at("trained_rows"));
    const Json& schema = json.at("schema");
    model.schema = schema_from(schema);
    model.schema.missing = chosen(reader, "policy for missing values", schema.at("missing"), missing_from_name);
    model.scaling.kind = chosen(reader, "scaling", json.at("scaling"), scaling_from_name);
    model.expansion.kernel.entry = chosen(reader, "kernel", json.at("kernel").at("name"),
                                          [](std::string_view name) { return &kernel_from_name(name); });
    model.expansion.kernel.degree = count_in<int>(reader, json.at("kernel").at("degree"));
    model.labelbook = json.at("labelbook").get<std::string>();
    model.label_kernel = json.value("label_kernel", "linear");
    model.decoder.entry = chosen(reader, "decoder", json.value("decode", Json(kArgmax.name)),
                                 [](std::string_view name) { return &decoder_from_name(name); });
    model.decoder.meaning = chosen(reader, "outputs", json.value("outputs", Json("scores")), meaning_from_name);
    if (json.contains("cv")) {
      const Json& cv = json.at("cv");
      model.cv = CvSummary{
          .folds = count_in<int>(reader, cv.at("folds")),
          .repeats = count_in<int>(reader, cv.at("repeats")),
          .error = cv.at("error").get<double>(),
          .rows = count_in<Index>(reader, cv.at("rows")),
          .train_rows = count_in<Index>(reader, cv.value("train_rows", Json(0))),
          .kind = chosen(reader, "kind of estimate", cv.value("kind", Json("cross-validation")), estimate_from_name)};
      if (cv.contains("std")) model.cv->std = cv.at("std").get<double>();
      if (cv.contains("majority_error")) model.cv->majority_error = cv.at("majority_error").get<double>();
    }
  } catch (const Json::exception&) {
    reader.fail("the description of the model is incomplete");
  }
}

Model classifier_from(const Reader& reader) {
  Model model;
  read_description(reader, reader.header(), model);
  const Vector parameters = reader.vector("parameters");
  reader.expect(parameters.size() == 4, "the parameters are incomplete");
  model.expansion.kernel.sigma = parameters[0];
  model.expansion.kernel.offset = parameters[1];
  model.ridge = parameters[2];
  model.temperature = parameters[3];
  model.scaling.offset = reader.vector("scaling.offset");
  model.scaling.factor = reader.vector("scaling.factor");
  model.expansion.coefficients = reader.matrix("coefficients");
  model.expansion.bias = reader.vector("bias");
  model.expansion.centres = reader.centres(model.scaling.offset.size());
  model.decoder.code = reader.matrix("labelbook");
  if (model.decoder.fitted()) {
    model.decoder.map = reader.matrix("decoder.map");
    model.decoder.shift = reader.vector("decoder.shift");
  }
  if (model.decoder.entry->priors) model.decoder.log_priors = reader.vector("decoder.log_priors");
  const Vector means = reader.vector("schema.means");
  Index next = 0;
  for (Column& column : model.schema.columns) {
    const auto count = static_cast<Index>(column.means.size());
    reader.expect(next + count <= means.size(), "the column means are incomplete");
    std::copy_n(means.data() + next, count, column.means.begin());
    next += count;
  }
  reader.expect(next == means.size(), "the column means do not fit the columns");
  if (const auto defect = defect_of(model)) reader.fail(*defect);
  return model;
}

/// The file's tensors refer to what the callback's caller owns, so they are handed on rather than returned.
template <class Use>
auto with_tensors(const Model& model, const std::string& name, const Use& use) {
  require_usable(model);
  std::string description;
  try {
    description = description_of(model).dump();
  } catch (const Json::exception&) {
    throw InputError(Place{name}, "a class or column name is not UTF-8 text, which the model file cannot hold",
                     "convert the table to UTF-8");
  }
  const Expansion& expansion = model.expansion;
  Vector parameters(4);
  parameters << expansion.kernel.sigma, expansion.kernel.offset, model.ridge, model.temperature;
  const Vector means = all_means(model.schema);
  std::vector<TensorToWrite> tensors = {tensor("parameters", parameters),
                                        tensor("coefficients", expansion.coefficients),
                                        tensor("bias", expansion.bias),
                                        tensor("labelbook", model.decoder.code),
                                        tensor("scaling.offset", model.scaling.offset),
                                        tensor("scaling.factor", model.scaling.factor),
                                        tensor("schema.means", means)};
  if (model.decoder.fitted()) {
    tensors.push_back(tensor("decoder.map", model.decoder.map));
    tensors.push_back(tensor("decoder.shift", model.decoder.shift));
  }
  if (model.decoder.entry->priors) {
    tensors.push_back(tensor("decoder.log_priors", model.decoder.log_priors));
  }
  std::vector<std::int64_t> starts;
  std::vector<std::int32_t> columns;
  if (expansion.centres.sparse()) {
    const SparseMatrix& z = expansion.centres.csr();
    const auto nonzeros = static_cast<std::size_t>(z.nonZeros());
    starts.assign(z.outerIndexPtr(), z.outerIndexPtr() + z.rows() + 1);
    columns.assign(z.innerIndexPtr(), z.innerIndexPtr() + nonzeros);
    tensors.push_back(tensor("centres.indptr", {starts.size()}, starts.data(), starts.size()));
    tensors.push_back(tensor("centres.values", {nonzeros}, z.valuePtr(), nonzeros));
    tensors.push_back(tensor("centres.indices", {nonzeros}, columns.data(), nonzeros));
  } else {
    tensors.push_back(tensor("centres", expansion.centres.dense()));
  }
  const Metadata metadata = {{"format", "manyone"}, {"version", std::to_string(kVersion)}, {"model", description}};
  return use(metadata, std::span<const TensorToWrite>(tensors));
}

}  // namespace

void Model::save(const std::string& path) const {
  with_tensors(*this, path, [&](const Metadata& metadata, std::span<const TensorToWrite> tensors) {
    write_safetensors(path, metadata, tensors);
  });
}

std::string Model::bytes() const {
  return with_tensors(*this, "model", [](const Metadata& metadata, std::span<const TensorToWrite> tensors) {
    return safetensors_bytes(metadata, tensors);
  });
}

Model Model::load(const std::string& path) { return classifier_from(Reader(SafetensorsFile::open(path))); }

Model Model::from_bytes(std::string bytes, const std::string& name) {
  return classifier_from(Reader(SafetensorsFile::from_bytes(std::move(bytes), name)));
}

}  // namespace manyone
