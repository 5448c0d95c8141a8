// SPDX-License-Identifier: BSD-3-Clause
// One interval of moving memory by itself: counts and samples in, orders out. Decides (decide.hpp),
// deals (deal.hpp), and holds back (restraint.hpp). Moves nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/decide.hpp"
#include "memory/restraint.hpp"
#include "memory/seen.hpp"

namespace nestbind::memory {

// A mapping, or a part of one, that may be moved.
struct Region {
  std::uint64_t name = 0;  // any number that stays its own
  Seen seen;               // with homes
  bool is_ready = true;    // otherwise it counts, but nothing is ordered of it yet
};

struct NodeMemory {
  std::uint64_t free = 0;  // bytes
  std::uint64_t total = 0;
};

struct Order {
  Unit unit;
  int from = 0;
  int to = 0;
  std::uint64_t region = 0;
  Fate why = Fate::kMove;  // or kInterleave
  std::size_t place = 0;   // of the region, as it was handed in

  bool operator==(const Order&) const = default;
};

struct Orders {
  Enabled enabled;
  std::vector<Order> moves;  // by region as handed in, in order of addresses
  std::vector<std::uint64_t>
      stopped;               // regions that are left alone from this interval on: to be told
  std::size_t replicas = 0;  // units that ask for replicas: the caller can only advise them
};

struct Limits {
  std::uint64_t bytes = 0;  // may be moved in this interval: bytes_allowed()
  bool always = false;      // act although the intensity is not known
};

// What was seen of all regions, by the node that the memory is on. This is what an interval's
// counts are where nothing counts accesses. Units whose home is not known do not count.
Traffic traffic_of(std::span<const Region> regions);

// The moves of one interval. nodes: the memory of each; a node that is short of it is given
// nothing. Calls restraint.begin() and judge() for each region, not moved(): what was moved is
// known only when it has been read back. Nothing is ordered of a unit with less than 4 samples, in
// its cool-down, or of a stopped region; and none goes to its only user where less than a twentieth
// of the region's samples are of such units, which is what chance makes of shared memory.
Orders orders_of(const Counts& counts, std::span<const Region> regions,
                 std::span<const NodeMemory> nodes, const Limits& limits, Restraint& restraint);

}  // namespace nestbind::memory
