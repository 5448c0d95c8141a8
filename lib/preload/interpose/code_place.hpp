// SPDX-License-Identifier: BSD-3-Clause
// Finds the module and the function of an address, in a form that a user and addr2line(1) can read.
// Asks the loader and reads files. Call this only for reports at the end of a process.
#pragma once

#include <stdint.h>

#include <cstddef>

namespace nestbind::interpose {

struct CodePlace {
  char module[512] = "";    // the module's file; empty: the code is in no module
  uintptr_t in_module = 0;  // the address in the file; the given address if there is no module
  char function[512] = "";  // mangled name, also of a static function; empty: not found
  uintptr_t in_function = 0;
  char build_id[65] = "";  // the file's build ID in hexadecimal digits; empty: none
};

// Names that are too long are cut.
void find_code(uintptr_t address, CodePlace& place);

}  // namespace nestbind::interpose
