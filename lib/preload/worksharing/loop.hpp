// SPDX-License-Identifier: BSD-3-Clause
// What a hook tells of the calling thread's loops, and asks of them.
//
//   begin(start) returns false: the loop is the runtime's, and so is all that follows
//   while (next(range)) the program runs these iterations
//   end(): whether it was ours; then the runtime is not to be told of an end, but of a barrier
//
// All members of a team conclude the same of a loop: they come to the same loops, with the same
// numbers, in teams of one size. Nothing here waits, locks or allocates, but for what is kept of a
// loop that a team has not been in before.
#pragma once

#include <cstdint>

#include "loops/division.hpp"
#include "omp/calls.hpp"
#include "worksharing/range.hpp"
#include "worksharing/schedule_in_force.hpp"
#include "worksharing/shared_team.hpp"

namespace nestbind::worksharing {

// A loop as the calling thread comes to it.
struct LoopBegin {
  Numbers numbers;
  LoopKind kind = LoopKind::kRuntime;
  std::uint64_t chunk = 1;     // of the loop's own clause; 1: none
  bool is_monotonic = false;   // each thread has to get rising iterations
  std::uintptr_t address = 0;  // unique for the loop: where it begins, in the program's code
  bool operator==(const LoopBegin&) const = default;
};

// Whether the calling thread's team shares loops of a kind, in this runtime.
bool is_taken(LoopKind kind, const omp::Calls& runtime);

// Whether the calling thread is in a loop of ours: between begin() and end().
inline bool is_ours() {
  const Member* member = own_member();
  return member != nullptr && member->whose == Whose::kOurs;
}

// next(), where that is not plain.
const Numbers* find_next(loops::Range& range);

// The next iterations of the loop, and its numbers, by which they become values of its variable
// (range.hpp). Returns null when it is done, with `range` untouched. Only where is_ours().
inline const Numbers* next(loops::Range& range) {
  const Member& member = *own_member();
  return member.shared->next_plain(range) ? &member.numbers : find_next(range);
}

// Whether next() has given the loop's last iteration at last. Only where is_ours().
inline bool has_last() { return own_member()->shared->has_last(); }

// Of a loop that is left by cancellation.
void give_up(loops::Member& member);

// The loop ends for the calling thread: all its iterations are done, or it is cancelled. Returns
// whether it was ours.
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

// Begins a loop that is taken, but for its numbers and whose it is.
void begin_taken(std::uint64_t iterations, std::uint64_t chunk, std::uintptr_t address,
                 bool is_monotonic);

// Begins a loop, if it is taken. Returns whether it is ours from now on, until end(). One that was
// ours and whose end has not been told has been left by cancellation.
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

// Whether a barrier in this runtime is one of the innermost team that is known: not where another
// runtime has forked a team in it unseen, whose members are not the known one's.
inline bool is_barrier_of(const Member* member, const omp::Calls& runtime) {
  return member != nullptr && member->shared != nullptr &&
         member->team->runtime->get_num_threads == runtime.get_num_threads;
}

// The calling thread comes to a barrier in this runtime. No loop has one in it: one whose end has
// not been told was left by cancellation. For runtimes that are told nothing where that happens.
inline void come_to_barrier(const omp::Calls& runtime) {
  if (is_barrier_of(own_member(), runtime)) {
    end();
  }
}

// The calling thread has passed a barrier in this runtime. Each member has to tell the same
// barriers, or none of them one: what they agree on follows from it.
inline void pass_barrier(const omp::Calls& runtime) {
  Member* const member = own_member();
  if (is_barrier_of(member, runtime)) {
    ++member->barriers;
    member->shared->pass_barrier();
  }
}

}  // namespace nestbind::worksharing
