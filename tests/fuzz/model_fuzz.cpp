// SPDX-License-Identifier: Apache-2.0
//
// Model loading beyond the container: the input is the model's JSON description, optionally followed by a NUL and bytes
// that become the tensors' values; container and checksum are valid, so that the fuzzer reaches the checks behind them.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "manyone/errors.hpp"
#include "model/model.hpp"
#include "model/safetensors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace manyone;
  const std::string input(reinterpret_cast<const char*>(data), size);
  const auto end = input.find('\0');
  const std::string description = input.substr(0, end);
  std::vector<double> numbers(16, 1.0);
  if (end != std::string::npos) {
    std::memcpy(numbers.data(), input.data() + end + 1, std::min(size - end - 1, numbers.size() * sizeof(double)));
  }
  const auto tensor = [&](const char* name, Shape shape, std::size_t count) {
    return TensorToWrite::of<double>(name, std::move(shape), std::span<const double>(numbers).first(count));
  };
  const std::vector<TensorToWrite> tensors = {
      tensor("parameters", {4}, 4),    tensor("coefficients", {3, 2}, 6),   tensor("bias", {2}, 2),
      tensor("labelbook", {2, 2}, 4),  tensor("scaling.offset", {2}, 2),    tensor("scaling.factor", {2}, 2),
      tensor("schema.means", {0}, 0),  tensor("centres", {3, 2}, 6),        tensor("decoder.map", {2, 2}, 4),
      tensor("decoder.shift", {2}, 2), tensor("decoder.log_priors", {2}, 2)};
  try {
    const std::string bytes =
        safetensors_bytes({{"format", "manyone"}, {"version", "1"}, {"model", description}}, tensors);
    const Model model = Model::from_bytes(bytes, "input");
    Matrix row = Matrix::Ones(1, model.expansion.features());
    model.predict(*make_backend("reference"), Features(row));
    Model::from_bytes(model.bytes(), "again");
  } catch (const Error&) {
    // Refused with a message, as it should be.
  }
  return 0;
}
