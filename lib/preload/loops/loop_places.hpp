// SPDX-License-Identifier: BSD-3-Clause
// Where the members of a team are. Stealing prefers near members.
#pragma once

#include <cstdint>

namespace nestbind::loops {

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

}  // namespace nestbind::loops
