// SPDX-License-Identifier: Apache-2.0
//
// The text of exported headers. That compilers take it and get our scores is tests/export's business.
#include "model/cpp_header.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "backend/runtime.hpp"
#include "base/cpp_source.hpp"
#include "tests/problems.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

TEST(CppHeader, NamespacesComeFromTheName) {
  EXPECT_EQ(cpp_namespace("iris.hpp"), "iris");
  EXPECT_EQ(cpp_namespace("out/My-Model.v2.hpp"), "My_Model_v2");
  EXPECT_EQ(cpp_namespace("3d.hpp"), "model_3d");
  EXPECT_EQ(cpp_namespace("--x.hpp"), "model_x");
  EXPECT_EQ(cpp_namespace("class.hpp"), "class_model");
  EXPECT_EQ(cpp_namespace("std.h"), "std_model");
  EXPECT_EQ(cpp_namespace("größe.hpp"), "gr_e");
}

RC_GTEST_PROP(CppHeader, NumbersReadBackToTheSameDouble, (double number)) {
  RC_PRE(std::isfinite(number));
  RC_ASSERT(std::strtod(cpp_number(number).c_str(), nullptr) == number);
}

TEST(CppHeader, LongWholeNumbersAreNoIntegerLiterals) {
  EXPECT_EQ(cpp_number(0), "0");
  EXPECT_EQ(cpp_number(-3), "-3");
  EXPECT_NE(cpp_number(123456789012.0).find_first_of(".e"), std::string::npos);
  EXPECT_NE(cpp_number(std::numeric_limits<double>::max()).find_first_of(".e"), std::string::npos);
}

TEST(CppHeader, NamesOfAnyBytesAreLiterals) {
  EXPECT_EQ(cpp_string("a\"b\\c\n"), R"("a\"b\\c\012")");
  EXPECT_EQ(cpp_string("ü?"
                       "?/"),
            R"("\303\274\077\077/")");
  EXPECT_EQ(cpp_string("\x01"
                       "2"),
            R"("\0012")");
}

TEST(CppHeader, NoTextOfAModelLeavesItsComment) {
  EXPECT_EQ(cpp_comment("svm-ovo 1.2"), "svm-ovo 1.2");
  EXPECT_EQ(cpp_comment("a\nint b;"), "a_int b;");
  EXPECT_EQ(cpp_comment("*/ c \\ \xff"), "__ c _ _");
  EXPECT_EQ(cpp_comment("?\?/"), "___");
  const Runtime runtime(1);
  Model model = train(runtime.execution(), clouds(20, 2, 3, 0.4, 1), {}, 0.7, 0.1);
  model.machine = "onelsm\nstatic int injected = 1; // \\";
  const std::string text = cpp_header(model, {"h", "1\nint version;"});
  EXPECT_EQ(text.find("\nstatic int injected"), std::string::npos);
  EXPECT_EQ(text.find("\nint version"), std::string::npos);
}

TEST(CppHeader, TooLargeModelsAreSentToOnnx) {
  const Runtime runtime(1);
  Model model = train(runtime.execution(), clouds(20, 2, 3, 0.4, 1), {}, 0.7, 0.1);
  Model wide = model;
  wide.expansion.centres = Features(SparseMatrix(20, 200'000));
  expect_contains(message_of([&] { cpp_header(wide, {"wide", ""}); }), "use onnx");
  model.expansion.centres = random_matrix(6000, 200, 1);
  model.expansion.coefficients = random_matrix(6000, 3, 2);
  EXPECT_THROW(cpp_header(model, {"large", ""}), ConfigError);
  expect_contains(message_of([&] { cpp_header(model, {"large", ""}); }), "use onnx");
}

}  // namespace
}  // namespace manyone::test
