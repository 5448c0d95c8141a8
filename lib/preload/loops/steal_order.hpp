// SPDX-License-Identifier: BSD-3-Clause
// Whom a member steals from, and in which order: the queues of the same L2, L3, NUMA node, package,
// then by NUMA distance. Within a class the one with most left; ties from the own number upward.
#pragma once

#include <cstdint>

#include "loops/grouping.hpp"
#include "loops/loop_places.hpp"

namespace nestbind::loops {

// A queue that one may steal from. Those of a class are behind each other.
struct Victim {
  std::uint16_t queue = 0;
  Distance distance = Distance::kFar;
  bool ends_class = false;
};

// Writes the victims of a member in the order in which they are looked at: class by class, and in
// each upward from the member's own queue, round the end. A queue is where its first member is.
// victims has room for grouping.queues - 1 of them, which are all written.
void order_victims(const Places& places, const Grouping& grouping, int member, Victim* victims);

}  // namespace nestbind::loops
