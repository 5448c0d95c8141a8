// SPDX-License-Identifier: BSD-3-Clause
// What moving memory by itself has done, for the report.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/metrics.hpp"
#include "memory/units.hpp"

namespace nestbind::memory::apply {

// Why a region, or a part of it, was left alone.
enum class Why {
  kFile,       // not the program's own private memory
  kLocked,     // it is locked
  kPolicy,     // the program has given it a policy
  kNotBetter,  // moving it has not helped
  kRefused,    // the kernel does not tell of policies here, or sets none
  kHeld,       // its pages could not be moved: something holds them
  kMany,       // as many regions have a policy as may have one
};

struct Left {
  Range range;
  Why why = Why::kFile;

  bool operator==(const Left&) const = default;
};

struct Record {
  std::uint64_t intervals = 0;
  std::uint64_t scans = 0;  // of the kernel's balancing
  bool has_moved = false;
  Traffic before;                         // of the interval in which something was moved first
  Traffic after;                          // of the latest interval
  std::vector<std::uint64_t> pages_to;    // pages that were moved, by the node they are on now
  std::vector<std::uint64_t> pages_from;  // likewise, by the one that they were on
  std::uint64_t pages_kept = 0;           // that were ordered to move and did not
  std::uint64_t replicas = 0;             // units that asked for copies, at most in an interval
  std::uint64_t spread_bytes = 0;         // that have the policy against the kernel's balancing
  NodeSet full = 0;                       // nodes that had less than 5 % free, in some interval
  std::vector<Left> left;                 // in order of addresses

  std::uint64_t pages() const {
    std::uint64_t all = 0;
    for (const std::uint64_t some : pages_to) {
      all += some;
    }
    return all;
  }
};

}  // namespace nestbind::memory::apply
