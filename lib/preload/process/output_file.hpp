// SPDX-License-Identifier: BSD-3-Clause
// A file of the user's that texts are put into, one behind the other: a report, a trace.
//
// It is opened anew for each text: a descriptor that stays would be the program's to close, and
// another's then. What had the name at first stays the file: a text goes nowhere else, whatever the
// program, or somebody who can write to the folder, puts in its place, and never through a link.
#pragma once

#include <limits.h>
#include <sys/types.h>

#include <cstddef>

#include "support/text_buffer.hpp"

namespace nestbind::process {

// The name of a file that many processes of a job may share: %p becomes the process, %h the host,
// %r the rank (told_rank(), otherwise rank_by_hand()), %% a per cent sign; another % stands for
// itself.
void expand_file_name(const char* name, support::TextBuffer& out);

// What a picture is drawn for.
struct Terminal {
  bool is_there = false;
  int columns = 0;  // 0: not known
  int rows = 0;     // likewise
};

// What a descriptor is. Keeps errno.
Terminal terminal_at(int descriptor);

// Constant-initialised. Not for two threads at a time, until it is found: then each may write.
class OutputFile {
 public:
  // kEmpty: what is in a regular file goes, before the first text, unless the program writes to it
  // as well.
  enum class Begins { kBehind, kEmpty };

  // Relative to the folder where the process was started; "/dev/stdout" and "/dev/stderr" are
  // descriptors 1 and 2, if the process was started with them: what the program writes there stays.
  // The same name again is the same file. Returns false, with errno, where it cannot be a name.
  bool set_name(const char* name, Begins begins);
  const char* name() const { return name_; }

  // Finds the file, and makes it where it is missing. Returns null, or why that cannot be done.
  const char* find();

  // Whether it is one. Keeps errno.
  Terminal terminal();

  // Returns null, or why the file does not take all of it. Keeps errno.
  const char* write(const char* text, std::size_t length);

 private:
  int open();  // a descriptor, or -1 with errno
  bool is_it(int file);
  int standard() const;  // the descriptor that the name stands for; -1: it is a file's

  Begins begins_ = Begins::kBehind;
  bool is_known_ = false;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  char name_[PATH_MAX] = "";  // absolute
};

}  // namespace nestbind::process
