// SPDX-License-Identifier: Apache-2.0
#include "model/safetensors.hpp"

#include <sys/stat.h>

#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "manyone/errors.hpp"

namespace manyone {
namespace {

namespace fs = std::filesystem;

/// A file from a header as it stands, valid or not.
std::string raw_file(const std::string& header, const std::string& data = "") {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

SafetensorsFile read(const std::string& bytes) { return SafetensorsFile::from_bytes(bytes, "m.safetensors"); }

std::string message_of(const std::string& bytes) {
  try {
    read(bytes).verify_checksum();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

template <class T>
bool same_bits(std::span<const T> a, const std::vector<T>& b) {
  return a.size() == b.size() && (b.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

std::string small_file() {
  const std::vector<double> centres = {1, 2, 3, 4};
  const std::vector<std::uint8_t> labels = {'a', 'b', 'c'};
  const std::array tensors = {TensorToWrite::of<double>("centres", {2, 2}, centres),
                              TensorToWrite::of<std::uint8_t>("labels", {3}, labels)};
  return safetensors_bytes({{"format", "test"}}, tensors);
}

TEST(Safetensors, AnOpenFileMayBeCutShort) {
  const fs::path path = fs::temp_directory_path() / "manyone_cut_short.safetensors";
  const std::vector<double> values(1 << 20, 0.5);
  const std::array tensors = {TensorToWrite::of<double>("v", {values.size()}, values)};
  write_safetensors(path.string(), {}, tensors);
  const SafetensorsFile file = SafetensorsFile::open(path.string());
  fs::resize_file(path, 100);
  EXPECT_EQ(file.f64("v").back(), 0.5);
  EXPECT_NO_THROW(file.verify_checksum());
  EXPECT_THROW(SafetensorsFile::open(path.string()), InputError);
  fs::remove(path);
}

TEST(Safetensors, FileOfKnownBytes) {
  const std::vector<std::int32_t> values = {1, -1};
  const std::array tensors = {TensorToWrite::of<std::int32_t>("v", {2}, values)};
  const std::string bytes = safetensors_bytes({{"k", "x"}}, tensors);
  std::string header = R"({"__metadata__":{"checksum":"78625de3","k":"x"},)"  // the checksum by another program
                       R"("v":{"data_offsets":[0,8],"dtype":"I32","shape":[2]}})";
  header.resize(128 - 8, ' ');
  EXPECT_EQ(bytes, raw_file(header, std::string("\1\0\0\0\xff\xff\xff\xff", 8)));
}

TEST(Safetensors, SpecialDoublesKeepTheirBits) {
  using Limits = std::numeric_limits<double>;
  const std::vector<double> values = {-0.0,
                                      Limits::denorm_min(),
                                      -Limits::denorm_min(),
                                      Limits::infinity(),
                                      std::bit_cast<double>(0x7ff4dead0000beefULL),   // signalling NaN with a payload
                                      std::bit_cast<double>(0xfff8000000000001ULL)};  // negative quiet NaN
  const std::array tensors = {TensorToWrite::of<double>("x", {values.size()}, values)};
  EXPECT_TRUE(same_bits(read(safetensors_bytes({}, tensors)).f64("x"), values));
}

RC_GTEST_PROP(Safetensors, RandomTensorsRoundTripBitExactly,
              (std::vector<std::uint64_t> bits, std::vector<float> floats, std::vector<std::int64_t> longs,
               std::vector<std::int32_t> ints, std::vector<std::uint8_t> bytes)) {
  std::vector<double> doubles;  // any bit pattern is a double, so NaN payloads and denormals all occur
  for (const std::uint64_t word : bits) doubles.push_back(std::bit_cast<double>(word));
  const auto text = *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
  const std::array tensors = {TensorToWrite::of<std::uint8_t>("bytes", {bytes.size(), 1}, bytes),
                              TensorToWrite::of<float>("floats", {floats.size()}, floats),
                              TensorToWrite::of<double>("doubles", {1, doubles.size()}, doubles),
                              TensorToWrite::of<std::int32_t>("ints", {ints.size()}, ints),
                              TensorToWrite::of<std::int64_t>("longs", {longs.size()}, longs)};
  const SafetensorsFile file = read(safetensors_bytes({{"text", text}}, tensors));
  file.verify_checksum();
  RC_ASSERT(same_bits(file.f64("doubles"), doubles));
  RC_ASSERT(same_bits(file.f32("floats"), floats));
  RC_ASSERT(same_bits(file.i64("longs"), longs));
  RC_ASSERT(same_bits(file.i32("ints"), ints));
  RC_ASSERT(same_bits(file.u8("bytes"), bytes));
  RC_ASSERT(file.tensor("doubles").shape == (Shape{1, doubles.size()}));
  RC_ASSERT(file.metadata().at("text") == text);
}

TEST(Safetensors, EveryFlippedBitIsDetected) {
  const std::string good = small_file();
  ASSERT_NO_THROW(read(good).verify_checksum());
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
      EXPECT_NE(message_of(bad), "") << "byte " << i << ", bit " << bit;
    }
  }
}

TEST(Safetensors, EveryShorterFileIsRejected) {
  const std::string good = small_file();
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_THROW(read(good.substr(0, length)), InputError) << length;
  }
  EXPECT_THROW(read(good + 'x'), InputError);
}

TEST(Safetensors, MetadataCannotImitateTheChecksum) {
  const std::string bytes = safetensors_bytes({{"a", R"("checksum":"12345678")"}, {R"("checksum":")", "x"}}, {});
  EXPECT_NO_THROW(read(bytes).verify_checksum());
}

TEST(Safetensors, CopyOfAReadFileHasTheSameBytes) {
  const std::string bytes = small_file();
  const SafetensorsFile file = read(bytes);
  std::vector<TensorToWrite> tensors;
  for (const auto& [name, tensor] : file.tensors()) tensors.push_back({name, tensor.dtype, tensor.shape, tensor.data});
  EXPECT_EQ(safetensors_bytes(file.metadata(), tensors), bytes);
}

TEST(Safetensors, TensorsOutliveTheFirstHandle) {
  auto file = std::make_unique<SafetensorsFile>(read(small_file()));
  const SafetensorsFile copy = *file;
  file.reset();
  EXPECT_EQ(copy.f64("centres")[3], 4.0);
}

TEST(Safetensors, WrongTypeOrNameSaysWhich) {
  const SafetensorsFile file = read(small_file());
  EXPECT_TRUE(file.has("centres"));
  EXPECT_FALSE(file.has("__metadata__"));
  EXPECT_THROW(file.tensor("gone"), InputError);
  try {
    file.f32("centres");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "m.safetensors: tensor \"centres\" should hold F32 but holds F64; the file is damaged or "
                 "no model: copy it again or train anew");
  }
}

TEST(Safetensors, MisalignedForeignTensorsAreReadable) {
  for (const std::string pad : {"", " ", "  ", "   ", "    "}) {
    const std::string header = R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                               R"("x":{"dtype":"F64","shape":[1],"data_offsets":[1,9]}})";
    const double value = -2.5;
    const std::string value_bytes(reinterpret_cast<const char*>(&value), sizeof value);
    const SafetensorsFile file = read(raw_file(header + pad, "!" + value_bytes));
    EXPECT_EQ(file.f64("x")[0], value);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file.f64("x").data()) % alignof(double), 0u);
    EXPECT_THROW(file.verify_checksum(), InputError);
  }
}

std::string one_tensor(const std::string& entry) { return R"({"t":{)" + entry + "}}"; }

TEST(Safetensors, WhatAHeaderMayNotClaim) {
  // Eight bytes of data follow each of these headers.
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "not valid JSON"},
      {"{", "not valid JSON"},
      {"[]", "not a JSON object"},
      {"7", "not a JSON object"},
      {R"({"t":1e999})", "not valid JSON"},
      {R"({"t":[[[[1]]]]})", "nested too deeply"},
      {R"({"__metadata__":{"a":{"b":"c"}}})", "nested too deeply"},
      {std::string(1'000'000, '['), "nested too deeply"},
      {R"({"__metadata__":[]})", "metadata are not a JSON object"},
      {R"({"__metadata__":{"a":1}})", "\"a\" is not a text"},
      {R"({"__metadata__":{"a":"1","a":"1"}})", "same key twice"},
      {R"({})", "bytes after its last tensor"},
      {R"({"t":[]})", "just dtype, shape and data_offsets"},
      {one_tensor(R"("dtype":"U8","shape":[8])"), "just dtype, shape and data_offsets"},
      {one_tensor(R"("dtype":"U8","shape":[8],"data_offsets":[0,8],"more":1)"), "just dtype, shape and data_offsets"},
      {one_tensor(R"("dtype":"Q9","shape":[8],"data_offsets":[0,8])"), "unknown dtype"},
      {one_tensor(R"("dtype":8,"shape":[8],"data_offsets":[0,8])"), "unknown dtype"},
      {one_tensor(R"("dtype":"U8","shape":[-8],"data_offsets":[0,8])"), "short list of sizes"},
      {one_tensor(R"("dtype":"U8","shape":[8.0],"data_offsets":[0,8])"), "short list of sizes"},
      {one_tensor(R"("dtype":"U8","shape":8,"data_offsets":[0,8])"), "short list of sizes"},
      {one_tensor(R"("dtype":"U8","shape":[8,1,1,1,1,1,1,1,1],"data_offsets":[0,8])"), "short list of sizes"},
      {one_tensor(R"("dtype":"U8","shape":[18446744073709551616],"data_offsets":[0,8])"), "short list of sizes"},
      {one_tensor(R"("dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0])"), "does not fit its data"},
      {one_tensor(R"("dtype":"F64","shape":[2305843009213693953],"data_offsets":[0,8])"), "does not fit its data"},
      {one_tensor(R"("dtype":"F64","shape":[2],"data_offsets":[0,8])"), "does not fit its data"},
      {one_tensor(R"("dtype":"U8","shape":[8],"data_offsets":[0])"), "not two positions"},
      {one_tensor(R"("dtype":"U8","shape":[8],"data_offsets":[8,0])"), "outside of the file"},
      {one_tensor(R"("dtype":"U8","shape":[9],"data_offsets":[0,9])"), "outside of the file"},
      {one_tensor(R"("dtype":"U8","shape":[8],"data_offsets":[18446744073709551615,7])"), "outside of the file"},
      {one_tensor(R"("dtype":"U8","shape":[7],"data_offsets":[1,8])"), "gap between its tensors"},
      {R"({"s":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"t":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}})",
       "tensors overlap"},
      {R"({"t":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"t":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}})",
       "same key twice"}};
  for (const auto& [header, problem] : cases) {
    const std::string message = message_of(raw_file(header, "12345678"));
    EXPECT_NE(message.find(problem), std::string::npos) << header.substr(0, 100) << "\n" << message;
    EXPECT_TRUE(message.starts_with("m.safetensors: ")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

TEST(Safetensors, HostileNamesStayOnOneShortLine) {
  const std::string name(5000, '\n');
  const std::string message = message_of(raw_file("{" + nlohmann::json(name).dump() + ":1}"));
  EXPECT_EQ(message.find('\n'), std::string::npos);
  EXPECT_LT(message.size(), 400u);
}

TEST(Safetensors, WhatCannotBeWrittenIsRefused) {
  const std::vector<double> two = {1, 2};
  const auto tensor = [&](const char* name, Shape shape) {
    return TensorToWrite::of<double>(name, std::move(shape), two);
  };
  const std::array twice = {tensor("x", {2}), tensor("x", {2})};
  const std::array misfit = {tensor("x", {3})};
  const std::array reserved = {tensor("__metadata__", {2})};
  EXPECT_THROW(safetensors_bytes({}, twice), std::invalid_argument);
  EXPECT_THROW(safetensors_bytes({}, misfit), std::invalid_argument);
  EXPECT_THROW(safetensors_bytes({}, reserved), std::invalid_argument);
  EXPECT_THROW(safetensors_bytes({{"latin1", "\xe9t\xe9"}}, {}), InputError);
}

TEST(Safetensors, InvalidFilesNameTheirProblem) {
  const std::map<std::string, std::string> problems = {{"model-truncated", "lies outside of the file"},
                                                       {"model-header-length-huge", "claims a header of"},
                                                       {"model-offsets-overlapping", "tensors overlap"},
                                                       {"model-header-not-json", "not valid JSON"},
                                                       {"model-empty", "0 bytes long"},
                                                       {"model-checksum-wrong", "checksum does not match"}};
  for (const auto& [stem, problem] : problems) {
    const std::string path = std::string(MANYONE_TEST_DATA) + "/invalid/" + stem + ".safetensors";
    try {
      SafetensorsFile::open(path).verify_checksum();
      ADD_FAILURE() << path << " was accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(problem), std::string::npos) << error.what();
      EXPECT_TRUE(std::string(error.what()).starts_with(path));
    }
  }
}

TEST(Safetensors, WrittenFileIsTheSameBytes) {
  const std::string path = testing::TempDir() + "same_bytes.safetensors";
  const std::vector<double> values = {1, 2, 3};
  const std::array tensors = {TensorToWrite::of<double>("x", {3}, values)};
  write_safetensors(path, {{"k", "v"}}, tensors);
  std::ifstream stream(path, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), safetensors_bytes({{"k", "v"}}, tensors));
  const SafetensorsFile file = SafetensorsFile::open(path);
  fs::remove(path);  // a mapping survives the name of its file
  EXPECT_NO_THROW(file.verify_checksum());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file.f64("x").data()) % 64, 0u);
}

TEST(Safetensors, WhatIsNoFileCannotBeOpened) {
  EXPECT_THROW(SafetensorsFile::open("/no/such/folder/m.safetensors"), InputError);
  EXPECT_THROW(SafetensorsFile::open(testing::TempDir()), InputError);
  EXPECT_THROW(SafetensorsFile::open("/dev/null"), InputError);
  const std::string pipe = testing::TempDir() + "pipe.safetensors";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(SafetensorsFile::open(pipe), InputError);  // and does not wait for a writer
  fs::remove(pipe);
}

}  // namespace
}  // namespace manyone
