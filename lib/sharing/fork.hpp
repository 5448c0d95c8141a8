// SPDX-License-Identifier: BSD-3-Clause
// What a source tells of a fork, for the loops of the team. Beside placement/fork.hpp, of which it
// is independent: there need not be a specification.
//
//   encountering thread   team = fork_begin(runtime, place, size)
//   each member           member_begin(team, number, size)
//                         ... the region ...
//                         member_end(team, number)
//
// The source carries `team` from the encountering thread to the members. The master has to report
// its end, behind the region's last barrier; of the other members only those that may run code of
// the program before their next member_begin, outside of all regions. A fork that has been before
// allocates nothing, takes no lock and makes no system call.
//
// To be called where is_wanted() (schedule.hpp), and then for every fork that the source tells of,
// whatever its loops are: a team that nobody has told of would be taken for the one around it.
#pragma once

#include "omp/calls.hpp"

namespace nestbind::placement {
struct Place;
}

namespace nestbind::sharing {

struct Team;  // opaque to sources

// On the encountering thread, before the runtime decides on the team. Never null.
//
// place: what placement::fork_begin has returned; null: no plan. size: of the team as far as it is
// known before the fork: the num_threads clause, or what the runtime would give without one. Where
// the runtime gives another, this region's loops are the runtime's, and the next time that size is
// expected for the same request.
Team* fork_begin(const omp::Calls& runtime, const placement::Place* place, int size);

// Whether a team with a schedule has been forked.
bool has_forked();

// On each member, the encountering thread too, before the region's code. size: of the real team.
void member_begin(Team* team, int number, int size);

// On a member, behind the region's code; of member 0 behind its last barrier. That of member 0
// takes the encountering thread back to where it has forked.
void member_end(Team* team, int number);

// Something of the source's that its team carries until the next fork: for sources that have room
// for one pointer only. carry() returns false, and keeps nothing, where the team is nowhere(),
// which stands for several forks at once.
bool carry(Team& team, const void* what);
const void* carried(const Team& team);

Team* nowhere();

// The calling thread is nowhere from now on: in no team that is known, and loops of what it forks
// are the runtime's. Until t_member (team.hpp) is set, or it begins as a member.
void be_nowhere();

}  // namespace nestbind::sharing
