// SPDX-License-Identifier: BSD-3-Clause
// What this process shares with all processes that it forks, also with those that execute another
// program: a message that one of them has printed, the others do not print.
#pragma once

namespace nestbind::process {

// To be called before the first fork.
void begin_family();

// Whether no process of the family has called this before. Also for a child of vfork.
bool is_first_to_tell();

// Notes that this process has forked a child. The child may do what this process does not.
void note_child();
bool has_child();

}  // namespace nestbind::process
