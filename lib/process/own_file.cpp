// SPDX-License-Identifier: BSD-3-Clause
#include "process/own_file.hpp"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process/original_files.hpp"

namespace nestbind::process {

bool find_own_file(const char* file, char* name, std::size_t size) {
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&find_own_file), &self) == 0 || self.dli_fname == nullptr) {
    return false;
  }
  // The loader's name is relative where its search path was.
  char as_loaded[PATH_MAX];
  char whole[PATH_MAX];
  if (!make_absolute(self.dli_fname, as_loaded, sizeof as_loaded) ||
      realpath(as_loaded, whole) == nullptr) {
    return false;
  }
  const char* slash = strrchr(whole, '/');
  const int folder = slash == nullptr ? 0 : static_cast<int>(slash - whole);
  const int length =
      snprintf(name, size, "%.*s/%s/%s", folder, whole, NESTBIND_PLANNER_SUBDIR, file);
  return length >= 0 && static_cast<std::size_t>(length) < size;
}

}  // namespace nestbind::process
