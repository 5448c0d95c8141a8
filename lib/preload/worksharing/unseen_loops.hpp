// SPDX-License-Identifier: BSD-3-Clause
// If there is a schedule, but no source reports the teams of an OpenMP runtime, this runtime shares
// its own loops. A process prints one message about this.
#pragma once

namespace nestbind::worksharing {

// At the first schedule: warns if such a runtime was loaded at the start. With NESTBIND_STRICT=1
// ends the program if the schedule is from the environment. Only the first call acts.
void look_for_unseen(bool is_of_environment);

// A source has found a loop in a team of several threads that was not reported. Warns once.
void tell_unknown_team();

// Why a runtime shares its own loops, as a text about the program; null: no such runtime was found.
const char* why_unseen();

}  // namespace nestbind::worksharing
