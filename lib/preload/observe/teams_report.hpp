// SPDX-License-Identifier: BSD-3-Clause
// NESTBIND_REPORT on teams: all that wait, as picture, table, or JSON. report.cpp decides when.
#pragma once

#include "observe/observer.hpp"

namespace nestbind::observe {

// Reports only this team, now.
void report_at_once(const PlacedTeam& team);

// Lets a team wait; if too many wait, reports all. False: no memory, and the team does not wait.
bool report_later(const PlacedTeam& team);

bool some_teams_wait();

// Whether teams wait, and none has come for so many milliseconds. Makes no system call.
bool waiting_teams_are_quiet(long milliseconds);

// Reports the waiting teams. Keeps errno.
void report_waiting_teams();

// In a forked child: the waiting teams are its parent's.
void forget_waiting_teams();

}  // namespace nestbind::observe
