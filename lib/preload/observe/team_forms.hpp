// SPDX-License-Identifier: BSD-3-Clause
// A team in the report, by one table of columns. Allocates nothing but what the text itself does.
#pragma once

#include "observe/observer.hpp"
#include "observe/waiting_teams.hpp"
#include "process/output_file.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::observe {

// A line on the team, one with headings, and one for each member.
void add_team_text(const PlacedTeam& team, support::TextBuffer& text);

// One object on one line; with what is told of its node where there is something.
void add_team_json(const PlacedTeam& team, const char* node, support::TextBuffer& text);

// Whether its plan goes by distances that were measured.
bool is_probed(const PlacedTeam& team);

// A line on the teams, and a picture of the machine with their members, which the planner draws.
// Returns false, and adds nothing, where nobody draws it, or there is no memory.
bool add_picture(const ToldTeam* first, const process::Terminal& terminal,
                 support::TextBuffer& text);

}  // namespace nestbind::observe
