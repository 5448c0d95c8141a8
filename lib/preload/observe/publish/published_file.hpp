// SPDX-License-Identifier: BSD-3-Clause
// Makes and removes the file of this process.
//
// The file is in /dev/shm: a batch job has no XDG_RUNTIME_DIR, and a reader in another session has
// a different one. All users may write to that folder. So the file is always a new one, only its
// owner may read it, and no link is followed. A file of this name that is another user's stays.
#pragma once

#include "observe/publish/format.hpp"

namespace nestbind::publish {

struct File {
  SharedWord* words = nullptr;  // null: there is none
  unsigned records = 0;
};

// Makes a file with room for so many records and with its header; the text is empty. Removes files
// that the user's processes left. No file if the folder is missing or full. The file system
// allocates all memory at once, so that no later store can fault. Called by one thread at a time.
File make_file(const char* folder, unsigned records);

// Removes the file that the calling process has made, if there is one.
void remove_file();

}  // namespace nestbind::publish
