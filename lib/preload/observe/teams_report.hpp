// SPDX-License-Identifier: BSD-3-Clause
// Reports waiting teams as a picture, a table or JSON (NESTBIND_REPORT). report.cpp decides when.
#pragma once

#include "observe/observer.hpp"

namespace nestbind::observe {

void report_at_once(const PlacedTeam& team);

// If too many teams wait, reports all of them. Returns false if there is no memory.
bool report_later(const PlacedTeam& team);

// Comes after the next teams that are reported.
void report_refused(const Refused& refused);

bool some_teams_wait();

// Makes no system call.
bool waiting_teams_are_quiet(long milliseconds);

// Keeps errno.
void report_waiting_teams();

// Called in a forked child, because these teams are its parent's.
void forget_waiting_teams();

}  // namespace nestbind::observe
