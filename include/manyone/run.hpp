// SPDX-License-Identifier: Apache-2.0
//
// Run: where and how a call works, who listens and who may stop it. What it computes does not depend on it.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include <manyone/observer.hpp>

namespace manyone::abi_0 {

/// A value to be filled in as far as wanted: Run{.threads = 2}. Nothing is started before a call, and nothing is left
/// running after it.
struct Run {
  int threads = 0;               ///< 0: as many as this process may use
  std::uint64_t memory = 0;      ///< bytes that may be used; 0: nine tenths of what is free
  std::string device = "auto";   ///< auto, cpu or reference (slow, for comparison)
  Observer* observer = nullptr;  ///< told of progress and notes; outlives the call
  std::stop_token stop = {};     ///< a stop that is requested ends the call soon
};

}  // namespace manyone::abi_0
