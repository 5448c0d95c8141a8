// SPDX-License-Identifier: BSD-3-Clause
// What the dynamic section of a loaded module tells: what it has for others, and from others.
#pragma once

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "interpose/module.hpp"

namespace nestbind::interpose {

// The addresses of a module that the loader tells of.
ModuleRange range_of(const dl_phdr_info& info);

struct Dynamic {
  uintptr_t base;             // of the addresses in the module's file
  const ElfW(Sym) * symbols;  // null where the module has none
  const char* names;
  const uint32_t* hash;      // GNU's table of the symbols that it has for others; null: none
  uintptr_t relocations[2];  // for data, for calls; 0: none
  size_t bytes[2];
};

Dynamic read_dynamic(const dl_phdr_info& info);

// Whether it was linked with the library of this name ("libx.so", without a version).
bool does_need(const dl_phdr_info& info, const char* library);

// GNU's hash table: a header, a filter, the first symbol of each bucket, and for each symbol its
// hash, whose lowest bit says that it is its bucket's last.
struct HashTable {
  uint32_t buckets;
  uint32_t first_symbol;
  const uint32_t* bucket;
  const uint32_t* chain;
};
HashTable hash_table(const Dynamic& module);
uint32_t hash_of(const char* name);
bool is_named(const Dynamic& module, const ElfW(Sym) & symbol, const char* name);

// Calls take(symbol) for each that the module has for others.
template <typename Take>
void each_definition(const Dynamic& module, Take take) {
  const HashTable table = hash_table(module);
  for (uint32_t i = 0; i < table.buckets; ++i) {
    uint32_t symbol = table.bucket[i];
    if (symbol >= table.first_symbol) {
      do {
        if (module.symbols[symbol].st_shndx != SHN_UNDEF) {
          take(module.symbols[symbol]);
        }
      } while ((table.chain[symbol++ - table.first_symbol] & 1) == 0);
    }
  }
}

// The same of those with a name: each has a version of its own.
template <typename Take>
void each_definition_of(const Dynamic& module, const char* name, Take take) {
  const HashTable table = hash_table(module);
  const uint32_t hash = hash_of(name);
  uint32_t symbol = table.buckets == 0 ? 0 : table.bucket[hash % table.buckets];
  if (table.buckets == 0 || symbol < table.first_symbol) {
    return;
  }
  uint32_t link = 0;
  do {
    link = table.chain[symbol - table.first_symbol];
    const ElfW(Sym)& found = module.symbols[symbol];
    if ((link | 1) == (hash | 1) && found.st_shndx != SHN_UNDEF && is_named(module, found, name)) {
      take(found);
    }
    ++symbol;
  } while ((link & 1) == 0);
}

bool does_define(const Dynamic& module, const char* name);

// Widens a range, which may be empty, to have a table's entry.
void include(ModuleRange& range, const ElfW(Sym) & symbol);

// Calls take(relocation, symbol) for each relocation that has a symbol, until it returns true;
// returns whether it did.
template <typename Take>
bool any_relocation(const Dynamic& module, Take take) {
  for (int part = 0; part < 2 && module.symbols != nullptr; ++part) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader tells integers
    const auto* relocation = reinterpret_cast<const ElfW(Rela)*>(module.relocations[part]);
    const size_t count = relocation == nullptr ? 0 : module.bytes[part] / sizeof *relocation;
    for (size_t i = 0; i < count; ++i) {
      const auto number = ELF64_R_SYM(relocation[i].r_info);
      if (number != 0 && take(relocation[i], module.symbols[number])) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace nestbind::interpose
