// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/redirect.hpp"

#include <string.h>
#include <sys/mman.h>

#include <atomic>

#include "interpose/dynamic.hpp"
#include "interpose/module.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::interpose {

namespace {

struct Search {
  const void* inside;
  const char* name;
  void* found;

  bool is_for(const dl_phdr_info& info) const {
    return range_of(info).has(reinterpret_cast<uintptr_t>(inside));
  }
};

int look_for_definition(dl_phdr_info* info, size_t, void* memory) {
  auto& search = *static_cast<Search*>(memory);
  if (!search.is_for(*info)) {
    return 0;
  }
  const Dynamic module = read_dynamic(*info);
  each_definition_of(module, search.name, [&](const ElfW(Sym) & symbol) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives integers
      search.found = reinterpret_cast<void*>(module.base + symbol.st_value);
    }
  });
  return 1;
}

// A word that the loader has not bound yet may point to a stub in the importing module.
int look_for_word(dl_phdr_info* info, size_t, void* memory) {
  auto& search = *static_cast<Search*>(memory);
  if (!search.is_for(*info)) {
    return 0;
  }
  const Dynamic module = read_dynamic(*info);
  const size_t length = strlen(search.name);
  any_relocation(module, [&](const ElfW(Rela) & relocation, const ElfW(Sym) & symbol) {
    const char* name = module.names + symbol.st_name;
    if (!is_address(relocation) || strncmp(name, search.name, length) != 0) {
      return false;
    }
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives integers
    auto** word = reinterpret_cast<void**>(module.base + relocation.r_offset);
    void* bound_to = __atomic_load_n(word, __ATOMIC_RELAXED);
    const bool is_it = !is_ours(bound_to) && defined_function(bound_to, name) == bound_to;
    search.found = is_it ? bound_to : nullptr;
    return is_it;
  });
  return 1;
}

struct Redirection {
  const void* inside;
  const char* name;
  void* to;
  bool is_done;
};

int change(dl_phdr_info* info, size_t, void* memory) {
  auto& wanted = *static_cast<Redirection*>(memory);
  if (!range_of(*info).has(reinterpret_cast<uintptr_t>(wanted.inside))) {
    return 0;
  }
  const auto choose = [&](const char* name, void*) -> void* {
    return strcmp(name, wanted.name) == 0 ? wanted.to : nullptr;
  };
  const Dynamic module = read_dynamic(*info);
  rebind_words(*info, module, choose);
  any_relocation(module, [&](const ElfW(Rela) & relocation, const ElfW(Sym) & symbol) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives integers
    auto** word = reinterpret_cast<void**>(module.base + relocation.r_offset);
    wanted.is_done = is_address(relocation) &&
                     choose(module.names + symbol.st_name, nullptr) != nullptr &&
                     __atomic_load_n(word, __ATOMIC_RELAXED) == wanted.to;
    return wanted.is_done;
  });
  return 1;
}

}  // namespace

const void* bound_function(const void* inside, const char* prefix) {
  Search search{inside, prefix, nullptr};
  dl_iterate_phdr(look_for_word, &search);
  return search.found;
}

void* defined_function(const void* inside, const char* name) {
  Search search{inside, name, nullptr};
  dl_iterate_phdr(look_for_definition, &search);
  return search.found;
}

bool redirect(const void* inside, const char* name, void* to) {
  Redirection wanted{inside, name, to, false};
  dl_iterate_phdr(change, &wanted);
  return wanted.is_done;
}

namespace {

using IsMeant = bool(const char* name);
constinit std::atomic<IsMeant*> g_is_hidden{nullptr};

struct Own {
  Dynamic dynamic;
  int protection;
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

// Linkers put the table in read-only memory.
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
  // Only one thread does this, because the pages are writable for a while.
  IsMeant* const is_meant = g_is_hidden.exchange(nullptr);
  return is_meant != nullptr && set_visibility(is_meant, STV_DEFAULT);
}

}  // namespace nestbind::interpose
