// SPDX-License-Identifier: BSD-3-Clause
#include "memory/kernel/mappings.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <sstream>

#include "memory/kernel/text_file.hpp"

namespace nestbind::memory::kernel {

std::optional<Mapping> parse_mapping(const std::string& line) {
  // "7f1c2a000000-7f1c2a021000 rw-p 00000000 00:00 0"
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
  return mapping;
}

namespace {

bool tells_locked(const std::string& line) {
  return line.starts_with("VmFlags:") && (line + ' ').find(" lo ") != std::string::npos;
}

}  // namespace

std::vector<Mapping> read_mappings() {
  std::vector<Mapping> mappings;
  std::istringstream file(read_text("/proc/thread-self/maps"));
  for (std::string line; std::getline(file, line);) {
    if (const auto mapping = parse_mapping(line)) {
      mappings.push_back(*mapping);
    }
  }
  return mappings;
}

std::vector<Range> read_locked() {
  std::vector<Range> locked;
  std::istringstream file(read_text("/proc/thread-self/smaps"));
  Range present;
  for (std::string line; std::getline(file, line);) {
    if (const auto mapping = parse_mapping(line)) {
      present = mapping->range;
    } else if (tells_locked(line)) {
      locked.push_back(present);
    }
  }
  return locked;
}

namespace {

bool is_huge_chosen(const char* word) {
  return read_text("/sys/kernel/mm/transparent_hugepage/enabled").find(word) != std::string::npos;
}

}  // namespace

bool may_be_huge() { return !is_huge_chosen("[never]"); }

bool is_huge_usual() { return is_huge_chosen("[always]"); }

std::vector<Mapping> in_range(const std::vector<Mapping>& mappings, const Range& range) {
  std::vector<Mapping> parts;
  for (const Mapping& mapping : mappings) {
    const Range part{std::max(mapping.range.begin, range.begin),
                     std::min(mapping.range.end, range.end)};
    if (part.begin < part.end) {
      parts.push_back({part, mapping.protection});
    }
  }
  return parts;
}

std::size_t huge_bytes() {
  std::istringstream file(read_text("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size"));
  constexpr std::size_t kEntries = 512;  // of a page table, where pages are of 4 KiB
  std::size_t bytes = 0;
  return file >> bytes && bytes > page_bytes() && std::has_single_bit(bytes)
             ? bytes
             : kEntries * page_bytes();
}

}  // namespace nestbind::memory::kernel
