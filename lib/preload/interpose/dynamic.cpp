// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/dynamic.hpp"

#include <string.h>
#include <unistd.h>

namespace nestbind::interpose {

namespace {

template <typename Type>
const Type* at(uintptr_t address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives integers
  return reinterpret_cast<const Type*>(address);
}

const ElfW(Dyn) * section_of(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type == PT_DYNAMIC) {
      return at<ElfW(Dyn)>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    }
  }
  return nullptr;
}

// glibc has turned the dynamic section's offsets into addresses, unless the section is read-only.
uintptr_t address_of(const dl_phdr_info& info, uintptr_t value) {
  return value == 0 || value >= info.dlpi_addr ? value : info.dlpi_addr + value;
}

uintptr_t page_begin(uintptr_t address) {
  return address & ~(static_cast<uintptr_t>(getpagesize()) - 1);
}

}  // namespace

ModuleRange range_of(const dl_phdr_info& info) {
  ModuleRange range{UINTPTR_MAX, 0};
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    if (header.p_type == PT_LOAD) {
      const uintptr_t begin = info.dlpi_addr + header.p_vaddr;
      range.begin = begin < range.begin ? begin : range.begin;
      range.end = begin + header.p_memsz > range.end ? begin + header.p_memsz : range.end;
    }
  }
  return range;
}

Dynamic read_dynamic(const dl_phdr_info& info) {
  uintptr_t values[DT_NUM] = {};
  uintptr_t hash = 0;
  const ElfW(Dyn)* entry = section_of(info);
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag > 0 && entry->d_tag < DT_NUM) {
      values[entry->d_tag] = entry->d_un.d_val;
    } else if (entry->d_tag == DT_GNU_HASH) {
      hash = entry->d_un.d_ptr;
    }
  }
  const auto address = [&](uintptr_t value) { return address_of(info, value); };
  Dynamic module = {info.dlpi_addr,
                    at<ElfW(Sym)>(address(values[DT_SYMTAB])),
                    at<char>(address(values[DT_STRTAB])),
                    at<uint32_t>(address(hash)),
                    {address(values[DT_RELA]), address(values[DT_JMPREL])},
                    {values[DT_RELASZ], values[DT_PLTRELSZ]}};
  if (module.names == nullptr) {
    module.symbols = nullptr;
  }
  return module;
}

bool does_need(const dl_phdr_info& info, const char* library) {
  const char* names = read_dynamic(info).names;
  const ElfW(Dyn)* entry = names == nullptr ? nullptr : section_of(info);
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_NEEDED &&
        strncmp(names + entry->d_un.d_val, library, strlen(library)) == 0) {
      return true;
    }
  }
  return false;
}

HashTable hash_table(const Dynamic& module) {
  if (module.hash == nullptr || module.symbols == nullptr) {
    return {};
  }
  constexpr int kHeader = 4;
  const uint32_t buckets = module.hash[0];
  const uint32_t filter_words = module.hash[2] * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
  const uint32_t* bucket = module.hash + kHeader + filter_words;
  return {buckets, module.hash[1], bucket, bucket + buckets};
}

uint32_t hash_of(const char* name) {
  uint32_t hash = 5381;
  for (; *name != '\0'; ++name) {
    hash = hash * 33 + static_cast<unsigned char>(*name);
  }
  return hash;
}

bool is_named(const Dynamic& module, const ElfW(Sym) & symbol, const char* name) {
  return strcmp(module.names + symbol.st_name, name) == 0;
}

bool does_define(const Dynamic& module, const char* name) {
  bool does = false;
  each_definition_of(module, name, [&](const ElfW(Sym)&) { does = true; });
  return does;
}

void include(ModuleRange& range, const ElfW(Sym) & symbol) {
  const auto begin = reinterpret_cast<uintptr_t>(&symbol);
  const uintptr_t end = begin + sizeof symbol;
  const bool is_empty = range.begin == range.end;
  range.begin = is_empty || begin < range.begin ? begin : range.begin;
  range.end = is_empty || end > range.end ? end : range.end;
}

int protection_of(const dl_phdr_info& info, uintptr_t address) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    const uintptr_t begin = info.dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD && address >= begin && address - begin < header.p_memsz) {
      return ((header.p_flags & PF_R) != 0 ? PROT_READ : 0) |
             ((header.p_flags & PF_W) != 0 ? PROT_WRITE : 0) |
             ((header.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
    }
  }
  return 0;
}

ModuleRange relocated_range(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    if (header.p_type == PT_GNU_RELRO) {
      const uintptr_t begin = info.dlpi_addr + header.p_vaddr;
      return {page_begin(begin), page_begin(begin + header.p_memsz)};
    }
  }
  return {};
}

Writable::Writable(const ModuleRange& range, int before)
    : pages_{page_begin(range.begin),
             page_begin(range.end + static_cast<uintptr_t>(getpagesize()) - 1)},
      before_(before),
      is_writable_(range.begin < range.end && protect(before | PROT_WRITE)) {}

Writable::~Writable() {
  if (is_writable_) {
    protect(before_);
  }
}

bool Writable::protect(int protection) const {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives integers
  return mprotect(reinterpret_cast<void*>(pages_.begin), pages_.end - pages_.begin, protection) ==
         0;
}

}  // namespace nestbind::interpose
