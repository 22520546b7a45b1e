// SPDX-License-Identifier: Apache-2.0
//
// Side files: any bytes give numbers, a labelbook, folds, or an Error.
#include <cstdlib>

#include "data/number_table.hpp"
#include "data/splits.hpp"
#include "file_in_memory.hpp"
#include "labelbook/labelbook.hpp"
#include "manyone/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace manyone;
  const FileInMemory file({reinterpret_cast<const char*>(data), size});
  try {
    const Matrix numbers = read_number_table(file.path());
    if (numbers.size() == 0 || !numbers.allFinite()) std::abort();
    make_labelbook(numbers, file.path(), static_cast<int>(numbers.rows()));
  } catch (const Error&) {
  }
  try {
    const auto lines = read_lines(file.path());
    const auto folds = folds_from_text(lines, file.path());
    if (folds.size() != lines.size()) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
