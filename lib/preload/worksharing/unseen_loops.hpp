// SPDX-License-Identifier: BSD-3-Clause
// OpenMP runtimes whose teams no source reports, though there is a schedule: these runtimes share
// their own loops. There is one message in a process.
#pragma once

namespace nestbind::worksharing {

// At the first schedule: warns of such a runtime that was loaded at the process's start. With
// NESTBIND_STRICT=1 a schedule of the environment ends the program. Only the first call acts.
void look_for_unseen(bool is_of_environment);

// A source has found a loop in a team of several threads that was not reported. Warns once.
void tell_unknown_team();

// Why a runtime shares its own loops, as a text about the program; null: all are seen, it seems.
const char* why_unseen();

}  // namespace nestbind::worksharing
