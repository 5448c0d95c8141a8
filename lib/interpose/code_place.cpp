// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/code_place.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include <initializer_list>

#include "support/errno_kept.hpp"

namespace nestbind::interpose {

namespace {

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

// A file that anybody may change meanwhile: it is read, not mapped.
class File {
 public:
  explicit File(const char* name) : file_(open(name, O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (file_ >= 0) {
      close(file_);
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // How many bytes there are at this place, at most `size`.
  std::size_t some(uint64_t at, void* into, std::size_t size) const {
    const ssize_t got = file_ < 0 ? -1 : pread(file_, into, size, static_cast<off_t>(at));
    return got < 0 ? 0 : static_cast<std::size_t>(got);
  }
  template <typename Object>
  bool get(uint64_t at, Object& object) const {
    return some(at, &object, sizeof object) == sizeof object;
  }

 private:
  const int file_;
};

// The section of this type, and the one that it is linked with: its names.
bool find_table(const File& file, unsigned type, Section& table, Section& names) {
  Header header;
  if (!file.get(0, header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_shentsize != sizeof(Section)) {
    return false;
  }
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    if (!file.get(header.e_shoff + i * sizeof(Section), table)) {
      return false;
    }
    if (table.sh_type == type) {
      return file.get(header.e_shoff + table.sh_link * sizeof(Section), names);
    }
  }
  return false;
}

bool has(const Symbol& symbol, uintptr_t address) {
  return (symbol.st_info & 0xf) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
         symbol.st_value <= address && address - symbol.st_value < symbol.st_size;
}

// The function with this address in a table of symbols.
bool find_symbol(const File& file, const Section& table, uintptr_t address, Symbol& found) {
  constexpr std::size_t kAtOnce = 256;
  Symbol symbols[kAtOnce];
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

// Of a library that was stripped there are still the functions that it exports.
void find_function(const char* name, CodePlace& place) {
  const File file(name);
  for (const unsigned type : {unsigned{SHT_SYMTAB}, unsigned{SHT_DYNSYM}}) {
    Section table;
    Section names;
    Symbol symbol;
    if (find_table(file, type, table, names) && find_symbol(file, table, place.in_module, symbol)) {
      const std::size_t length =
          file.some(names.sh_offset + symbol.st_name, place.function, sizeof place.function - 1);
      place.function[length] = '\0';
      place.in_function = place.in_module - symbol.st_value;
      return;
    }
  }
}

}  // namespace

void find_code(uintptr_t address, CodePlace& place) {
  const support::ErrnoKept errno_kept;
  place = {};
  place.in_module = address;
  Dl_info info;
  link_map* map = nullptr;
  if (dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&map),
              RTLD_DL_LINKMAP) == 0 ||
      map == nullptr) {
    return;
  }
  place.in_module = address - map->l_addr;
  // The program itself has no name there.
  constexpr char kProgram[] = "/proc/self/exe";
  const bool is_program = map->l_name[0] == '\0';
  const ssize_t length =
      is_program ? readlink(kProgram, place.module, sizeof place.module - 1) : -1;
  if (length >= 0) {
    place.module[length] = '\0';
  } else {
    strncpy(place.module, is_program ? info.dli_fname : map->l_name, sizeof place.module - 1);
  }
  find_function(is_program ? kProgram : map->l_name, place);
}

}  // namespace nestbind::interpose
