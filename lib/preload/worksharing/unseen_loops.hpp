// SPDX-License-Identifier: BSD-3-Clause
// If there is a schedule, but no source reports the teams of an OpenMP runtime, this runtime shares
// its own loops. A process prints one message about this.
#pragma once

namespace nestbind::worksharing {

// Warns if such a runtime was loaded at the start. With NESTBIND_STRICT=1 ends the program if the
// schedule is from the environment.
void look_for_unseen(bool is_of_environment);

// Warns once that a source has found a loop in an unreported team of several threads.
void tell_unknown_team();

// Returns why a runtime shares its own loops, or null if no such runtime was found.
const char* why_unseen();

}  // namespace nestbind::worksharing
