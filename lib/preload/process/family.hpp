// SPDX-License-Identifier: BSD-3-Clause
// A family is a process and all processes that it forks, even if they execute another program. Some
// messages must be printed by only one process of a family.
#pragma once

namespace nestbind::process {

// Must be called before the process first calls fork().
void begin_family();

// Returns true only for the first call in the family. A child of vfork may call this function, too.
bool is_first_to_tell();

void note_child();
bool has_child();

}  // namespace nestbind::process
