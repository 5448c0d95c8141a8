// SPDX-License-Identifier: BSD-3-Clause
// A family is a process and all processes that it forks, even if they execute another program. If
// one process has printed a message, the other processes of the family do not print this message.
#pragma once

namespace nestbind::process {

// Must be called before the process first calls fork().
void begin_family();

// Returns true only for the first call in the family. A child of vfork may call this function, too.
bool is_first_to_tell();

// Notes that this process has forked a child. Perhaps only the child has teams.
void note_child();
bool has_child();

}  // namespace nestbind::process
