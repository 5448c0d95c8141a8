// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/exports.hpp"

#include <sys/mman.h>

#include <atomic>

#include "interpose/dynamic.hpp"
#include "interpose/module.hpp"
#include "interpose/writable.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::interpose {

namespace {

using IsMeant = bool(const char* name);
constinit std::atomic<IsMeant*> g_is_hidden{nullptr};

struct Own {
  Dynamic dynamic;
  int protection;  // of its symbols
};

int find_own(dl_phdr_info* info, size_t, void* memory) {
  const Dynamic dynamic = read_dynamic(*info);
  if (!is_ours(dynamic.symbols)) {
    return 0;
  }
  *static_cast<Own*>(memory) = {dynamic,
                                protection_of(*info, reinterpret_cast<uintptr_t>(dynamic.symbols))};
  return 1;
}

// Gives the functions with such names a visibility. Returns false where the table cannot be
// written, or is not where a linker puts it.
bool set_visibility(IsMeant* is_meant, unsigned char visibility) {
  const support::ErrnoKept errno_kept;
  Own own{};
  dl_iterate_phdr(find_own, &own);
  if (own.protection != PROT_READ) {
    return false;
  }
  const auto each_meant = [&](auto take) {
    each_definition(own.dynamic, [&](const ElfW(Sym) & symbol) {
      if (is_meant(own.dynamic.names + symbol.st_name)) {
        take(symbol);
      }
    });
  };
  ModuleRange range;
  each_meant([&](const ElfW(Sym) & symbol) { include(range, symbol); });
  const Writable writable(range, own.protection);
  if (!writable) {
    return false;
  }
  each_meant(
      [&](const ElfW(Sym) & symbol) { const_cast<ElfW(Sym)&>(symbol).st_other = visibility; });
  return true;
}

}  // namespace

void hide_exports(bool (*is_meant)(const char* name)) {
  if (set_visibility(is_meant, STV_HIDDEN)) {
    g_is_hidden = is_meant;
  }
}

bool show_exports() {
  // By the thread that comes first: the pages are writable meanwhile.
  IsMeant* const is_meant = g_is_hidden.exchange(nullptr);
  return is_meant != nullptr && set_visibility(is_meant, STV_DEFAULT);
}

}  // namespace nestbind::interpose
