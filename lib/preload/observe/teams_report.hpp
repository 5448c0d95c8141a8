// SPDX-License-Identifier: BSD-3-Clause
// Reports waiting teams as a picture, a table or JSON (NESTBIND_REPORT). own_observers.cpp decides
// when.
#pragma once

#include "observe/observer.hpp"
#include "observe/waiting_teams.hpp"
#include "process/output_file.hpp"
#include "support/text_writer.hpp"

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

// Writes one line if tell_not_squeezed() was called.
void report_not_squeezed();

// Called in a forked child, because these teams are its parent's.
void forget_waiting_teams();

// Writes a team of the report as text, as JSON or in a picture. Only the text is allocated.

void add_team_text(const PlacedTeam& team, support::TextBuffer& text);

// `more` has further members of the object, each after a comma, or is empty.
void add_team_json(const PlacedTeam& team, const char* more, support::TextBuffer& text);

bool is_probed(const PlacedTeam& team);

// Adds a line about the teams, and the planner's picture of the machine with the teams' members. If
// there is no planner or no memory, returns false and adds nothing.
bool add_picture(const ToldTeam* first, const process::Terminal& terminal,
                 support::TextBuffer& text);

}  // namespace nestbind::observe
