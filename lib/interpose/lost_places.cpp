// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/lost_places.hpp"

#include <dlfcn.h>
#include <string.h>
#include <sys/auxv.h>

#include <atomic>
#include <iterator>

#include "interpose/bound_words.hpp"
#include "interpose/own_module.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::interpose {

namespace {

struct Lost {
  const char* name;
  void* theirs;
  void* ours;
};

// Filled once, and published by their number.
constinit Lost g_lost[512]{};
constinit std::atomic<int> g_count{0};
constinit std::atomic<bool> g_looked{false};

// A library whose places are taken, or this one.
struct Library {
  ModuleRange range;
  Dynamic dynamic;
  int protection;  // of its symbols
};

struct Libraries {
  Library own;
  Library before[8];
  int count = 0;

  const Library* of(const void* address) const {
    for (int i = 0; i < count; ++i) {
      if (before[i].range.has(reinterpret_cast<uintptr_t>(address))) {
        return &before[i];
      }
    }
    return nullptr;
  }
};

bool is_program(const ModuleRange& range) { return range.has(getauxval(AT_ENTRY)); }

bool imports(const Dynamic& module, const char* name) {
  return any_relocation(module, [&](const ElfW(Rela)&, const ElfW(Sym) & symbol) {
    return symbol.st_shndx == SHN_UNDEF && is_named(module, symbol, name);
  });
}

// By what it has, not by its name: copies are renamed.
bool is_runtime(const Dynamic& module) {
  return does_define(module, "GOMP_parallel") && does_define(module, "omp_get_thread_num");
}
bool is_c_library(const Dynamic& module) { return does_define(module, "gnu_get_libc_version"); }
// OPARI 1's own; those of ours stand before it, and tell us.
bool is_pomp(const Dynamic& module) {
  return does_define(module, "pomp_parallel_begin") && !imports(module, "nestbind_pomp_runtime");
}

int collect(dl_phdr_info* info, size_t, void* memory) {
  auto& found = *static_cast<Libraries*>(memory);
  const Dynamic dynamic = read_dynamic(*info);
  const Library library{range_of(*info), dynamic,
                        protection_of(*info, reinterpret_cast<uintptr_t>(dynamic.symbols))};
  if (library.range.has(reinterpret_cast<uintptr_t>(&g_lost))) {
    found.own = library;
  } else if (found.count < static_cast<int>(std::size(found.before)) &&
             !is_program(library.range) &&
             (is_runtime(library.dynamic) || is_c_library(library.dynamic) ||
              is_pomp(library.dynamic))) {
    found.before[found.count++] = library;
  }
  return 0;
}

// A runtime that starts a tool has a function of this name itself, which looks for the next.
bool is_to_stay(const char* name) { return strcmp(name, "ompt_start_tool") == 0; }

void add_lost(const Lost& lost, int& count) {
  if (count < static_cast<int>(std::size(g_lost))) {
    g_lost[count++] = lost;
  }
}

// Of a name with several versions, that which is found without one comes first.
int find_lost(const Libraries& libraries) {
  int count = 0;
  const Dynamic& own = libraries.own.dynamic;
  each_definition(own, [&](const ElfW(Sym) & symbol) {
    const char* name = own.names + symbol.st_name;
    void* first = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC ? dlsym(RTLD_DEFAULT, name) : nullptr;
    const Library* library = first == nullptr ? nullptr : libraries.of(first);
    if (library == nullptr || is_to_stay(name)) {
      return;
    }
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader tells integers
    auto* const ours = reinterpret_cast<void*>(own.base + symbol.st_value);
    add_lost({name, first, ours}, count);
    each_definition_of(library->dynamic, name, [&](const ElfW(Sym) & version) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): as above
      auto* const theirs = reinterpret_cast<void*>(library->dynamic.base + version.st_value);
      if (ELF64_ST_TYPE(version.st_info) == STT_FUNC && theirs != first) {
        add_lost({name, theirs, ours}, count);
      }
    });
  });
  return count;
}

// Ours are in its place, and hand on to it: it stays.
void keep_loaded(const Library& library) {
  Dl_info info;
  if (dladdr(library.dynamic.symbols, &info) != 0) {
    dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  }
}

