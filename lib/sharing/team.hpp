// SPDX-License-Identifier: BSD-3-Clause
// The tree of teams of a thread that forks from outside of regions. Members and teams are made once
// and stay until the process ends; a fork that has been before finds its team again.
#pragma once

#include <atomic>
#include <cstdint>

#include "loops/team.hpp"
#include "omp/calls.hpp"
#include "sharing/range.hpp"
#include "sharing/schedule.hpp"

namespace nestbind::placement {
struct Place;
}

namespace nestbind::sharing {

struct Team;
struct Request;

// Whose the loop is that a thread is in.
enum class Whose : std::uint8_t {
  kRuntimes,  // or it is in none
  kOurs       // from its begin until its end is told
};

// What the next regions of a thread get. It ends with the region that the thread is in.
struct Forks {
  const InForce* schedule = nullptr;  // only where has_schedule; null: loops are the runtime's
  bool has_schedule = false;          // otherwise that of the region that the thread is in
  // By omp_set_schedule, which is of schedule(runtime) alone: those loops are the runtime's.
  bool runtime_is_chosen = false;
};

// A member of a team, or a thread outside of regions (a root). Only the thread that is there reads
// and writes it; others find `shared` by the team. Invariants:
//   team == nullptr     <=>  it is a root, or nowhere
//   shared == nullptr   =>   all its loops are the runtime's, and whose == kRuntimes
struct alignas(64) Member {
  Team* team = nullptr;             // that it is a member of
  loops::Member* shared = nullptr;  // its part in the team's loops
  Whose whose = Whose::kRuntimes;
  Numbers numbers;  // of the loop that it is in, if that is ours
  Forks forks;
  std::uint64_t barriers = 0;   // passed in this region, as far as they are told
  Request* requests = nullptr;  // forks from here, newest first
  Team* teams = nullptr;        // forked from here, by size
};

// A size that was asked for in a fork, in one runtime. What is granted is known to the members
// only; so the team is opened that it was the last time.
struct Request {
  const omp::Calls* runtime = nullptr;
  int size = 0;          // as the runtime was asked
  int expected = 0;      // what was granted the last time; at first what was asked for, or one
                         // where no more levels may be active
  Team* team = nullptr;  // of the expected size; null: not made yet
  Request* next = nullptr;
};

// A team of one size that is forked from one place. In one region at a time. Written by the forking
// thread before the fork, but for `granted`; its members only read it. Invariants:
//   shared != nullptr  =>  members has `size` of them, and members[i].shared is shared's member i
//   shared == nullptr  <=>  all loops of its regions are the runtime's
struct Team {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  Member* from = nullptr;  // who forks it; null for g_nowhere's
  int size = 0;
  loops::Team* shared = nullptr;
  Member* members = nullptr;
  const InForce* schedule = nullptr;  // of its present region
  // Whose schedule(runtime) loops are the runtime's, from this number of barriers on, because a
  // member, or one of its tasks, has called omp_set_schedule; 0: all. So all members conclude the
  // same of a loop: a call in front of a barrier is seen by all behind it.
  std::atomic<std::uint64_t> chosen_from{kNever};
  const omp::Calls* runtime = nullptr;      // likewise
  Request* request = nullptr;               // likewise
  const void* carried = nullptr;            // likewise, by the source
  const placement::Place* place = nullptr;  // whose team's places it has; null: none
  loops::Place* seats = nullptr;            // by member
  std::uint32_t version = 0;                // of the seats
  Team* next = nullptr;
};

// Where the calling thread is; null: not known, a root when it forks. Of a worker that is in no
// region it may be what it was last.
extern constinit thread_local Member* t_member __attribute__((tls_model("initial-exec")));

}  // namespace nestbind::sharing
