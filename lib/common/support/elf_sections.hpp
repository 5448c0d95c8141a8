// SPDX-License-Identifier: BSD-3-Clause
// The tables in the file of a program or a library (elf(5)), for this machine's architecture.
#pragma once

#include <link.h>
#include <string.h>

#include "support/file_bytes.hpp"

namespace nestbind::support {

// Finds the first section of a type (such as SHT_SYMTAB), and the section with the names of its
// symbols. If there is no such section, or the file is not an ELF file, returns false; `table` and
// `names` are then undefined.
inline bool find_section(const File& file, unsigned type, ElfW(Shdr) & table, ElfW(Shdr) & names) {
  ElfW(Ehdr) header{};
  if (!file.get(0, header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_shentsize != sizeof table) {
    return false;
  }
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    if (!file.get(header.e_shoff + i * sizeof table, table)) {
      return false;
    }
    if (table.sh_type == type) {
      return file.get(header.e_shoff + table.sh_link * sizeof table, names);
    }
  }
  return false;
}

}  // namespace nestbind::support
