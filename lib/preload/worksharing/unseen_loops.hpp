// SPDX-License-Identifier: BSD-3-Clause
// OpenMP runtimes whose teams nobody tells of, though somebody wants loops to be shared: their
// loops are their own. That is said once in a process.
#pragma once

namespace nestbind::worksharing {

// At the first schedule: says so of a runtime that the process has started with. Where the
// environment wants the schedule and is strict (NESTBIND_STRICT=1), the program is stopped then.
// Only the first call does anything.
void look_for_unseen(bool is_of_environment);

// A source has found a loop in a team of several threads that it should have been told of, and was
// not. Says so where nobody has.
void tell_unknown_team();

// Why the loops of a runtime are its own, as a text about the program; null where all are seen, as
// far as is known.
const char* why_unseen();

}  // namespace nestbind::worksharing
