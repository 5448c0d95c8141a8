// SPDX-License-Identifier: BSD-3-Clause
// A file of the user to which nestbind appends texts: a report or a trace.
//
// The file is opened again for each text. The program may close a kept descriptor and reuse its
// number. If the file's name later belongs to another file, nothing is written. Links are never
// followed, because in a folder for all users a link may lead to any file.
#pragma once

#include <limits.h>
#include <sys/types.h>

#include <cstddef>

#include "support/text_writer.hpp"

namespace nestbind::process {

// Replaces the signs in the name (support/file_name.hpp) by the facts of this process.
void expand_file_name(const char* name, support::TextBuffer& out);

struct Terminal {
  bool is_there = false;
  int columns = 0;  // 0 if not known
  int rows = 0;
};

Terminal terminal_at(int descriptor);

// Constant-initialised. Several threads may use the object after find() has succeeded.
class OutputFile {
 public:
  // kEmpty empties a regular file before the first text. The program's own output files
  // are never emptied.
  enum class Begins { kBehind, kEmpty };

  // A relative name is in the folder where the process was started. "/dev/stdout" and "/dev/stderr"
  // mean descriptors 1 and 2, which are never emptied. If the name is impossible, returns false and
  // sets errno.
  bool set_name(const char* name, Begins begins);
  const char* name() const { return name_; }

  // Returns null on success, otherwise the reason of the failure.
  const char* find();

  Terminal terminal();

  // Keeps errno.
  const char* write(const char* text, std::size_t length);

 private:
  int open();
  bool is_it(int file);
  int standard() const;  // descriptor 1 or 2, or -1

  Begins begins_ = Begins::kBehind;
  bool is_known_ = false;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  char name_[PATH_MAX] = "";
};

}  // namespace nestbind::process
