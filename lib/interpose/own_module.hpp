// SPDX-License-Identifier: BSD-3-Clause
// The module that this code is in, without asking the loader.
#pragma once

#include "interpose/module.hpp"

// The linker's names for its ends.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)
extern "C" __attribute__((visibility("hidden"))) const char __ehdr_start[];
extern "C" __attribute__((visibility("hidden"))) const char _end[];
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

namespace nestbind::interpose {

inline bool is_ours(const void* address) {
  const ModuleRange own{reinterpret_cast<uintptr_t>(__ehdr_start),
                        reinterpret_cast<uintptr_t>(_end)};
  return own.has(reinterpret_cast<uintptr_t>(address));
}

}  // namespace nestbind::interpose
