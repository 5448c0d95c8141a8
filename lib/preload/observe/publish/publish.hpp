// SPDX-License-Identifier: BSD-3-Clause
// Implements NESTBIND_PUBLISH: writes the planned places of threads into a file (format.hpp), for
// other processes of this user. A process in which no thread gets a place has no file.
#pragma once

#include "observe/observer.hpp"
#include "observe/publish/format.hpp"

namespace nestbind::publish {

extern observe::Observer g_publish;

// Makes and removes the file of this process.
//
// The file is in /dev/shm. It is not in XDG_RUNTIME_DIR, because a batch job does not have this
// variable, and another session may have another value. All users may write to /dev/shm. So the
// file is always new, only its owner may read it, and no link is followed.

struct File {
  SharedWord* words = nullptr;  // null: there is no file
  unsigned records = 0;
};

// Makes a file with its header, an empty text and room for `records` records. Makes no file if the
// folder is missing or full. All memory of the file is allocated now, so that no later store can
// fault. Not thread-safe.
File make_file(const char* folder, unsigned records);

void remove_file();

}  // namespace nestbind::publish
