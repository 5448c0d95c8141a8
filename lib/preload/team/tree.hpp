// SPDX-License-Identifier: BSD-3-Clause
// Finds, makes and forgets the teams of a member.
#pragma once

#include "team/team.hpp"

namespace nestbind::team {

// Above this limit, a member's next teams reuse the memory of its least recently used teams.
inline constexpr long kMostMemory = 3L << 20;  // in bytes

// Returns the team for a fork of `asked` threads, and makes it the first of `from.teams`. Returns
// null if there is no memory.
Team* find_team(Member& from, int asked);

// Returns the team that the first member of the fork has found, or null if there is no memory.
Team* resolve(Team& told, int size);

// Returns the only member of the team of this kind in `around.teams`. If there is no team of this
// kind, makes the team. Returns null if there is no memory.
Member* beside(Member& around, Team::Kind kind);

// If there is no memory for a fork, lend() lends a team without members. This team only remembers
// where the thread forked. Returns null if too many teams are lent. Each fork ends with
// give_back_lent().
Team* lend(Member& from);
void give_back_lent(Team& team);

// Forgets the teams of a tree if memory is short. Called after the thread has left its tree.
void trim(Member& root);

}  // namespace nestbind::team
