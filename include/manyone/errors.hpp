// SPDX-License-Identifier: Apache-2.0
//
// What the library throws. Installed, this file is the one it includes.
#pragma once

#include "../../src/manyone/base/errors.hpp"
