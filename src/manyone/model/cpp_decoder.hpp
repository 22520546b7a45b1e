// SPDX-License-Identifier: Apache-2.0
//
// Decoders as C++ source: the loops of decoder/decoder.cpp for one row, from `double f[]` to `double* out`.
#pragma once

#include "manyone/decoder/decoder.hpp"
#include "manyone/model/cpp_source.hpp"

namespace manyone {

void write_cpp_decoder(CppSource& source, const Decoder& decoder);

}  // namespace manyone
