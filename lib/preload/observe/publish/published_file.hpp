// SPDX-License-Identifier: BSD-3-Clause
// Makes the file of this process, and takes it away.
//
// It is in /dev/shm: a batch job has no XDG_RUNTIME_DIR, and who looks at it from a session of its
// own has another. That folder is everybody's: a file is made new, by its owner alone to be read,
// never through a link, and what has its name already and is another user's stays.
#pragma once

#include "observe/publish/format.hpp"

namespace nestbind::publish {

struct File {
  SharedWord* words = nullptr;  // null: there is none
  unsigned records = 0;
};

// Makes a file with room for so many records, with its header; the text is empty. Removes those
// that processes of this user have left behind. None where that cannot be done: a folder that is
// missing, or full. The file system has given all of the memory then: a store is no fault. Not by
// two threads at a time.
File make_file(const char* folder, unsigned records);

// Removes the file that the calling process has made, if it has.
void remove_file();

}  // namespace nestbind::publish
