// SPDX-License-Identifier: Apache-2.0
//
// The checksum is the CRC-32 of the whole file (length, header, padding, tensors) in which the checksum's own eight
// hexadecimal digits count as zeros, so no bit is outside of it. The digits are found as the text `"checksum":"` in the
// raw header; inside a JSON string a quote is always escaped, hence no label or name can imitate that text.
#include "model/safetensors.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "base/memory.hpp"
#include "manyone/errors.hpp"

namespace manyone {

static_assert(std::endian::native == std::endian::little, "tensors are little-endian and used in place");

namespace {

using nlohmann::json;
using Bytes = std::span<const std::byte>;

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kMaxHeader = 100'000'000;  // as the reference reader; ours stay far below
constexpr std::size_t kMaxDimensions = 8;
constexpr std::size_t kMaxTensors = 1000;
constexpr std::size_t kDataAlignment = 64;  // a cache line: matrices start on one
constexpr std::string_view kMetadata = "__metadata__";
constexpr std::string_view kChecksumText = "\"checksum\":\"";
constexpr std::string_view kBlankChecksum = "00000000";

struct DtypeInfo {
  Dtype dtype;
  std::string_view name;
  std::size_t size;
};
constexpr std::array kDtypes = {DtypeInfo{Dtype::f64, "F64", 8}, DtypeInfo{Dtype::f32, "F32", 4},
                                DtypeInfo{Dtype::i64, "I64", 8}, DtypeInfo{Dtype::i32, "I32", 4},
                                DtypeInfo{Dtype::u8, "U8", 1}};

const DtypeInfo& info(Dtype dtype) { return *std::ranges::find(kDtypes, dtype, &DtypeInfo::dtype); }

Bytes bytes_of_text(std::string_view text) { return std::as_bytes(std::span(text)); }
std::string_view text_of_bytes(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// Nothing when the product leaves the range of size_t.
std::optional<std::size_t> byte_count(Dtype dtype, const Shape& shape) {
  std::size_t count = size_of(dtype);
  for (const std::size_t dimension : shape) {
    if (__builtin_mul_overflow(count, dimension, &count)) return std::nullopt;
  }
  return count;
}

class Checksum {
 public:
  void add(Bytes bytes) {
    if (bytes.empty()) return;  // zlib takes a null pointer for "start anew"
    crc_ = crc32_z(crc_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  }
  std::string text() const { return fmt::format("{:08x}", crc_); }

 private:
  uLong crc_ = 0;
};

/// Where the checksum's digits start in a header; npos when there are none.
std::size_t checksum_position(std::string_view header) {
  const std::size_t at = header.find(kChecksumText);
  return at == std::string_view::npos ? at : at + kChecksumText.size();
}

// ---- writing ----

void check_tensor(const TensorToWrite& tensor) {
  if (tensor.name == kMetadata || tensor.shape.size() > kMaxDimensions ||
      byte_count(tensor.dtype, tensor.shape) != tensor.data.size()) {
    throw std::invalid_argument("tensor '" + tensor.name +
                                "' has a reserved name or a shape that does not fit its data");
  }
}

/// Length, header and checksum of a file, and its tensors in the order in which their data follow.
struct Layout {
  std::string head;
  std::vector<const TensorToWrite*> tensors;

  std::vector<Bytes> pieces() const {
    std::vector<Bytes> all = {bytes_of_text(head)};
    for (const TensorToWrite* tensor : tensors) all.push_back(tensor->data);
    return all;
  }
};

std::string header_text(const json& header) {
  try {
    std::string text = header.dump();
    const std::size_t used = (kLengthBytes + text.size()) % kDataAlignment;
    text.append(used == 0 ? 0 : kDataAlignment - used, ' ');
    if (text.size() <= kMaxHeader) return text;
  } catch (const json::exception&) {
    throw InputError(Place{}, "a class label or feature name is not valid UTF-8 and cannot be stored in a model file",
                     "convert the data to UTF-8 (for example with iconv)");
  }
  throw InputError(Place{}, "the labels and names do not fit into the 100 MB that the header of a model file may have",
                   "use shorter ones");
}

Layout lay_out(const Metadata& metadata, std::span<const TensorToWrite> tensors) {
  Layout layout;
  for (const TensorToWrite& tensor : tensors) {
    check_tensor(tensor);
    layout.tensors.push_back(&tensor);
  }
  // The format allows no gaps: wide types first keep every tensor aligned.
  std::ranges::sort(layout.tensors, [](const TensorToWrite* a, const TensorToWrite* b) {
    const std::size_t wide = size_of(a->dtype), other = size_of(b->dtype);
    return wide != other ? wide > other : a->name < b->name;
  });

  json header = json::object();
  header[kMetadata] = metadata;
  header[kMetadata]["checksum"] = kBlankChecksum;
  std::size_t offset = 0;
  for (const TensorToWrite* tensor : layout.tensors) {
    if (header.contains(tensor->name)) throw std::invalid_argument("two tensors are called '" + tensor->name + "'");
    const std::size_t end = offset + tensor->data.size();
    json& entry = header[tensor->name];
    entry["dtype"] = info(tensor->dtype).name;
    entry["shape"] = tensor->shape;
    entry["data_offsets"] = {offset, end};
    offset = end;
  }
  const std::string text = header_text(header);
  const std::uint64_t length = text.size();
  layout.head = std::string(reinterpret_cast<const char*>(&length), kLengthBytes) + text;

  Checksum checksum;
  for (const Bytes piece : layout.pieces()) checksum.add(piece);
  layout.head.replace(checksum_position(layout.head), kBlankChecksum.size(), checksum.text());
  return layout;
}

// ---- reading ----

[[noreturn]] void fail(const std::string& file, std::string_view problem) {
  throw InputError({file}, fmt::format("{}", problem), "the file is damaged or no model: copy it again or train anew");
}

/// A name out of an unchecked header, fit for one line of a message.
std::string shown(std::string_view name) {
  return json(name.substr(0, 60)).dump(-1, ' ', true, json::error_handler_t::replace);
}

/// The header, an object at most as deep as a header can be, without repeated keys.
json parse_header(std::string_view text, const std::string& file) {
  std::size_t keys = 0;
  std::size_t objects = 0;
  const auto watch = [&](int depth, json::parse_event_t event, const json&) {
    using Event = json::parse_event_t;
    if ((event == Event::object_start && depth > 1) || (event == Event::array_start && depth > 2)) {
      fail(file, "its header is nested too deeply");
    }
    if (event == Event::key) ++keys;
    // Where an object ends the parser looks through all that are open: their number is squared.
    if (event == Event::object_end && depth == 1 && ++objects > kMaxTensors)
      fail(file, "its header has too many tensors");
    return true;
  };
  json header;
  try {
    header = json::parse(text.begin(), text.end(), watch);
  } catch (const json::exception&) {  // its message would quote the file's bytes
    fail(file, "its header is not valid JSON");
  }
  if (!header.is_object()) fail(file, "its header is not a JSON object");
  std::size_t kept = header.size();  // of equal keys the parser keeps one
  for (const json& value : header) kept += value.is_object() ? value.size() : 0;
  if (kept != keys) fail(file, "its header has the same key twice");
  return header;
}

Metadata read_metadata(const json& header, const std::string& file) {
  Metadata metadata;
  const auto found = header.find(kMetadata);
  if (found == header.end()) return metadata;
  if (!found->is_object()) fail(file, "its metadata are not a JSON object");
  for (const auto& [key, value] : found->items()) {
    if (!value.is_string()) fail(file, fmt::format("its metadata entry {} is not a text", shown(key)));
    metadata.emplace(key, value.get_ref<const std::string&>());
  }
  return metadata;
}

/// A list of at most `most` non-negative integers.
std::optional<std::vector<std::size_t>> read_sizes(const json& list, std::size_t most) {
  if (!list.is_array() || list.size() > most) return std::nullopt;
  if (!std::ranges::all_of(list, [](const json& value) { return value.is_number_unsigned(); })) return std::nullopt;
  return list.get<std::vector<std::size_t>>();
}

TensorView read_tensor(std::string_view name, const json& value, Bytes data, const std::string& file) {
  const auto reject = [&](std::string_view problem) { fail(file, fmt::format("tensor {} {}", shown(name), problem)); };
  if (!value.is_object() || value.size() != 3 || !value.contains("dtype") || !value.contains("shape") ||
      !value.contains("data_offsets")) {
    reject("does not have just dtype, shape and data_offsets");
  }
  const auto dtype =
      std::ranges::find_if(kDtypes, [&](const DtypeInfo& known) { return value["dtype"] == known.name; });
  if (dtype == kDtypes.end()) reject("has an unknown dtype");
  const auto shape = read_sizes(value["shape"], kMaxDimensions);
  if (!shape) reject("has a shape that is not a short list of sizes");
  const auto offsets = read_sizes(value["data_offsets"], 2);
  if (!offsets || offsets->size() != 2) reject("has data_offsets that are not two positions");
  const std::size_t begin = (*offsets)[0], end = (*offsets)[1];
  if (begin > end || end > data.size()) reject("lies outside of the file");
  if (byte_count(dtype->dtype, *shape) != end - begin) reject("has a shape that does not fit its data");
  return {dtype->dtype, *shape, data.subspan(begin, end - begin)};
}

/// The tensors cover the data without overlap or gap: nothing is hidden, nothing is read twice.
void check_cover(const std::map<std::string, TensorView, std::less<>>& tensors, Bytes data, const std::string& file) {
  std::vector<Bytes> parts;
  for (const auto& [name, tensor] : tensors) parts.push_back(tensor.data);
  std::ranges::sort(parts, {}, [](Bytes part) { return std::pair(part.data(), part.size()); });
  const std::byte* covered = data.data();
  for (const Bytes part : parts) {
    if (part.data() < covered) fail(file, "its tensors overlap");
    if (part.data() > covered) fail(file, "there is a gap between its tensors");
    covered += part.size();
  }
  if (covered != data.data() + data.size()) fail(file, "there are bytes after its last tensor");
}

bool is_text(char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t'; }

void check_length(std::uint64_t header, std::size_t file_size, const std::string& file) {
  if (header <= kMaxHeader && header <= file_size - kLengthBytes) return;
  if (const auto first = std::bit_cast<std::array<char, sizeof header>>(header); std::ranges::all_of(first, is_text)) {
    throw InputError(
        {file},
        fmt::format("no model, but text that begins with {}", shown(std::string_view(first.data(), first.size()))),
        "is this a table?");
  }
  fail(file, fmt::format("is not a safetensors file or is cut short: it claims a header of {} bytes in a file of {}",
                         header, file_size));
}

/// A file that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {  // a pipe shall not block
    if (file_ < 0) reject();
  }
  ~Descriptor() { ::close(file_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  std::size_t size() const {
    struct stat status = {};
    if (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
      throw InputError({path_}, "is not a regular file", "give the path of a model file");
    }
    return static_cast<std::size_t>(status.st_size);
  }

  void read(std::span<std::byte> out, std::size_t position) const {
    for (std::size_t done = 0; done < out.size();) {
      const ssize_t got = ::pread(file_, out.data() + done, out.size() - done, static_cast<off_t>(position + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) reject();
      if (got == 0) fail(path_, "was cut short while it was read");
      done += static_cast<std::size_t>(got);
    }
  }

 private:
  [[noreturn]] void reject() const {
    throw InputError({path_}, fmt::format("cannot be read ({})", std::strerror(errno)),
                     "give the path of a model file");
  }

  const std::string& path_;
  int file_;
};

/// The whole file, on a cache line. The length of the header is looked at first: it tells other large files apart.
std::shared_ptr<const std::byte> read_file(const std::string& path, std::size_t& size) {
  const Descriptor file(path);
  size = file.size();
  if (size >= kLengthBytes) {
    std::uint64_t header = 0;
    file.read(std::as_writable_bytes(std::span(&header, 1)), 0);
    check_length(header, size, path);
  }
  MemoryBudget().require(static_cast<double>(size), path, "free some memory");
  constexpr std::align_val_t kLine{kDataAlignment};
  const std::shared_ptr<std::byte> bytes(static_cast<std::byte*>(::operator new(size, kLine)),
                                         [](std::byte* memory) { ::operator delete(memory, kLine); });
  file.read({bytes.get(), size}, 0);
  return bytes;
}

}  // namespace

std::size_t size_of(Dtype dtype) { return info(dtype).size; }

std::string safetensors_bytes(const Metadata& metadata, std::span<const TensorToWrite> tensors) {
  std::string out;
  const Layout layout = lay_out(metadata, tensors);
  for (const Bytes piece : layout.pieces()) out += text_of_bytes(piece);
  return out;
}

void write_safetensors(const std::string& path, const Metadata& metadata, std::span<const TensorToWrite> tensors) {
  const Layout layout = lay_out(metadata, tensors);
  write_file_atomically(path, layout.pieces());
}

SafetensorsFile SafetensorsFile::open(const std::string& path) {
  std::size_t size = 0;
  std::shared_ptr<const std::byte> bytes = read_file(path, size);
  return {path, Bytes(bytes.get(), size), std::move(bytes)};
}

SafetensorsFile SafetensorsFile::from_bytes(std::string bytes, const std::string& name) {
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  return {name, bytes_of_text(*owner), owner};
}

SafetensorsFile::SafetensorsFile(std::string name, Bytes bytes, std::shared_ptr<const void> storage)
    : name_(std::move(name)), bytes_(bytes), storage_{std::move(storage)} {
  if (bytes.size() < kLengthBytes) {
    fail(name_, fmt::format("is {} bytes long, too short for a safetensors file", bytes.size()));
  }
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  check_length(length, bytes.size(), name_);
  const json header = parse_header(text_of_bytes(bytes.subspan(kLengthBytes, length)), name_);
  const Bytes data = bytes.subspan(kLengthBytes + length);
  metadata_ = read_metadata(header, name_);
  for (const auto& [key, value] : header.items()) {
    if (key != kMetadata) tensors_.emplace(key, read_tensor(key, value, data, name_));
  }
  check_cover(tensors_, data, name_);

  for (auto& [key, tensor] : tensors_) {  // other programs need not align
    if (reinterpret_cast<std::uintptr_t>(tensor.data.data()) % size_of(tensor.dtype) == 0) continue;
    const auto copy = std::make_shared<const std::vector<std::byte>>(tensor.data.begin(), tensor.data.end());
    tensor.data = *copy;
    storage_.push_back(copy);
  }
}

const TensorView& SafetensorsFile::tensor(std::string_view tensor_name) const {
  const auto found = tensors_.find(tensor_name);
  if (found == tensors_.end()) fail(name_, fmt::format("has no tensor {}", shown(tensor_name)));
  return found->second;
}

std::span<const std::byte> SafetensorsFile::bytes_of(std::string_view tensor_name, Dtype dtype) const {
  const TensorView& view = tensor(tensor_name);
  if (view.dtype != dtype) {
    fail(name_, fmt::format("tensor {} should hold {} but holds {}", shown(tensor_name), info(dtype).name,
                            info(view.dtype).name));
  }
  return view.data;
}

void SafetensorsFile::verify_checksum() const {
  const auto stored = metadata_.find("checksum");
  if (stored == metadata_.end()) fail(name_, "has no checksum");
  const std::size_t at = checksum_position(text_of_bytes(bytes_));
  const std::size_t after = at == std::string_view::npos ? at : at + kBlankChecksum.size();
  if (after > bytes_.size()) fail(name_, "has a checksum of another program");
  Checksum checksum;
  checksum.add(bytes_.first(at));
  checksum.add(bytes_of_text(kBlankChecksum));
  checksum.add(bytes_.subspan(after));
  if (stored->second != checksum.text()) fail(name_, "its checksum does not match its content");
}

}  // namespace manyone
