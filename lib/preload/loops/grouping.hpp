// SPDX-License-Identifier: BSD-3-Clause
// Which members of a team share a queue. Members of a queue have consecutive numbers. So the
// iterations of these members are one range, as in a static schedule.
#pragma once

#include <cstdint>

#include "loops/schedule.hpp"

namespace nestbind::loops {

// Where the members of a team are. Stealing prefers near members.

// The runtime schedules the loops of larger teams.
inline constexpr int kMostMembers = 4096;

// How near the owner of a queue is to the thread that takes from the queue: the smallest object
// that both share. kFar means that both share no object.
enum class Distance : std::uint8_t { kL2, kL3, kNode, kPackage, kFar };
inline constexpr int kDistances = 5;

// The numbers of a member's caches, node and package in the machine. kNowhere means that the object
// is not known. An unknown object counts as not shared.
struct Place {
  static constexpr std::uint16_t kNowhere = 0xffff;
  std::uint16_t l2 = kNowhere;
  std::uint16_t l3 = kNowhere;
  std::uint16_t node = kNowhere;
  std::uint16_t package = kNowhere;
  bool operator==(const Place&) const = default;
};

// The tables belong to the caller, and do not change while they are used.
struct Places {
  const Place* of_member = nullptr;  // indexed by member; null: nothing is known
  // Entry [a * nodes + b] is the distance from node a to node b (SLIT, or measured). If the table
  // is null, all other nodes are equally far.
  const std::uint8_t* node_distance = nullptr;
  int nodes = 0;

  Place of(int member) const { return of_member == nullptr ? Place{} : of_member[member]; }
  // If a node is not in the table, the result is larger than any distance in the table.
  unsigned between_nodes(const Place& a, const Place& b) const;
};

Distance distance(const Place& a, const Place& b);

// Returns how far member b is from member a. If distance() is kFar, the result also includes
// between_nodes(). A member steals from near members first.
unsigned remoteness(const Places& places, int a, int b);

// Queue k has members first[k] to first[k + 1] - 1. The tables are null if there is one queue, or
// if each member has its own queue.
struct Grouping {
  int members = 0;
  int queues = 0;
  const std::uint16_t* first = nullptr;
  const std::uint16_t* queue_of = nullptr;

  // Returns the first member of a queue. first_of(queues) is `members`.
  int first_of(int queue) const {
    return queue == queues ? members : first != nullptr ? first[queue] : queue;
  }
  int queue_with(int member) const {
    return queue_of != nullptr ? queue_of[member] : queues == 1 ? 0 : member;
  }
};

// Monotonic loops use one queue, so that each member gets ascending iterations.
inline Grouping one_queue(int members) { return {members, 1}; }
inline Grouping own_queues(int members) { return {members, members}; }

// The result uses the tables of `grouping`.
Grouping of_first(const Grouping& grouping, int members);

// Returns a grouping in which consecutive members on one object, such as an L3 cache, share a
// queue. A member whose object is not known has its own queue. The result may use the arrays
// `first` and `queue_of`, which have room for `members` numbers.
Grouping group(const Places& places, int members, Sharing sharing, std::uint16_t* first,
               std::uint16_t* queue_of);

struct Victim {
  std::uint16_t queue = 0;
  Distance distance = Distance::kFar;
  bool ends_class = false;  // the last victim of its class
};

// Writes the victims of a member, the nearest first. Queues at the same distance form a class. For
// example, if four queues form one class, the victims of queue 2 are queues 3, 0 and 1. The place
// of a queue is the place of its first member. Writes grouping.queues - 1 victims.
void order_victims(const Places& places, const Grouping& grouping, int member, Victim* victims);

}  // namespace nestbind::loops
