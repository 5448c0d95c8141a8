// SPDX-License-Identifier: BSD-3-Clause
// Where some code is, as a user and addr2line(1) can read it. Asks the loader, and reads files: for
// reports at the end of a process.
#pragma once

#include <stdint.h>

#include <cstddef>

namespace nestbind::interpose {

struct CodePlace {
  char module[512] = "";  // the file; empty: there is none
  uintptr_t in_module =
      0;  // the address as the file counts; the address itself where there is none
  char function[512] = "";  // that it is in, static ones too, as the compiler has named it; empty:
                            // the file is stripped, or has changed
  uintptr_t in_function = 0;
  char build_id[65] = "";  // the file's, in hexadecimal digits; empty: it has none
};

// Names that are longer are cut.
void find_code(uintptr_t address, CodePlace& place);

}  // namespace nestbind::interpose
