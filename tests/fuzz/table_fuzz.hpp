// SPDX-License-Identifier: Apache-2.0
//
// What the fuzz targets of the table readers do with their bytes: read them as a training table under every policy for
// missing values; what could be read must read alike in blocks; and predict them with a fixed schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "data/table_reader.hpp"
#include "manyone/errors.hpp"

namespace manyone {

/// Rows of all blocks. `step` is small, so that records are cut anywhere.
inline Index count_rows(TableFormat format, std::string_view bytes, std::string_view labels, const Schema& schema) {
  BlockOptions options;
  options.format = format;
  options.rows_per_block = 3;
  constexpr std::size_t step = 7;
  BlockReader reader(bytes_in_memory(std::string(bytes), "fuzz", step), schema, options,
                     labels.empty() ? nullptr : bytes_in_memory(std::string(labels), "fuzz labels"));
  Index rows = 0;
  for (Block block; reader.next(block);) rows += block.features.rows();
  return rows;
}

inline void fuzz_table(TableFormat format, std::string_view bytes, std::string_view labels = {}) {
  ReadOptions options;
  options.format = format;
  options.memory = MemoryBudget(std::uint64_t{64} << 20);
  for (const MissingPolicy policy :
       {MissingPolicy::error, MissingPolicy::drop, MissingPolicy::mean, MissingPolicy::indicator}) {
    options.missing = policy;
    Dataset data;
    try {
      data = read_dataset(bytes_in_memory(std::string(bytes), "fuzz"), options,
                          labels.empty() ? nullptr : bytes_in_memory(std::string(labels), "fuzz labels"));
    } catch (const Error&) {
      continue;
    }
    if (data.rows() != static_cast<Index>(data.labels.size()) || data.features.features() != data.schema.features())
      std::abort();
    try {
      if (count_rows(format, bytes, labels, data.schema) != data.rows() && policy != MissingPolicy::drop) std::abort();
    } catch (const Error&) {
      // Dropped rows are an error at prediction, and a header may be told apart only with the whole table.
    }
  }
  Schema schema;
  schema.named = true;
  schema.target = "class";
  schema.target_position = 2;
  schema.columns.resize(2);
  schema.columns[0].name = "x";
  schema.columns[1].name = "k";
  schema.columns[1].nominal = format == TableFormat::csv || format == TableFormat::arff;
  if (schema.columns[1].nominal) schema.columns[1].values = {"u", "v"};
  try {
    count_rows(format, bytes, labels, schema);
  } catch (const Error&) {
  }
}

}  // namespace manyone
