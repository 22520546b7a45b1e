// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a safetensors file: either an InputError, or a file whose every tensor can be read and that survives
// being written and read again.
#include <cstdlib>
#include <cstring>

#include "manyone/errors.hpp"
#include "model/safetensors.hpp"

namespace {

void expect(bool condition) {
  if (!condition) std::abort();
}

/// Reads every value in its own type: a misaligned or unmapped one trips the sanitizers.
template <class T>
void touch(std::span<const T> values) {
  [[maybe_unused]] volatile T last{};
  for (const T value : values) last = value;
}

void touch_tensor(const manyone::SafetensorsFile& file, const std::string& name, manyone::Dtype dtype) {
  using manyone::Dtype;
  switch (dtype) {
    case Dtype::f64: return touch(file.f64(name));
    case Dtype::f32: return touch(file.f32(name));
    case Dtype::i64: return touch(file.i64(name));
    case Dtype::i32: return touch(file.i32(name));
    case Dtype::u8: return touch(file.u8(name));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace manyone;
  try {
    const auto file = SafetensorsFile::from_bytes(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
    std::vector<TensorToWrite> tensors;
    for (const auto& [name, tensor] : file.tensors()) {
      touch_tensor(file, name, tensor.dtype);
      tensors.push_back({name, tensor.dtype, tensor.shape, tensor.data});
    }
    const auto again = SafetensorsFile::from_bytes(safetensors_bytes(file.metadata(), tensors), "again");
    again.verify_checksum();
    expect(again.tensors().size() == tensors.size());
    for (const TensorToWrite& tensor : tensors) {
      const TensorView& copy = again.tensor(tensor.name);
      expect(copy.shape == tensor.shape && copy.data.size() == tensor.data.size());
      expect(tensor.data.empty() || std::memcmp(copy.data.data(), tensor.data.data(), tensor.data.size()) == 0);
    }
    file.verify_checksum();
  } catch (const InputError&) {
  }
  return 0;
}
