// SPDX-License-Identifier: BSD-3-Clause
// Which members of a team share a queue: neighbours by number, so that what they share of the
// iterations is one range, and near the blocks that a static schedule would give them.
#pragma once

#include <cstdint>

#include "loops/loop_places.hpp"
#include "loops/schedule.hpp"

namespace nestbind::loops {

// Queue k has the members first[k] to first[k + 1] - 1. Where each member has a queue of its own,
// or all share one, there are no tables.
struct Grouping {
  int members = 0;
  int queues = 0;
  const std::uint16_t* first = nullptr;     // by queue
  const std::uint16_t* queue_of = nullptr;  // by member

  // The first member of a queue; behind the last queue, how many members there are.
  int first_of(int queue) const {
    return queue == queues ? members : first != nullptr ? first[queue] : queue;
  }
  int queue_with(int member) const {
    return queue_of != nullptr ? queue_of[member] : queues == 1 ? 0 : member;
  }
};

// One queue for all members. The only one that gives every member rising iterations.
inline Grouping one_queue(int members) { return {members, 1}; }
// A queue for each member.
inline Grouping own_queues(int members) { return {members, members}; }

// The same for the first of the members only; the tables are used by the result.
Grouping of_first(const Grouping& grouping, int members);

// The queues for a sharing: each longest run of consecutive members on the same object. Members
// whose object is not known are alone. first and queue_of have room for
// `members` numbers; both are used by the result, or not at all.
Grouping group(const Places& places, int members, Sharing sharing, std::uint16_t* first,
               std::uint16_t* queue_of);

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
