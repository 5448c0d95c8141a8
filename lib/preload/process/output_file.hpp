// SPDX-License-Identifier: BSD-3-Clause
// A file of the user to which nestbind appends texts: a report or a trace.
//
// The file is opened again for each text. The program could close a kept descriptor, and open
// another file under the same number. If the file's name later belongs to another file, nothing is
// written. Links are never followed.
#pragma once

#include <limits.h>
#include <sys/types.h>

#include <cstddef>

#include "support/text_buffer.hpp"

namespace nestbind::process {

// Expands a file's name, so that processes of a job can have their own files. %p is the process, %h
// the host, %r the rank (told_rank(), otherwise rank_by_hand()), %% is %.
void expand_file_name(const char* name, support::TextBuffer& out);

struct Terminal {
  bool is_there = false;
  int columns = 0;  // 0: not known
  int rows = 0;     // likewise
};

// Returns the size of the terminal at a descriptor. Keeps errno.
Terminal terminal_at(int descriptor);

// Constant-initialised. Only after find() has succeeded, several threads may use the object.
class OutputFile {
 public:
  // kEmpty: a regular file is emptied before the first text, unless the program also writes to it.
  enum class Begins { kBehind, kEmpty };

  // A relative name is in the folder where the process was started. "/dev/stdout" and "/dev/stderr"
  // mean descriptors 1 and 2, if they were open at the start, and are not emptied. A second call
  // with the same name changes nothing. If the name is impossible, returns false and sets errno.
  bool set_name(const char* name, Begins begins);
  const char* name() const { return name_; }

  // Finds the file, or creates it. Returns null on success, otherwise the reason of the failure.
  const char* find();

  // Returns the size of the terminal, if the file is a terminal. Keeps errno.
  Terminal terminal();

  // Appends a text. Returns null on success, otherwise the reason of the failure. Keeps errno.
  const char* write(const char* text, std::size_t length);

 private:
  int open();  // a descriptor, or -1 with errno
  bool is_it(int file);
  int standard() const;  // the descriptor that the name means; -1: the name is a file's

  Begins begins_ = Begins::kBehind;
  bool is_known_ = false;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  char name_[PATH_MAX] = "";  // absolute
};

}  // namespace nestbind::process
