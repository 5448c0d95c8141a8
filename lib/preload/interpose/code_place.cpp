// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/code_place.hpp"

#include <link.h>
#include <string.h>
#include <unistd.h>

#include <initializer_list>

#include "interpose/dynamic.hpp"
#include "support/errno_kept.hpp"
#include "support/file_bytes.hpp"

namespace nestbind::interpose {

namespace {

using support::File;

using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

// Finds the first section of a type (such as SHT_SYMTAB), and the section with the names of its
// symbols. If there is no such section, or the file is not an ELF file, returns false; `table` and
// `names` are then undefined.
bool find_section(const File& file, unsigned type, Section& table, Section& names) {
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

bool has(const Symbol& symbol, uintptr_t address) {
  return (symbol.st_info & 0xf) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
         symbol.st_value <= address && address - symbol.st_value < symbol.st_size;
}

bool find_symbol(const File& file, const Section& table, uintptr_t address, Symbol& found) {
  constexpr std::size_t kAtOnce = 256;
  Symbol symbols[kAtOnce] = {};
  for (uint64_t at = 0; at < table.sh_size; at += sizeof symbols) {
    const uint64_t left = (table.sh_size - at) / sizeof(Symbol);
    const std::size_t wanted = left < kAtOnce ? left : kAtOnce;
    if (file.some(table.sh_offset + at, symbols, wanted * sizeof(Symbol)) !=
        wanted * sizeof(Symbol)) {
      return false;
    }
    for (std::size_t i = 0; i < wanted; ++i) {
      if (has(symbols[i], address)) {
        found = symbols[i];
        return true;
      }
    }
  }
  return false;
}

// Looks in both symbol tables, because a stripped library still has the symbols of its exports.
void find_function(const char* name, CodePlace& place) {
  const File file(name);
  for (const unsigned type : {unsigned{SHT_SYMTAB}, unsigned{SHT_DYNSYM}}) {
    Section table{};
    Section names{};
    Symbol symbol{};
    if (find_section(file, type, table, names) &&
        find_symbol(file, table, place.in_module, symbol)) {
      const std::size_t length =
          file.some(names.sh_offset + symbol.st_name, place.function, sizeof place.function - 1);
      place.function[length] = '\0';
      place.in_function = place.in_module - symbol.st_value;
      return;
    }
  }
}

// Names and contents of notes are padded to 4 bytes, also in 64-bit files.
std::size_t padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

bool is_build_id(const ElfW(Nhdr) & note, const char* name) {
  return note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
         memcmp(name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0;
}

void write_digits(const unsigned char* bytes, std::size_t count, char (&text)[65]) {
  constexpr char kDigits[] = "0123456789abcdef";
  char* to = text;
  for (std::size_t i = 0; i < count && to + 2 < text + sizeof text; ++i) {
    *to++ = kDigits[bytes[i] >> 4];
    *to++ = kDigits[bytes[i] & 0xf];
  }
  *to = '\0';
}

void find_build_id(const char* notes, std::size_t size, char (&text)[65]) {
  ElfW(Nhdr) note;
  for (std::size_t at = 0; at + sizeof note <= size;) {
    memcpy(&note, notes + at, sizeof note);
    const std::size_t name = at + sizeof note;
    const std::size_t content = name + padded(note.n_namesz);
    const std::size_t end = content + padded(note.n_descsz);
    if (content < name || end < content || end > size) {
      return;
    }
    if (is_build_id(note, notes + name)) {
      write_digits(reinterpret_cast<const unsigned char*>(notes) + content, note.n_descsz, text);
      return;
    }
    at = end;
  }
}

bool is_loaded(const dl_phdr_info& info, const ElfW(Phdr) & segment) {
  for (unsigned i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& loaded = info.dlpi_phdr[i];
    if (loaded.p_type == PT_LOAD && (loaded.p_flags & PF_R) != 0 &&
        segment.p_vaddr >= loaded.p_vaddr &&
        segment.p_vaddr + segment.p_memsz <= loaded.p_vaddr + loaded.p_memsz) {
      return true;
    }
  }
  return false;
}

struct CodeSearch {
  uintptr_t address;
  bool is_found = false;
  uintptr_t bias = 0;
  char build_id[sizeof CodePlace::build_id] = "";
  char name[sizeof CodePlace::module] = "";
};

int look_for_code(dl_phdr_info* info, size_t, void* memory) {
  auto* search = static_cast<CodeSearch*>(memory);
  if (!range_of(*info).has(search->address)) {
    return 0;
  }
  search->is_found = true;
  search->bias = info->dlpi_addr;
  strncpy(search->name, info->dlpi_name, sizeof search->name - 1);
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_NOTE && is_loaded(*info, segment)) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives integers
      const auto* notes = reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr);
      find_build_id(notes, segment.p_memsz, search->build_id);
    }
  }
  return 1;
}

}  // namespace

void find_code(uintptr_t address, CodePlace& place) {
  const support::ErrnoKept errno_kept;
  place = {};
  place.in_module = address;
  CodeSearch search{address};
  dl_iterate_phdr(look_for_code, &search);
  if (!search.is_found) {
    return;
  }
  place.in_module = address - search.bias;
  memcpy(place.build_id, search.build_id, sizeof search.build_id);
  constexpr char kProgram[] = "/proc/self/exe";
  if (search.name[0] != '\0') {
    memcpy(place.module, search.name, sizeof search.name);
    find_function(search.name, place);
    return;
  }
  const ssize_t length = readlink(kProgram, place.module, sizeof place.module - 1);
  place.module[length < 0 ? 0 : length] = '\0';
  find_function(kProgram, place);
}

}  // namespace nestbind::interpose
