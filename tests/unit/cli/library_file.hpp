// SPDX-License-Identifier: BSD-3-Clause
// Makes ELF files with names of needed libraries and search paths, and without code.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "elf_file.hpp"

namespace library_file {

struct Library {
  std::vector<std::pair<std::int64_t, std::string>> texts;  // DT_NEEDED and others, in order
  std::string interpreter;                                  // of a program
  std::uint64_t flags = 0;                                  // DT_FLAGS_1
};

inline std::string bytes_of(const Library& library) {
  elf_file::Tables tables;
  elf_file::place(tables);
  Elf64_Ehdr header = tables.header;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_version = EV_CURRENT;
  header.e_type = ET_DYN;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = library.interpreter.empty() ? 2 : 3;
  const std::uint64_t dynamic = sizeof header + header.e_phnum * sizeof(Elf64_Phdr);
  const std::size_t entries = library.texts.size() + 3;
  const std::uint64_t begin = dynamic + entries * sizeof(Elf64_Dyn);
  std::string strings(1, '\0');
  std::vector<Elf64_Dyn> table;
  for (const auto& [tag, text] : library.texts) {
    table.push_back({tag, {strings.size()}});
    strings.append(text).push_back('\0');
  }
  table.push_back({DT_STRTAB, {begin}});
  table.push_back({DT_FLAGS_1, {library.flags}});
  table.push_back({DT_NULL, {0}});
  const std::uint64_t interpreter = begin + strings.size();
  strings.append(library.interpreter).push_back('\0');
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  segments[0].p_type = PT_LOAD;
  segments[0].p_filesz = begin + strings.size();
  segments[1].p_type = PT_DYNAMIC;
  segments[1].p_offset = segments[1].p_vaddr = dynamic;
  segments[1].p_filesz = entries * sizeof(Elf64_Dyn);
  if (!library.interpreter.empty()) {
    segments[2].p_type = PT_INTERP;
    segments[2].p_offset = interpreter;
  }
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  bytes.append(reinterpret_cast<const char*>(segments.data()),
               segments.size() * sizeof segments[0]);
  bytes.append(reinterpret_cast<const char*>(table.data()), table.size() * sizeof table[0]);
  return bytes + strings;
}

}  // namespace library_file
