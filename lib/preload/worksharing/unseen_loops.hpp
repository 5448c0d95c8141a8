// SPDX-License-Identifier: BSD-3-Clause
// Warns of an OpenMP runtime whose teams no source reports. Such a runtime shares its own loops. A
// process prints only one of these warnings.
#pragma once

namespace nestbind::worksharing {

// Warns if such a runtime was loaded at the start. If NESTBIND_STRICT=1 is set and
// `is_of_environment` is true, the function ends the program.
void look_for_unseen(bool is_of_environment);

// Warns of a loop in an unreported team. Only the first call prints a warning.
void tell_unknown_team();

// Returns why a runtime shares its own loops, or null if no such runtime was found.
const char* why_unseen();

}  // namespace nestbind::worksharing
