// SPDX-License-Identifier: BSD-3-Clause
// With these functions, hooks report the calling thread's loops and ask for iterations.
//
// A hook first calls begin(). If the result is false, the runtime shares the loop. Otherwise the
// hook calls next() until the result is null, and then calls end(). If end() returns true, the
// runtime gets only a barrier, not the end of the loop.
//
// All members of a team decide the same about a loop, because they reach the same loops in the same
// order. No function here waits, locks or allocates, except for a loop that is new to its team.
#pragma once

#include <cstdint>

#include "loops/division.hpp"
#include "omp/calls.hpp"
#include "worksharing/range.hpp"
#include "worksharing/schedule_in_force.hpp"
#include "worksharing/shared_team.hpp"

namespace nestbind::worksharing {

struct LoopBegin {
  Numbers numbers;
  LoopKind kind = LoopKind::kRuntime;
  std::uint64_t chunk = 1;  // from the loop's own clause; 1: no clause
  bool is_monotonic = false;
  std::uintptr_t address = 0;  // unique for the loop: an address in the program's code
  bool operator==(const LoopBegin&) const = default;
};

// True if we share loops of this kind and of this runtime in the calling thread's team.
bool is_taken(LoopKind kind, const omp::Calls& runtime);

// True if the calling thread is between begin() and end() of a loop that we share.
inline bool is_ours() {
  const Member* member = own_member();
  return member != nullptr && member->whose == Whose::kOurs;
}

const Numbers* find_next(loops::Range& range);

// Returns the loop's Numbers, which convert iterations into values of the variable (range.hpp). If
// the loop is done, returns null and leaves `range` unchanged. Call this only if is_ours().
inline const Numbers* next(loops::Range& range) {
  const Member& member = *own_member();
  return member.shared->next_plain(range) ? &member.numbers : find_next(range);
}

// Call it only if is_ours().
inline bool has_last() { return own_member()->shared->has_last(); }

void give_up(loops::Member& member);

// Returns true if we shared the loop.
inline bool end() {
  Member* const member = own_member();
  if (member == nullptr || member->whose != Whose::kOurs) {
    return false;
  }
  member->whose = Whose::kRuntimes;
  if (member->shared->is_open()) {
    give_up(*member->shared);
  }
  return true;
}

void begin_taken(std::uint64_t iterations, std::uint64_t chunk, std::uintptr_t address,
                 bool is_monotonic);

// If the thread still has an open loop, this loop was cancelled.
inline bool begin(const LoopBegin& loop, const omp::Calls& runtime) {
  if (!is_taken(loop.kind, runtime)) {
    end();
    return false;
  }
  Member& member = *own_member();
  member.whose = Whose::kOurs;
  member.numbers = loop.numbers;
  begin_taken(loop.numbers.iterations, loop.chunk, loop.address, loop.is_monotonic);
  return true;
}

// True if a barrier of this runtime belongs to the innermost known team. If another runtime has
// forked a team inside, the barrier may belong to that team.
inline bool is_barrier_of(const Member* member, const omp::Calls& runtime) {
  return member != nullptr && member->shared != nullptr &&
         member->team->runtime->get_num_threads == runtime.get_num_threads;
}

// Called when the thread reaches a barrier, if this runtime does not report cancellation. A loop
// contains no barrier, so an open loop must have been cancelled.
inline void come_to_barrier(const omp::Calls& runtime) {
  if (is_barrier_of(own_member(), runtime)) {
    end();
  }
}

// All members must report the same barriers, or no barriers at all, because their decisions depend
// on the count.
inline void pass_barrier(const omp::Calls& runtime) {
  Member* const member = own_member();
  if (is_barrier_of(member, runtime)) {
    ++member->barriers;
    member->shared->pass_barrier();
  }
}

}  // namespace nestbind::worksharing
