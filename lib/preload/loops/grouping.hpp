// SPDX-License-Identifier: BSD-3-Clause
// Which members of a team share a queue. Their numbers are consecutive, so that their iterations
// are one range, near the blocks that a static schedule would give them.
#pragma once

#include <cstdint>

#include "loops/loop_places.hpp"
#include "loops/schedule.hpp"

namespace nestbind::loops {

// Queue k has members first[k] to first[k + 1] - 1. With one queue each, or one for all: no tables.
struct Grouping {
  int members = 0;
  int queues = 0;
  const std::uint16_t* first = nullptr;     // indexed by queue
  const std::uint16_t* queue_of = nullptr;  // indexed by member

  // The first member of a queue. After the last queue: the number of members.
  int first_of(int queue) const {
    return queue == queues ? members : first != nullptr ? first[queue] : queue;
  }
  int queue_with(int member) const {
    return queue_of != nullptr ? queue_of[member] : queues == 1 ? 0 : member;
  }
};

// One queue for all members. Only this grouping gives every member rising iterations.
inline Grouping one_queue(int members) { return {members, 1}; }
// A queue for each member.
inline Grouping own_queues(int members) { return {members, members}; }

// A grouping of only the first `members` members. The result uses the same tables.
Grouping of_first(const Grouping& grouping, int members);

// The queues for a sharing: each longest run of members on one object. A member of no known object
// is alone. first and queue_of have room for `members` numbers; the result uses both or neither.
Grouping group(const Places& places, int members, Sharing sharing, std::uint16_t* first,
               std::uint16_t* queue_of);

// A queue that a member may steal from. The victims of a class follow each other.
struct Victim {
  std::uint16_t queue = 0;
  Distance distance = Distance::kFar;
  bool ends_class = false;
};

// Writes the victims of a member in the order in which it looks at them: class by class, and in
// each class upward from the member's own queue, cyclically. A queue is where its first member is.
// victims has room for grouping.queues - 1 victims, which are all written.
void order_victims(const Places& places, const Grouping& grouping, int member, Victim* victims);

}  // namespace nestbind::loops
