// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/next_function.hpp"

#include <dlfcn.h>

#include "interpose/module.hpp"

// Names that the linker defines for the begin and the end of the section.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)
extern nestbind::interpose::NextFunction __start_nestbind_next[]
    __attribute__((visibility("hidden")));
extern nestbind::interpose::NextFunction __stop_nestbind_next[]
    __attribute__((visibility("hidden")));
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

namespace nestbind::interpose {

namespace {

// The C library may be loaded before us if the program itself does not link with us.
bool c_library_is_behind() {
  static constinit std::atomic<void*> known{nullptr};
  if (known.load(std::memory_order_relaxed) == nullptr) {
    known.store(dlsym(RTLD_NEXT, "gnu_get_libc_version"), std::memory_order_relaxed);
  }
  return known.load(std::memory_order_relaxed) != nullptr;
}

__attribute__((constructor)) void find_all() {
  for (NextFunction* next = __start_nestbind_next; next != __stop_nestbind_next; ++next) {
    next->look();
  }
}

}  // namespace

void* find_next(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr && !c_library_is_behind()) {
    void* first = dlsym(RTLD_DEFAULT, name);
    found = is_ours(first) ? nullptr : first;
  }
  return found;
}

}  // namespace nestbind::interpose
