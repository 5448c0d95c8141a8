// SPDX-License-Identifier: BSD-3-Clause
// The contents of a loaded module's dynamic section: its exported symbols and its imports.
#pragma once

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "interpose/module.hpp"

namespace nestbind::interpose {

ModuleRange range_of(const dl_phdr_info& info);

struct Dynamic {
  uintptr_t base;             // to be added to the file's addresses
  const ElfW(Sym) * symbols;  // null if there are no symbols
  const char* names;
  const uint32_t* hash;      // GNU hash table of the exported symbols, or null
  uintptr_t relocations[2];  // for data, and for calls; 0 if there are none
  size_t bytes[2];
};

Dynamic read_dynamic(const dl_phdr_info& info);

bool does_need(const dl_phdr_info& info, const char* library);

// A GNU hash table: a header, a filter, the first symbol of each bucket, and a hash for each
// symbol. The lowest bit of the hash marks the last symbol of its bucket.
struct HashTable {
  uint32_t buckets;
  uint32_t first_symbol;
  const uint32_t* bucket;
  const uint32_t* chain;
};
HashTable hash_table(const Dynamic& module);
uint32_t hash_of(const char* name);
bool is_named(const Dynamic& module, const ElfW(Sym) & symbol, const char* name);

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

// Widens a range so that it contains this entry of a symbol table.
void include(ModuleRange& range, const ElfW(Sym) & symbol);

// Calls take(relocation, symbol) for relocations with symbols, until a call returns true.
template <typename Take>
bool any_relocation(const Dynamic& module, Take take) {
  for (int part = 0; part < 2 && module.symbols != nullptr; ++part) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives integers
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
