// SPDX-License-Identifier: BSD-3-Clause
// What is carried from a fork to its members in the one word that the runtime has for a region, and
// in a member's own one, without memory of its own.
//
//   null                          nothing: its beginning was not seen
//   a place, or g_no_place        told to lib/placement only
//   a team, with kIsTeam in it    told to lib/sharing too; the team carries the place
//   a place, with kIsNowhere      the same, of a fork that has no team of its own: all such share
//   one
#pragma once

#include <cstdint>

#include "sharing/fork.hpp"

namespace nestbind::ompt {

struct Carried {
  const placement::Place* place = nullptr;
  bool is_placed = false;         // lib/placement has been told, if also of no place
  sharing::Team* team = nullptr;  // null: lib/sharing has not been told
};

inline constexpr std::uintptr_t kIsTeam = 1;
inline constexpr std::uintptr_t kIsNowhere = 2;
inline constexpr std::uintptr_t kTags = kIsTeam | kIsNowhere;

// Its address stands for no place.
alignas(64) inline char g_no_place;

// The word of a member that tells lib/sharing no end.
inline void* place_word(const Carried& carried) {
  const void* word =
      carried.place != nullptr ? static_cast<const void*>(carried.place) : &g_no_place;
  return carried.is_placed ? const_cast<void*>(word) : nullptr;
}

inline Carried of_place_word(const void* word, sharing::Team* team) {
  return {.place = word == &g_no_place ? nullptr : static_cast<const placement::Place*>(word),
          .is_placed = word != nullptr,
          .team = team};
}

inline void* word_of(const Carried& carried) {
  void* const place = place_word(carried);
  auto bits = reinterpret_cast<std::uintptr_t>(place);
  if (carried.team != nullptr) {
    if (sharing::carry(*carried.team, place)) {
      bits = reinterpret_cast<std::uintptr_t>(carried.team) | kIsTeam;
    } else {
      bits |= kIsNowhere;
    }
  }
  return reinterpret_cast<void*>(bits);  // NOLINT(performance-no-int-to-ptr)
}

inline Carried carried_by(void* word) {
  const auto bits = reinterpret_cast<std::uintptr_t>(word);
  void* const pointer =
      reinterpret_cast<void*>(bits & ~kTags);  // NOLINT(performance-no-int-to-ptr)
  if ((bits & kIsTeam) != 0) {
    auto* team = static_cast<sharing::Team*>(pointer);
    return of_place_word(sharing::carried(*team), team);
  }
  return of_place_word(pointer, (bits & kIsNowhere) != 0 ? sharing::nowhere() : nullptr);
}

}  // namespace nestbind::ompt
