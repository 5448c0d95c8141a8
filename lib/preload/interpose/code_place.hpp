// SPDX-License-Identifier: BSD-3-Clause
// Finds the module and the function of an address, in a form that a user and addr2line(1) can read.
// Reads files, so call this only for reports at the end of a process.
#pragma once

#include <stdint.h>

namespace nestbind::interpose {

struct CodePlace {
  char module[512] = "";
  uintptr_t in_module = 0;  // the address in the file, or the given address without a module
  char function[512] = "";  // mangled name, or empty if not found
  uintptr_t in_function = 0;
  char build_id[65] = "";
};

void find_code(uintptr_t address, CodePlace& place);

}  // namespace nestbind::interpose
