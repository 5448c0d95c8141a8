// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/redirect.hpp"

#include <string.h>

#include "interpose/bound_words.hpp"

namespace nestbind::interpose {

namespace {

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
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader tells integers
    auto** word = reinterpret_cast<void**>(module.base + relocation.r_offset);
    wanted.is_done = is_address(relocation) &&
                     choose(module.names + symbol.st_name, nullptr) != nullptr &&
                     __atomic_load_n(word, __ATOMIC_RELAXED) == wanted.to;
    return wanted.is_done;
  });
  return 1;
}

}  // namespace

bool redirect(const void* inside, const char* name, void* to) {
  Redirection wanted{inside, name, to, false};
  dl_iterate_phdr(change, &wanted);
  return wanted.is_done;
}

}  // namespace nestbind::interpose
