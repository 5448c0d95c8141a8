// SPDX-License-Identifier: BSD-3-Clause
// A process and all processes that it forks are a family, even if they execute another program. If
// one of them has printed a message, the others do not print this message.
#pragma once

namespace nestbind::process {

// Must be called before the process first calls fork().
void begin_family();

// Whether no process of the family has called this before. A child of vfork may call it, too.
bool is_first_to_tell();

// Notes that this process has forked a child: perhaps only the child has teams.
void note_child();
bool has_child();

}  // namespace nestbind::process
