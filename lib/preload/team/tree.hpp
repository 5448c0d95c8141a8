// SPDX-License-Identifier: BSD-3-Clause
// Finds, makes and forgets the teams of a member.
#pragma once

#include "team/team.hpp"

namespace nestbind::team {

// The most bytes for all trees, with the data of consumers. Above this number, a member's next
// teams reuse the memory of its least recently used teams. A team in use is never reused.
inline constexpr long kMostMemory = 3L << 20;

// Returns the team for a fork of `asked` threads, and makes it the first of `from.teams`. Perhaps
// its members do not exist yet. Null: there is no memory.
Team* find_team(Member& from, int asked);

// For a member of a fork that `told` opened: the team that the first member found. Null: no memory.
Team* resolve(Team& told, int size);

// The member below `around` for one thread's own teams, always the same. Null: no memory.
Member* beside(Member& around, Team::Kind kind);

// lend(): if there is no memory for a fork, lends a team without members, so that the thread knows
// where it forked; null: too many are lent. give_back_lent() is for the end of any fork.
Team* lend(Member& from);
void give_back_lent(Team& team);

// Trims a tree after its thread has left it.
void trim(Member& root);

}  // namespace nestbind::team
