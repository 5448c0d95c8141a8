// SPDX-License-Identifier: BSD-3-Clause
// The contents of a loaded module's dynamic section: its exported symbols and its imports.
#pragma once

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

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

// Makes a module's memory writable for a while if the loader has made it read-only.

// Returns the protection of the module's segment at this address, or 0 if there is no segment.
int protection_of(const dl_phdr_info& info, uintptr_t address);

ModuleRange relocated_range(const dl_phdr_info& info);

class Writable {
 public:
  // `before` is the present protection, which the destructor restores.
  Writable(const ModuleRange& range, int before);
  ~Writable();
  Writable(const Writable&) = delete;
  Writable& operator=(const Writable&) = delete;

  explicit operator bool() const { return is_writable_; }

 private:
  bool protect(int protection) const;

  ModuleRange pages_;
  int before_;
  bool is_writable_;
};

// True if the relocation fills a word with a plain address.
inline bool is_address(const ElfW(Rela) & relocation) {
  const auto type = ELF64_R_TYPE(relocation.r_info);
#if defined(__x86_64__)
  const bool is_it = type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT || type == R_X86_64_64;
#elif defined(__aarch64__)
  const bool is_it =
      type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT || type == R_AARCH64_ABS64;
#else
  const bool is_it = type == 0 && type != 0;
#endif
  return is_it && relocation.r_addend == 0;
}

// Calls choose(name, address) for each word for which is_address() is true. `choose` returns the
// new address, or null for no change. Read-only words, for example in code, are not changed.
template <typename Choose>
void rebind_words(const dl_phdr_info& info, const Dynamic& module, Choose choose) {
  const ModuleRange relocated = relocated_range(info);
  const auto each = [&](auto write) {
    any_relocation(module, [&](const ElfW(Rela) & relocation, const ElfW(Sym) & symbol) {
      if (!is_address(relocation)) {
        return false;
      }
      const uintptr_t address = module.base + relocation.r_offset;
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives integers
      auto** word = reinterpret_cast<void**>(address);
      void* chosen = choose(module.names + symbol.st_name, __atomic_load_n(word, __ATOMIC_RELAXED));
      if (chosen != nullptr && (protection_of(info, address) & PROT_WRITE) != 0) {
        write(word, chosen, relocated.has(address));
      }
      return false;
    });
  };
  bool is_protected = false;
  each([&](void**, void*, bool is_relocated) { is_protected = is_protected || is_relocated; });
  const Writable writable(is_protected ? relocated : ModuleRange{}, PROT_READ);
  each([&](void** word, void* chosen, bool is_relocated) {
    if (!is_relocated || writable) {
      __atomic_store_n(word, chosen, __ATOMIC_RELEASE);
    }
  });
}

}  // namespace nestbind::interpose
