// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/next_function.hpp"

// The linker's names for the section's ends.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)
extern nestbind::interpose::NextFunction __start_nestbind_next[]
    __attribute__((visibility("hidden")));
extern nestbind::interpose::NextFunction __stop_nestbind_next[]
    __attribute__((visibility("hidden")));
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

namespace nestbind::interpose {

void find_all() {
  for (NextFunction* next = __start_nestbind_next; next != __stop_nestbind_next; ++next) {
    next->look();
  }
}

namespace {

__attribute__((constructor)) void begin() { find_all(); }

}  // namespace

}  // namespace nestbind::interpose
