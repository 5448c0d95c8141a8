// SPDX-License-Identifier: BSD-3-Clause
// Teams that have been forked before, found again; made where they are new.
#pragma once

#include "sharing/team.hpp"

namespace nestbind::sharing {

// Where loops are never shared: teams that are larger than lib/loops takes, or otherwise than
// expected, and what is forked from them. Never written.
extern Team g_nowhere_team;
extern Member g_nowhere;

// The calling thread's own tree, outside of regions. A thread that ends gives it back, for others.
// g_nowhere without memory.
Member& root();

// Where the calling thread is: at its root, where that was not known.
inline Member& here_or_root() {
  if (t_member == nullptr) {
    t_member = &root();
  }
  return *t_member;
}

// The team that a fork with this request, from here, is expected to have. Never null;
// g_nowhere_team from g_nowhere, and otherwise its `request` is set. Without memory a team without
// loops and without a request, which the end of the fork gives back; g_nowhere_team where too many
// forks have one, and then the forking thread is nowhere until the region around it ends.
Team& find_team(Member& from, const omp::Calls& runtime, int size);
inline Team& team_for(Member& from, const omp::Calls& runtime, int size) {
  const Request* newest = from.requests;
  const bool is_again = newest != nullptr && newest->size == size && newest->runtime == &runtime &&
                        newest->team != nullptr && newest->team->request == newest;
  return is_again ? *newest->team : find_team(from, runtime, size);
}

// The end of a fork whose team was without loops, as its master tells it: where that was without
// memory, the team is another's from now on.
void give_back_lent(Team& team);

}  // namespace nestbind::sharing
