// SPDX-License-Identifier: BSD-3-Clause
// The report as a picture of the machine, which the planner draws.
#pragma once

#include "observe/waiting_teams.hpp"
#include "process/output_file.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::observe {

// A line on the teams, and the picture with their members. Returns false, and adds nothing, where
// nobody draws it, or there is no memory.
bool add_picture(const ToldTeam* first, const process::Terminal& terminal,
                 support::TextBuffer& text);

}  // namespace nestbind::observe
