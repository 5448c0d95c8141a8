// SPDX-License-Identifier: BSD-3-Clause
// Makes a module's memory writable for a while if the loader has made it read-only.
#pragma once

#include <link.h>
#include <stdint.h>
#include <sys/mman.h>

#include "interpose/dynamic.hpp"
#include "interpose/module.hpp"

namespace nestbind::interpose {

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
