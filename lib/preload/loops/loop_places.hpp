// SPDX-License-Identifier: BSD-3-Clause
// Where the members of a team sit, as far as stealing wants to know: who is near whom.
#pragma once

#include <cstdint>

namespace nestbind::loops {

// Larger teams are not ours.
inline constexpr int kMostMembers = 4096;

// How near the owner of a queue is to the thread that takes from it, the nearest first.
enum class Distance : std::uint8_t { kL2, kL3, kNode, kPackage, kFar };
inline constexpr int kDistances = 5;

// Numbers of the objects that a member sits on, counted over the whole machine. What is not known
// is kNowhere, and is shared with nobody.
struct Place {
  static constexpr std::uint16_t kNowhere = 0xffff;
  std::uint16_t l2 = kNowhere;
  std::uint16_t l3 = kNowhere;
  std::uint16_t node = kNowhere;
  std::uint16_t package = kNowhere;
  bool operator==(const Place&) const = default;
};

// The places of a team. The tables are the caller's, and stay as they are as long as they are used.
struct Places {
  const Place* of_member = nullptr;  // by member; null: nothing is known
  // The distance from node a to node b at [a * nodes + b], smaller is nearer (SLIT, or measured);
  // null: all others are equally far.
  const std::uint8_t* node_distance = nullptr;
  int nodes = 0;

  Place of(int member) const { return of_member == nullptr ? Place{} : of_member[member]; }
  // For a member on a node beyond the table: as far as can be.
  unsigned between_nodes(const Place& a, const Place& b) const;
};

// By the first that both share; kFar where they share nothing that is known.
Distance distance(const Place& a, const Place& b);

// How stealing ranks b, seen from a: smaller is stolen from first. Orders by distance(), and
// within kFar by between_nodes().
unsigned remoteness(const Places& places, int a, int b);

}  // namespace nestbind::loops
