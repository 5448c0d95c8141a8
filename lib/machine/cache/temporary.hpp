// SPDX-License-Identifier: BSD-3-Clause
// The files that writers write before they rename them, and those that killed writers have left.
// Inside lib/machine/cache.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace nestbind::machine::cache {

inline bool is_of_this_user_alone(const struct stat& status) {
  return status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

struct Temporary {
  std::string name;
  int file = -1;  // open for writing, and locked until it is closed; -1: it cannot be made
};

// Makes one, in an open folder, to be renamed to `name`.
Temporary make_temporary(int folder, const std::string& name);

// Removes the temporary files of this user that no writer has locked: their writers have ended.
void remove_leftovers(int folder);

}  // namespace nestbind::machine::cache
