// SPDX-License-Identifier: Apache-2.0
//
// LIBSVM's model files: any bytes give a model that predicts, can be saved and written back, or an Error.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "manyone/errors.hpp"
#include "model/libsvm_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace manyone;
  constexpr std::size_t step = 7;  // small, so that lines are cut anywhere
  const MemoryBudget memory(std::uint64_t{64} << 20);
  try {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    const Model model = read_libsvm_model(bytes_in_memory(bytes, "fuzz", step), memory).classifier;
    if (model.expansion.features() > 1000) return 0;
    model.predict(*make_backend("reference"), Features(Matrix(Matrix::Ones(1, model.expansion.features()))));
    Model::from_bytes(model.bytes(), "again");
    const auto again =
        read_libsvm_model(bytes_in_memory(libsvm_model_text(model), "back"), memory, model.expansion.features());
    if (again.classifier.classes != model.classes) std::abort();
  } catch (const Error&) {
    // Refused with a message, as it should be.
  }
  return 0;
}
