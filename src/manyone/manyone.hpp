// SPDX-License-Identifier: Apache-2.0
//
// Manyone: multiclass kernel classification at the price of one binary machine. The one include for programs.
#pragma once

#include "manyone/backend/runtime.hpp"
#include "manyone/base/errors.hpp"
#include "manyone/data/dataset.hpp"
#include "manyone/data/table_reader.hpp"
#include "manyone/decoder/decoder.hpp"
#include "manyone/model/classifier.hpp"
#include "manyone/model/cpp_header.hpp"
#include "manyone/model/libsvm_model.hpp"
#include "manyone/model/onnx.hpp"
#include "manyone/selection/fit.hpp"
#include "manyone/selection/tune.hpp"
#include "manyone/statistics/metrics.hpp"
