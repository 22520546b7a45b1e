// SPDX-License-Identifier: Apache-2.0
//
// The frame of the conformance tests: a test suite that runs once per backend, the sizes it runs at, and a matrix in a
// frame of sentinels that shows whether a strided view was overrun.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include "tests/problems.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {

/// Around the edges of the tiles of the fast backends (16, 128, 192, 256) and across two of them.
inline constexpr std::array<Index, 16> kSizes = {1, 2, 3, 15, 16, 17, 127, 128, 129, 191, 192, 193, 255, 256, 257, 385};
/// Right-hand sides: one, a few, more than any vector register holds.
inline constexpr std::array<Index, 3> kColumns = {1, 3, 33};

class EveryBackend : public testing::TestWithParam<std::string> {
 protected:
  const Backend& backend() const { return *backend_; }
  Interrupt interrupt;

 private:
  std::unique_ptr<Backend> backend_ = make_backend(GetParam(), 2);
};

/// For INSTANTIATE_TEST_SUITE_P: the backend's name is the name of the instance.
inline std::string name_of_backend(const testing::TestParamInfo<std::string>& info) { return info.param; }

/// A rows x cols view with an outer stride, one sentinel row above and below, two sentinel columns on each side.
template <class Content, class ContentView>
class FramedMatrix {
 public:
  FramedMatrix(Index rows, Index cols)
      : rows_(rows), cols_(cols), store_(Content::Constant(rows + 2, cols + 4, kSentinel)) {}
  explicit FramedMatrix(const Content& content) : FramedMatrix(content.rows(), content.cols()) { view() = content; }

  ContentView view() { return store_.block(1, 2, rows_, cols_); }
  bool frame_untouched() const {
    Content copy = store_;
    copy.block(1, 2, rows_, cols_).setConstant(kSentinel);
    return (copy.array() == kSentinel).all();
  }

 private:
  static constexpr typename Content::Scalar kSentinel = -7777.25;
  Index rows_;
  Index cols_;
  Content store_;
};
using Framed = FramedMatrix<Matrix, View>;
using FramedFloat = FramedMatrix<FloatMatrix, FloatView>;

inline std::string fmt_size(Index rows, Index inner, Index cols) {
  return std::to_string(rows) + " x " + std::to_string(inner) + " x " + std::to_string(cols);
}

}  // namespace manyone::test
