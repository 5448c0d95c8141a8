// SPDX-License-Identifier: BSD-3-Clause
// Finds, makes and forgets the teams of a member.
#pragma once

#include "team/team.hpp"

namespace nestbind::team {

// The most bytes for all trees, with what consumers keep in them. After that, a member's next teams
// take the memory of its least recently used ones. A team in use is never taken.
inline constexpr long kMostMemory = 3L << 20;

// The team for a fork of `asked` threads; it becomes the first of `from.teams`. Its members may not
// exist yet. Null: there is no memory.
Team* find_team(Member& from, int asked);

// For a member of a fork opened as `told`: the granted team, by the first member. Null: no memory.
Team* resolve(Team& told, int size);

// A member below `around`, for one thread's own teams. Each call returns the same. Null: no memory.
Member* beside(Member& around, Team::Kind kind);

// lend(): a team without members for a fork without memory, so that its thread finds the way back;
// null: too many are lent. give_back_lent() is for the end of any fork.
Team* lend(Member& from);
void give_back_lent(Team& team);

// Trims a tree after its thread has left it.
void trim(Member& root);

}  // namespace nestbind::team
