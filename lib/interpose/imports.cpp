// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/imports.hpp"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace nestbind::interpose {

namespace {

struct Search {
  const char* prefix;
  const ModuleRange& but;
  const ModuleRange& nor;
};

template <typename Type>
const Type* at(uintptr_t address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader tells integers
  return reinterpret_cast<const Type*>(address);
}

// What a module's dynamic section tells. There is no count of its symbols, so those are looked at
// that its relocations name.
struct Dynamic {
  const ElfW(Sym) * symbols;
  const char* names;
  uintptr_t relocations[2];  // for data, for calls
  size_t bytes[2];
};

Dynamic read_dynamic(const dl_phdr_info& info) {
  const ElfW(Dyn)* entry = nullptr;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type == PT_DYNAMIC) {
      entry = at<ElfW(Dyn)>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    }
  }
  uintptr_t values[DT_NUM] = {};
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag > 0 && entry->d_tag < DT_NUM) {
      values[entry->d_tag] = entry->d_un.d_val;
    }
  }
  // The C library has made addresses of them, but where the section is read-only.
  const auto address = [&](int tag) {
    return values[tag] < info.dlpi_addr ? info.dlpi_addr + values[tag] : values[tag];
  };
  return {at<ElfW(Sym)>(address(DT_SYMTAB)),
          at<char>(address(DT_STRTAB)),
          {values[DT_RELA] == 0 ? 0 : address(DT_RELA),
           values[DT_JMPREL] == 0 ? 0 : address(DT_JMPREL)},
          {values[DT_RELASZ], values[DT_PLTRELSZ]}};
}

bool imports(const Dynamic& module, const ElfW(Rela) & relocation, const char* prefix) {
  const auto number = ELF64_R_SYM(relocation.r_info);
  const ElfW(Sym)& symbol = module.symbols[number];
  return number != 0 && symbol.st_shndx == SHN_UNDEF &&
         strncmp(module.names + symbol.st_name, prefix, strlen(prefix)) == 0;
}

int look_in(dl_phdr_info* info, size_t, void* memory) {
  const auto* search = static_cast<Search*>(memory);
  const Dynamic module = read_dynamic(*info);
  const auto names = reinterpret_cast<uintptr_t>(module.names);
  if (module.symbols == nullptr || names == 0 || search->but.has(names) || search->nor.has(names)) {
    return 0;
  }
  for (int part = 0; part < 2; ++part) {
    const auto* relocation = at<ElfW(Rela)>(module.relocations[part]);
    const size_t count = relocation == nullptr ? 0 : module.bytes[part] / sizeof *relocation;
    for (size_t i = 0; i < count; ++i) {
      if (imports(module, relocation[i], search->prefix)) {
        return 1;
      }
    }
  }
  return 0;
}

}  // namespace

bool is_imported(const char* prefix, const ModuleRange& but, const ModuleRange& nor) {
  Search search{prefix, but, nor};
  return dl_iterate_phdr(look_in, &search) != 0;
}

}  // namespace nestbind::interpose
