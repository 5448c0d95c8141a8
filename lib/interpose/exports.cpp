// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/exports.hpp"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/errno_kept.hpp"

namespace nestbind::interpose {

namespace {

template <typename Type>
Type* at(uintptr_t address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader tells integers
  return reinterpret_cast<Type*>(address);
}

// The part of this module that a table is in.
struct Segment {
  uintptr_t inside;
  uintptr_t base;
  bool is_readable_data;
};

int find_segment(dl_phdr_info* info, size_t, void* memory) {
  auto& segment = *static_cast<Segment*>(memory);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD && begin <= segment.inside &&
        segment.inside < begin + header.p_memsz) {
      segment.base = info->dlpi_addr;
      segment.is_readable_data = (header.p_flags & (PF_R | PF_W | PF_X)) == PF_R;
      return 1;
    }
  }
  return 0;
}

// Of this module's own dynamic section, by the linker's name for it.
uintptr_t value_of(ElfW(Sxword) tag) {
  for (const ElfW(Dyn)* entry = _DYNAMIC; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == tag) {
      return entry->d_un.d_val;
    }
  }
  return 0;
}

// The tables of this module; null where they are not as expected.
struct Tables {
  ElfW(Sym) * symbols;
  const char* names;
  const uint32_t* hash;
};

Tables find_tables() {
  Segment own{reinterpret_cast<uintptr_t>(_DYNAMIC), 0, false};
  dl_iterate_phdr(find_segment, &own);
  // The C library has made addresses of them, but where the section is read-only.
  const auto address = [&](ElfW(Sxword) tag) {
    const uintptr_t value = value_of(tag);
    return value == 0 ? 0 : value < own.base ? own.base + value : value;
  };
  Segment table{address(DT_SYMTAB), 0, false};
  dl_iterate_phdr(find_segment, &table);
  if (address(DT_GNU_HASH) == 0 || address(DT_STRTAB) == 0 || !table.is_readable_data) {
    return {};
  }
  return {at<ElfW(Sym)>(address(DT_SYMTAB)), at<const char>(address(DT_STRTAB)),
          at<const uint32_t>(address(DT_GNU_HASH))};
}

// Visits all symbols that the loader may find here.
template <typename Visit>
void each_export(const Tables& tables, Visit visit) {
  if (tables.hash == nullptr || tables.symbols == nullptr) {
    return;
  }
  const uint32_t buckets = tables.hash[0];
  const uint32_t first = tables.hash[1];
  const uint32_t bloom_words = tables.hash[2];
  const uint32_t* bucket = tables.hash + 4 + bloom_words * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
  const uint32_t* chain = bucket + buckets;
  for (uint32_t i = 0; i < buckets; ++i) {
    for (uint32_t number = bucket[i]; number >= first && number != 0; ++number) {
      visit(tables.symbols[number]);
      if ((chain[number - first] & 1) != 0) {
        break;
      }
    }
  }
}

using IsMeant = bool(const char* name);
constinit IsMeant* g_is_hidden = nullptr;

// Gives the functions with such names a visibility. Returns false where the table cannot be
// written.
bool set_visibility(bool (*is_meant)(const char*), unsigned char visibility) {
  const support::ErrnoKept errno_kept;
  const Tables tables = find_tables();
  uintptr_t begin = UINTPTR_MAX;
  uintptr_t end = 0;
  const auto each_meant = [&](auto visit) {
    each_export(tables, [&](ElfW(Sym) & symbol) {
      if (symbol.st_shndx != SHN_UNDEF && is_meant(tables.names + symbol.st_name)) {
        visit(symbol);
      }
    });
  };
  each_meant([&](ElfW(Sym) & symbol) {
    const auto address = reinterpret_cast<uintptr_t>(&symbol);
    begin = address < begin ? address : begin;
    end = address + sizeof symbol > end ? address + sizeof symbol : end;
  });
  begin -= begin % static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  if (end == 0 || mprotect(at<void>(begin), end - begin, PROT_READ | PROT_WRITE) != 0) {
    return false;
  }
  each_meant([&](ElfW(Sym) & symbol) { symbol.st_other = visibility; });
  mprotect(at<void>(begin), end - begin, PROT_READ);
  return true;
}

struct Needed {
  const char* library;
  size_t length;
};

int look_in(dl_phdr_info* info, size_t, void* memory) {
  const auto& needed = *static_cast<Needed*>(memory);
  const ElfW(Dyn)* dynamic = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
      dynamic = at<ElfW(Dyn)>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    }
  }
  uintptr_t names = 0;
  for (const ElfW(Dyn)* entry = dynamic; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    names = entry->d_tag == DT_STRTAB ? entry->d_un.d_ptr : names;
  }
  names = names < info->dlpi_addr ? info->dlpi_addr + names : names;
  for (const ElfW(Dyn)* entry = dynamic; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_NEEDED &&
        strncmp(at<const char>(names + entry->d_un.d_val), needed.library, needed.length) == 0) {
      return 1;
    }
  }
  return 0;
}

}  // namespace

void hide_exports(bool (*is_meant)(const char* name)) {
  if (set_visibility(is_meant, STV_HIDDEN)) {
    g_is_hidden = is_meant;
  }
}

bool show_exports() {
  const bool was_hidden = g_is_hidden != nullptr && set_visibility(g_is_hidden, STV_DEFAULT);
  g_is_hidden = nullptr;
  return was_hidden;
}

bool is_needed(const char* library) {
  Needed needed{library, strlen(library)};
  return dl_iterate_phdr(look_in, &needed) != 0;
}

}  // namespace nestbind::interpose
