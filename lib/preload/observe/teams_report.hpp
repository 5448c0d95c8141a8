// SPDX-License-Identifier: BSD-3-Clause
// Reports waiting teams as a picture, a table or JSON (NESTBIND_REPORT). report.cpp decides when.
#pragma once

#include "observe/observer.hpp"

namespace nestbind::observe {

void report_at_once(const PlacedTeam& team);

// Adds a copy of the team to the waiting teams. If too many teams wait, reports all of them.
// Returns false if there is no memory.
bool report_later(const PlacedTeam& team);

bool some_teams_wait();

// Whether teams wait, and no team was added in the last `milliseconds`. Makes no system call.
bool waiting_teams_are_quiet(long milliseconds);

// Reports the waiting teams. Keeps errno.
void report_waiting_teams();

// Drops the waiting teams. Called in a forked child, because these teams are its parent's.
void forget_waiting_teams();

}  // namespace nestbind::observe