// address: of one of its versions; null: of the first.
const Lost* lost_of(const char* name, const void* address = nullptr) {
  const int count = g_count.load(std::memory_order_acquire);
  for (int i = 0; i < count; ++i) {
    if (strcmp(g_lost[i].name, name) == 0 && (address == nullptr || g_lost[i].theirs == address)) {
      return &g_lost[i];
    }
  }
  return nullptr;
}

// Calls take(symbol, lost) for each symbol of a library whose place is to be taken.
template <typename Take>
void each_symbol(const Dynamic& module, Take take) {
  const int count = g_count.load(std::memory_order_relaxed);
  for (int i = 0; i < count; ++i) {
    const auto address = reinterpret_cast<uintptr_t>(g_lost[i].theirs) - module.base;
    each_definition_of(module, g_lost[i].name, [&](const ElfW(Sym) & symbol) {
      if (symbol.st_value == address && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC) {
        take(symbol, g_lost[i]);
      }
    });
  }
}

// What is bound from now on: by the loader, in libraries that are loaded later too, and by dlsym.
void bind_later(const Library& library) {
  const Dynamic& module = library.dynamic;
  ModuleRange range{UINTPTR_MAX, 0};
  each_symbol(module, [&](const ElfW(Sym) & symbol, const Lost&) {
    const auto begin = reinterpret_cast<uintptr_t>(&symbol);
    range.begin = begin < range.begin ? begin : range.begin;
    range.end = begin + sizeof symbol > range.end ? begin + sizeof symbol : range.end;
  });
  const Writable writable(range, library.protection);
  if (!writable) {
    return;
  }
  each_symbol(module, [&](const ElfW(Sym) & symbol, const Lost& lost) {
    __atomic_store_n(&const_cast<ElfW(Sym)&>(symbol).st_value,
                     reinterpret_cast<uintptr_t>(lost.ours) - module.base, __ATOMIC_RELEASE);
  });
}

// What a module has bound already, to another. A call that it has not yet made will be bound by
// then.
int bind_again(dl_phdr_info* info, size_t, void* memory) {
  const auto& libraries = *static_cast<const Libraries*>(memory);
  const Dynamic module = read_dynamic(*info);
  if (module.symbols == nullptr || is_ours(module.symbols)) {
    return 0;
  }
  const Library* self = libraries.of(module.symbols);
  rebind_words(*info, module, [&](const char* name, void* bound_to) -> void* {
    const Library* library = libraries.of(bound_to);
    const Lost* lost = library == nullptr || library == self ? nullptr : lost_of(name, bound_to);
    return lost != nullptr ? lost->ours : nullptr;
  });
  return 0;
}

bool is_lost(const char* name) {
  void* first = dlsym(RTLD_DEFAULT, name);
  return first != nullptr && !is_ours(first);
}

}  // namespace

bool take_lost_places() {
  if (g_looked.exchange(true)) {
    return has_taken_places();
  }
  const support::ErrnoKept errno_kept;
  // One of each library that may come before us.
  if (!is_lost("GOMP_parallel") && !is_lost("pthread_create") && !is_lost("pomp_parallel_begin")) {
    return false;
  }
  Libraries libraries{};
  dl_iterate_phdr(collect, &libraries);
  g_count.store(find_lost(libraries), std::memory_order_release);
  if (!has_taken_places()) {
    return false;
  }
  for (int i = 0; i < libraries.count; ++i) {
    keep_loaded(libraries.before[i]);
    bind_later(libraries.before[i]);
  }
  dl_iterate_phdr(bind_again, &libraries);
  return true;
}

bool has_taken_places() { return g_count.load(std::memory_order_acquire) > 0; }

void* theirs(const char* name) {
  const Lost* lost = lost_of(name);
  return lost == nullptr ? nullptr : lost->theirs;
}

void* find_in(void* library, const char* name) {
  void* found = dlsym(library, name);
  void* taken = is_ours(found) ? theirs(name) : nullptr;
  return taken != nullptr ? taken : found;
}

}  // namespace nestbind::interpose
