// SPDX-License-Identifier: BSD-3-Clause
#include "placement/seen.hpp"

#include <stdlib.h>

#include "binding/kernel_mask.hpp"
#include "observe/observer.hpp"
#include "support/allocate.hpp"
#include "support/errno_kept.hpp"
#include "support/system_call.hpp"

namespace nestbind::placement {

namespace {

observe::Member member_of(const Place& place) {
  return {place.level,     place.number,   place.size,     place.thread_id,
          place.mask_seen, &place.planned, place.was_bound};
}

// The numbers of a place's ancestors and its own, outermost first; null for the root.
int* path_of(const Place& place) {
  int* numbers = support::allocate<int>(static_cast<std::size_t>(place.level) + 1);
  for (const Place* at = &place; numbers != nullptr && at->level > 0; at = at->master) {
    numbers[at->level - 1] = at->number;
  }
  return numbers;
}

void tell_team(const Team& team) {
  const Place& first = team.members[0];
  int* path = path_of(*first.master);
  auto* members = support::allocate<observe::Member>(static_cast<std::size_t>(team.size));
  if (path != nullptr && members != nullptr) {
    for (int i = 0; i < team.size; ++i) {
      members[i] = member_of(team.members[i]);
    }
    observe::tell_team_placed({&first.plan->spec, first.level, path, team.size, members});
  }
  free(path);
  free(members);
}

}  // namespace

void tell_fork(const Place* place, const void* code) {
  if (is_planned(place)) {
    observe::tell_forked({place->level + 1, code});
  }
}

void note_seen(const Place& place, const Team& team) {
  if (place.is_seen.exchange(true, std::memory_order_relaxed)) {
    return;
  }
  const support::ErrnoKept errno_kept;
  place.thread_id = static_cast<int>(support::system_call(SYS_gettid));
  auto* mask = support::allocate<mask::MaskBuffer>();
  if (mask != nullptr && !binding::read_self(*mask)) {
    free(mask);
    mask = nullptr;
  }
  place.mask_seen = mask;
  place.was_bound = binding::bound_mask().bits != nullptr;
  if (team.seen.fetch_add(1, std::memory_order_acq_rel) + 1 == team.size) {
    tell_team(team);
  }
}

void tell_seat(const Place& place, bool is_bound) {
  if (binding::masks_are_recorded()) {
    return;
  }
  observe::Seated seated{.spec = &place.plan->spec,
                         .planned = &place.planned,
                         .level = place.level,
                         .path = {},
                         .is_bound = is_bound};
  for (const Place* at = &place; at->level > 0; at = at->master) {
    if (at->level <= observe::Seated::kMostPath) {
      seated.path[at->level - 1] = at->number;
    }
  }
  observe::tell_seated(seated);
}

void tell_no_seat() { observe::tell_seated({}); }

void tell_left(const Place* place) {
  if (is_planned(place)) {
    observe::tell_member_left(member_of(*place));
  }
}

}  // namespace nestbind::placement
