// SPDX-License-Identifier: BSD-3-Clause
// Teams of a member: found again, made, and taken for others when memory is short.
#pragma once

#include "team/team.hpp"

namespace nestbind::team {

// What all trees, and what consumers keep in them, may take in bytes before a member's teams that
// were not used for longest are taken for its next ones. A team in use is never taken.
inline constexpr long kMostMemory = 3L << 20;

// The team that a fork from here is opened for, which is the first of `from.teams` then. Its
// members may not be made yet. Null without memory.
Team* find_team(Member& from, int asked);

// For a member of a fork that was opened as `told`: the team that was granted, made by the member
// that comes first. Null without memory.
Team* resolve(Team& told, int size);

// A place beside a member, for one thread, which goes on from there in teams of its own; always the
// same. Null without memory.
Member* beside(Member& around, Team::Kind kind);

// A team without members, for a fork for which there is no memory, so that its thread finds the way
// back; and the end of such a fork, or of any. Null where too many are lent.
Team* lend(Member& from);
void give_back_lent(Team& team);

// Of a tree that its thread leaves behind.
void trim(Member& root);

}  // namespace nestbind::team
