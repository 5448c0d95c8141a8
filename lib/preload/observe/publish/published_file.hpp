// SPDX-License-Identifier: BSD-3-Clause
// Makes and removes the file of this process.
//
// The file is in /dev/shm: a batch job has no XDG_RUNTIME_DIR, and a reader in another session has
// a different one. All users may write to /dev/shm. So the file is always new, only its owner may
// read it, and no link is followed. Another user's file of this name stays.
#pragma once

#include "observe/publish/format.hpp"

namespace nestbind::publish {

struct File {
  SharedWord* words = nullptr;  // null: there is no file
  unsigned records = 0;
};

// Makes a file with its header, an empty text and room for `records` records. Removes files that
// the user's processes left. Makes no file if the folder is missing or full. The file system
// allocates all memory at once, so that no later store can fault. Only for one thread at a time.
File make_file(const char* folder, unsigned records);

void remove_file();

}  // namespace nestbind::publish
