// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/writable.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace nestbind::interpose {

namespace {

uintptr_t page_begin(uintptr_t address) {
  return address & ~(static_cast<uintptr_t>(getpagesize()) - 1);
}

}  // namespace

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
