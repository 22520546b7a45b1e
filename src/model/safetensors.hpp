// SPDX-License-Identifier: Apache-2.0
//
// The safetensors container: 8 bytes of header length, a JSON header, raw little-endian tensors. Any safetensors reader
// opens what is written here, and nothing in such a file is ever executed. This layer knows names, types and shapes;
// what they mean (a classifier, a format version) is left to its callers.
//
// Writing adds a checksum to the metadata. Reading takes the file into memory, where nobody can cut it short, and
// checks everything that a damaged or hostile file can claim before the first access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace manyone {

enum class Dtype { f64, f32, i64, i32, u8 };

template <class T>
constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<T, double>) return Dtype::f64;
  if constexpr (std::is_same_v<T, float>) return Dtype::f32;
  if constexpr (std::is_same_v<T, std::int64_t>) return Dtype::i64;
  if constexpr (std::is_same_v<T, std::int32_t>) return Dtype::i32;
  if constexpr (std::is_same_v<T, std::uint8_t>) return Dtype::u8;
}

/// Bytes of one element.
std::size_t size_of(Dtype dtype);

using Shape = std::vector<std::size_t>;
using Metadata = std::map<std::string, std::string>;

/// A tensor to write, row-major; the values stay the caller's.
struct TensorToWrite {
  std::string name;
  Dtype dtype = Dtype::f64;
  Shape shape;
  std::span<const std::byte> data;

  /// The product of `tensor_shape` must be values.size().
  template <class T>
  static TensorToWrite of(std::string tensor_name, Shape tensor_shape, std::span<const T> values) {
    return {std::move(tensor_name), dtype_of<T>(), std::move(tensor_shape), std::as_bytes(values)};
  }
};

/// The bytes of a safetensors file. The same input gives the same bytes. A "checksum" entry in `metadata` is replaced.
/// Throws InputError when a text is not UTF-8 (JSON cannot hold it), std::invalid_argument when a shape and its data
/// disagree, a name occurs twice or is "__metadata__".
std::string safetensors_bytes(const Metadata& metadata, std::span<const TensorToWrite> tensors);

/// Writes safetensors_bytes() to a file, as a whole or not at all: see write_file_atomically(), whose errors it throws.
void write_safetensors(const std::string& path, const Metadata& metadata, std::span<const TensorToWrite> tensors);

/// A tensor of an open file; the data are aligned for their type. A tensor with a dimension of 0 has no bytes that
/// could vouch for its other dimensions: check those against something real before allocating by them.
struct TensorView {
  Dtype dtype = Dtype::f64;
  Shape shape;
  std::span<const std::byte> data;
};

/// An open safetensors file. Copies are cheap and share the bytes; spans stay valid while any copy lives.
class SafetensorsFile {
 public:
  /// Both throw InputError when anything but the checksum is wrong; open() throws MemoryError for a file that is larger
  /// than the memory.
  static SafetensorsFile open(const std::string& path);
  /// `name` stands for the file in error messages.
  static SafetensorsFile from_bytes(std::string bytes, const std::string& name);

  const std::string& name() const { return name_; }
  const Metadata& metadata() const { return metadata_; }
  const std::map<std::string, TensorView, std::less<>>& tensors() const { return tensors_; }
  bool has(std::string_view tensor_name) const { return tensors_.contains(tensor_name); }

  /// Throws InputError when there is no such tensor.
  const TensorView& tensor(std::string_view tensor_name) const;
  /// Throw InputError when there is no such tensor or it has another type.
  std::span<const double> f64(std::string_view tensor_name) const { return values<double>(tensor_name); }
  std::span<const float> f32(std::string_view tensor_name) const { return values<float>(tensor_name); }
  std::span<const std::int64_t> i64(std::string_view tensor_name) const { return values<std::int64_t>(tensor_name); }
  std::span<const std::int32_t> i32(std::string_view tensor_name) const { return values<std::int32_t>(tensor_name); }
  std::span<const std::uint8_t> u8(std::string_view tensor_name) const { return values<std::uint8_t>(tensor_name); }

  /// Throws InputError when there is no checksum or when any bit of the file has changed since it was written. Separate
  /// because files of other programs have none; reads the whole file.
  void verify_checksum() const;

 private:
  SafetensorsFile(std::string name, std::span<const std::byte> bytes, std::shared_ptr<const void> storage);

  template <class T>
  std::span<const T> values(std::string_view tensor_name) const {
    const std::span<const std::byte> data = bytes_of(tensor_name, dtype_of<T>());
    return {reinterpret_cast<const T*>(data.data()), data.size() / sizeof(T)};
  }
  std::span<const std::byte> bytes_of(std::string_view tensor_name, Dtype dtype) const;

  std::string name_;
  std::span<const std::byte> bytes_;
  std::vector<std::shared_ptr<const void>> storage_;  ///< what bytes_ views, and tensors that had to be realigned
  Metadata metadata_;
  std::map<std::string, TensorView, std::less<>> tensors_;
};

}  // namespace manyone
