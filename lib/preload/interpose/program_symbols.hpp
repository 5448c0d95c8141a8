// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::interpose {

// Whether the program itself has a function, be it for nobody else: as the link editor's table in
// its file tells. False where that was stripped. Reads the file.
bool program_contains(const char* name);

// Whether it has this text, as a constant of its own. Reads all that is read-only of it.
bool program_has_text(const char* text);

}  // namespace nestbind::interpose
