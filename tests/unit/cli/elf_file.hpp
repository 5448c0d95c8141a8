// SPDX-License-Identifier: BSD-3-Clause
// Makes small ELF files in memory.
#pragma once

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace elf_file {

inline constexpr std::uint64_t kBase = 0x10000;

struct Tables {
  Elf64_Ehdr header{};
  std::vector<Elf64_Phdr> segments;
  std::vector<Elf64_Dyn> dynamic;
  std::vector<Elf64_Sym> symbols;
  std::vector<Elf64_Shdr> sections;
  std::string strings;

  std::uint32_t string(const std::string& text) {
    const auto at = static_cast<std::uint32_t>(strings.size());
    strings.append(text).push_back('\0');
    return at;
  }
  void symbol(const std::string& name, bool is_defined) {
    Elf64_Sym symbol{};
    symbol.st_name = string(name);
    symbol.st_shndx = is_defined ? 1 : SHN_UNDEF;
    symbols.push_back(symbol);
  }
};

inline constexpr std::uint64_t kSegments = sizeof(Elf64_Ehdr);
inline constexpr std::uint64_t kDynamic = kSegments + 3 * sizeof(Elf64_Phdr);

// The dynamic section has space for eight entries.
inline constexpr std::uint64_t kSymbols = kDynamic + 8 * sizeof(Elf64_Dyn);

inline std::uint64_t strings_of(const Tables& tables) {
  return kSymbols + tables.symbols.size() * sizeof(Elf64_Sym);
}
inline std::uint64_t sections_of(const Tables& tables) {
  return (strings_of(tables) + tables.strings.size() + 7) / 8 * 8;
}

// A program that imports GOMP_parallel and defines pomp_parallel_begin_. Add all symbols and
// strings before you call place().
inline Tables program() {
  Tables tables;
  tables.string("");
  tables.symbol("", false);
  tables.symbol("GOMP_parallel", false);
  tables.symbol("printf", false);
  tables.symbol("pomp_parallel_begin_", true);
  const std::uint32_t needed = tables.string("libgomp.so.1");
  const std::uint32_t runpath = tables.string("/opt/lib");
  tables.dynamic = {{DT_NEEDED, {needed}},
                    {DT_RUNPATH, {runpath}},
                    {DT_STRTAB, {0}},
                    {DT_SYMTAB, {0}},
                    {DT_NULL, {0}}};
  return tables;
}

inline void place(Tables& tables) {
  const std::uint32_t interpreter = tables.string("/lib64/ld-linux-x86-64.so.2");
  const std::uint64_t strings = strings_of(tables);
  std::memcpy(tables.header.e_ident, ELFMAG, SELFMAG);
  tables.header.e_ident[EI_CLASS] = ELFCLASS64;
  tables.header.e_ident[EI_DATA] = ELFDATA2LSB;
#if defined(__x86_64__)
  tables.header.e_machine = EM_X86_64;
#elif defined(__aarch64__)
  tables.header.e_machine = EM_AARCH64;
#elif defined(__powerpc64__)
  tables.header.e_machine = EM_PPC64;
#elif defined(__riscv)
  tables.header.e_machine = EM_RISCV;
#endif
  tables.header.e_phoff = kSegments;
  tables.header.e_phnum = 3;
  tables.segments.resize(3);
  tables.segments[0].p_type = PT_LOAD;
  tables.segments[0].p_vaddr = kBase;
  tables.segments[0].p_filesz = strings + tables.strings.size();
  tables.segments[1].p_type = PT_INTERP;
  tables.segments[1].p_offset = strings + interpreter;
  tables.segments[2].p_type = PT_DYNAMIC;
  tables.segments[2].p_offset = kDynamic;
  tables.segments[2].p_filesz = tables.dynamic.size() * sizeof(Elf64_Dyn);
  for (Elf64_Dyn& entry : tables.dynamic) {
    if (entry.d_tag == DT_STRTAB) {
      entry.d_un.d_ptr = kBase + strings;
    } else if (entry.d_tag == DT_SYMTAB) {
      entry.d_un.d_ptr = kBase + kSymbols;
    }
  }
}

inline void add_sections(Tables& tables) {
  tables.sections.resize(3);
  tables.sections[0].sh_type = SHT_DYNSYM;
  tables.sections[1].sh_type = SHT_SYMTAB;
  tables.sections[1].sh_link = 2;
  tables.sections[2].sh_type = SHT_STRTAB;
  tables.sections[2].sh_offset = strings_of(tables);
  for (int i = 0; i < 2; ++i) {
    tables.sections[i].sh_offset = kSymbols;
    tables.sections[i].sh_size = tables.symbols.size() * sizeof(Elf64_Sym);
  }
  tables.header.e_shoff = sections_of(tables);
  tables.header.e_shnum = 3;
}

inline std::string bytes_of(const Tables& tables) {
  std::string file;
  const auto put = [&](std::uint64_t offset, const void* data, std::size_t size) {
    file.resize(std::max<std::size_t>(file.size(), offset + size));
    std::memcpy(file.data() + offset, data, size);
  };
  const auto put_all = [&](std::uint64_t offset, const auto& table) {
    if (!table.empty()) {
      put(offset, table.data(), table.size() * sizeof table[0]);
    }
  };
  put(0, &tables.header, sizeof tables.header);
  put_all(kSegments, tables.segments);
  put_all(kDynamic, tables.dynamic);
  put_all(kSymbols, tables.symbols);
  put_all(strings_of(tables), tables.strings);
  put_all(sections_of(tables), tables.sections);
  return file;
}

}  // namespace elf_file
