// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/imports.hpp"

#include <string.h>

#include "interpose/dynamic.hpp"
#include "interpose/module.hpp"

namespace nestbind::interpose {

namespace {

struct ImportSearch {
  const char* prefix;
  const ModuleRange& but;
  const ModuleRange& nor;
};

// There is no count of a module's symbols, so those are looked at that its relocations name.
int look_in(dl_phdr_info* info, size_t, void* memory) {
  const auto* search = static_cast<ImportSearch*>(memory);
  const Dynamic module = read_dynamic(*info);
  const auto names = reinterpret_cast<uintptr_t>(module.names);
  if (module.symbols == nullptr || search->but.has(names) || search->nor.has(names)) {
    return 0;
  }
  const size_t length = strlen(search->prefix);
  const bool found = any_relocation(module, [&](const ElfW(Rela)&, const ElfW(Sym) & symbol) {
    return symbol.st_shndx == SHN_UNDEF &&
           strncmp(module.names + symbol.st_name, search->prefix, length) == 0;
  });
  return found ? 1 : 0;
}

// The first that the loader tells of is the program.
int look_in_program(dl_phdr_info* info, size_t, void* name) {
  constexpr int kYes = 1;
  constexpr int kNo = 2;
  const Dynamic module = read_dynamic(*info);
  const bool found = any_relocation(module, [&](const ElfW(Rela)&, const ElfW(Sym) & symbol) {
    return symbol.st_shndx == SHN_UNDEF && is_named(module, symbol, static_cast<const char*>(name));
  });
  return found ? kYes : kNo;
}

int look_for_import(dl_phdr_info* info, size_t, void* name) {
  const Dynamic module = read_dynamic(*info);
  return !is_ours(module.names) && does_define(module, static_cast<const char*>(name)) ? 1 : 0;
}

int look_for_need(dl_phdr_info* info, size_t, void* library) {
  return does_need(*info, static_cast<const char*>(library)) ? 1 : 0;
}

}  // namespace

bool is_imported(const char* prefix, const ModuleRange& but, const ModuleRange& nor) {
  ImportSearch search{prefix, but, nor};
  return dl_iterate_phdr(look_in, &search) != 0;
}

bool is_imported_by_program(const char* name) {
  return dl_iterate_phdr(look_in_program, const_cast<char*>(name)) == 1;
}

bool is_defined_elsewhere(const char* name) {
  return dl_iterate_phdr(look_for_import, const_cast<char*>(name)) != 0;
}

bool is_needed(const char* library) {
  return dl_iterate_phdr(look_for_need, const_cast<char*>(library)) != 0;
}

}  // namespace nestbind::interpose
