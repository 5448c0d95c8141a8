// SPDX-License-Identifier: BSD-3-Clause
// What this process shares with all that it forks, also with those that then execute a program:
// what one of them has told the user, the others need not tell.
#pragma once

namespace nestbind::process {

// Before the first fork that counts.
void begin_family();

// Whether none of them has asked before. Also in a child of vfork.
bool is_first_to_tell();

// This process has forked a child, which may do what this one does not.
void note_child();
bool has_child();

}  // namespace nestbind::process
