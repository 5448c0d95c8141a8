// SPDX-License-Identifier: BSD-3-Clause
// Memory of a module that the loader has made read-only, writable for a while.
#pragma once

#include <link.h>
#include <stdint.h>

#include "interpose/module.hpp"

namespace nestbind::interpose {

// The protection of an address of a module, as mprotect has it, when the module was loaded; 0 where
// it is in none of its parts.
int protection_of(const dl_phdr_info& info, uintptr_t address);

// What the loader makes read-only once it has filled it in, in whole pages as it does.
ModuleRange relocated_range(const dl_phdr_info& info);

class Writable {
 public:
  // `before`: its protection, which it has again at the end. An empty range is not writable.
  Writable(const ModuleRange& range, int before);
  ~Writable();
  Writable(const Writable&) = delete;
  Writable& operator=(const Writable&) = delete;

  explicit operator bool() const { return is_writable_; }

 private:
  bool protect(int protection) const;

  ModuleRange pages_;
  int before_;
  bool is_writable_;
};

}  // namespace nestbind::interpose
