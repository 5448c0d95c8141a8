// SPDX-License-Identifier: BSD-3-Clause
// The forms of a team in the report, by one table of columns. Allocates only what the text needs.
#pragma once

#include "observe/observer.hpp"
#include "observe/waiting_teams.hpp"
#include "process/output_file.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::observe {

// A line about the team, a line of headings, and a line for each member.
void add_team_text(const PlacedTeam& team, support::TextBuffer& text);

// One JSON object on one line. node: what is known of the node, or empty.
void add_team_json(const PlacedTeam& team, const char* node, support::TextBuffer& text);

// Whether the team's plan uses measured distances.
bool is_probed(const PlacedTeam& team);

// A line about the teams, and a picture of the machine with their members, which the planner draws.
// Without a planner or memory, returns false and adds nothing.
bool add_picture(const ToldTeam* first, const process::Terminal& terminal,
                 support::TextBuffer& text);

}  // namespace nestbind::observe
