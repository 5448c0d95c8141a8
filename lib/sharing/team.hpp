// SPDX-License-Identifier: BSD-3-Clause
// The tree of teams of a thread that forks from outside of regions. Members and teams are made once
// and stay until the process ends; a fork that has been before finds its team again.
#pragma once

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

// A member of a team, or a thread outside of regions (a root). Only the thread that is there reads
// and writes it; others find `shared` by the team. Invariants:
//   team == nullptr     <=>  it is a root, or nowhere
//   shared == nullptr   =>   all its loops are the runtime's, and whose == kRuntimes
struct alignas(64) Member {
  Team* team = nullptr;             // that it is a member of
  loops::Member* shared = nullptr;  // its part in the team's loops
  Whose whose = Whose::kRuntimes;
  Numbers numbers;              // of the loop that it is in, if that is ours
  Request* requests = nullptr;  // forks from here, newest first
  Team* teams = nullptr;        // forked from here, by size
};

// A size that was asked for in a fork, in one runtime. What is granted is known to the members
// only; so the team is opened that it was the last time.
struct Request {
  const omp::Calls* runtime = nullptr;
  int size = 0;          // as the runtime was asked
  int expected = 0;      // what was granted the last time; at the first, what was asked for
  Team* team = nullptr;  // of the expected size; null: not made yet
  Request* next = nullptr;
};

// A team of one size that is forked from one place. In one region at a time. Written by the forking
// thread before the fork, but for `granted`; its members only read it. Invariants:
//   shared != nullptr  =>  members has `size` of them, and members[i].shared is shared's member i
//   shared == nullptr  <=>  all loops of its regions are the runtime's
struct Team {
  Member* from = nullptr;  // who forks it; null for g_nowhere's
  int size = 0;
  loops::Team* shared = nullptr;
  Member* members = nullptr;
  const InForce* schedule = nullptr;        // of its present region
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
