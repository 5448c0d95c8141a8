// SPDX-License-Identifier: BSD-3-Clause
// What NESTBIND_REPORT says of teams: those that wait come all at a time, as a picture, a table, or
// JSON. When that is, report.hpp knows.
#pragma once

#include "observe/observer.hpp"

namespace nestbind::observe {

// Reports a team alone, now.
void report_at_once(const PlacedTeam& team);

// Lets a team wait; where too many do, all are reported. Returns false where there is no memory for
// it: it does not wait then.
bool report_later(const PlacedTeam& team);

bool some_teams_wait();

// Whether some wait, and none has come for so many milliseconds. No system call.
bool waiting_teams_are_quiet(long milliseconds);

// Reports those that wait. Keeps errno.
void report_waiting_teams();

// In a forked child: those that wait are its parent's.
void forget_waiting_teams();

}  // namespace nestbind::observe
