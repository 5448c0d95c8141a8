// SPDX-License-Identifier: BSD-3-Clause
#include "memory/kernel/mappings.hpp"

#include <sys/mman.h>

#include <bit>
#include <sstream>

#include "support/kernel_file.hpp"

namespace nestbind::memory::kernel {

std::optional<Mapping> parse_mapping(const std::string& line) {
  // "7f1c2a000000-7f1c2a021000 rw-p 00000000 00:00 0    [heap]"
  std::istringstream text(line);
  Mapping mapping;
  char dash = '\0';
  std::string letters;
  if (!(text >> std::hex >> mapping.range.begin >> dash >> mapping.range.end >> letters) ||
      dash != '-' || letters.size() != 4 || mapping.range.begin >= mapping.range.end) {
    return std::nullopt;
  }
  mapping.protection = (letters[0] == 'r' ? PROT_READ : 0) | (letters[1] == 'w' ? PROT_WRITE : 0) |
                       (letters[2] == 'x' ? PROT_EXEC : 0);
  mapping.is_private = letters[3] == 'p';
  std::string device;
  text >> mapping.offset >> device >> std::dec >> mapping.inode >> std::ws;
  std::getline(text, mapping.name);
  return mapping;
}

std::vector<Mapping> read_mappings(int process) {
  std::vector<Mapping> mappings;
  std::istringstream file(support::kernel_text("/proc/" + std::to_string(process) + "/maps"));
  for (std::string line; std::getline(file, line);) {
    if (const auto mapping = parse_mapping(line)) {
      mappings.push_back(*mapping);
    }
  }
  return mappings;
}

std::size_t huge_bytes() {
  std::istringstream file(
      support::kernel_text("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size"));
  constexpr std::size_t kEntries = 512;  // entries of one page table, if pages have 4 KiB
  std::size_t bytes = 0;
  return file >> bytes && bytes > page_bytes() && std::has_single_bit(bytes)
             ? bytes
             : kEntries * page_bytes();
}

}  // namespace nestbind::memory::kernel
