// SPDX-License-Identifier: BSD-3-Clause
// Where the members of a team are. Stealing prefers near members.
#pragma once

#include <cstdint>

namespace nestbind::loops {

// The runtime itself schedules the loops of larger teams.
inline constexpr int kMostMembers = 4096;

// How near the owner of a queue is to the thread that takes from the queue; the nearest first.
enum class Distance : std::uint8_t { kL2, kL3, kNode, kPackage, kFar };
inline constexpr int kDistances = 5;

// A member's caches, node and package, numbered in the machine. kNowhere: not known, so not shared.
struct Place {
  static constexpr std::uint16_t kNowhere = 0xffff;
  std::uint16_t l2 = kNowhere;
  std::uint16_t l3 = kNowhere;
  std::uint16_t node = kNowhere;
  std::uint16_t package = kNowhere;
  bool operator==(const Place&) const = default;
};

// The places of a team. The tables belong to the caller, and do not change while they are used.
struct Places {
  const Place* of_member = nullptr;  // by member; null: nothing is known
  // At [a * nodes + b]: the distance from node a to node b; smaller is nearer (SLIT, or measured).
  // Null: all other nodes are equally far.
  const std::uint8_t* node_distance = nullptr;
  int nodes = 0;

  Place of(int member) const { return of_member == nullptr ? Place{} : of_member[member]; }
  // If a member's node is not in the table, the result is larger than any distance in the table.
  unsigned between_nodes(const Place& a, const Place& b) const;
};

// The smallest object that both places share; kFar: they share no known object.
Distance distance(const Place& a, const Place& b);

// How far member b is from a. Member a steals from small values first. Ordered by distance(), and
// within kFar by between_nodes().
unsigned remoteness(const Places& places, int a, int b);

}  // namespace nestbind::loops
