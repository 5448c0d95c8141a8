// SPDX-License-Identifier: BSD-3-Clause
// Writes a team of the report as text, as JSON or in a picture. Only the text is allocated.
#pragma once

#include "observe/observer.hpp"
#include "observe/waiting_teams.hpp"
#include "process/output_file.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::observe {

void add_team_text(const PlacedTeam& team, support::TextBuffer& text);

// `more` has further members of the object, each after a comma, or is empty.
void add_team_json(const PlacedTeam& team, const char* more, support::TextBuffer& text);

bool is_probed(const PlacedTeam& team);

// Adds a line about the teams, and the planner's picture of the machine with the teams' members. If
// there is no planner or no memory, returns false and adds nothing.
bool add_picture(const ToldTeam* first, const process::Terminal& terminal,
                 support::TextBuffer& text);

}  // namespace nestbind::observe
