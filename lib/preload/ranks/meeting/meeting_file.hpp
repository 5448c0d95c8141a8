// SPDX-License-Identifier: BSD-3-Clause
// The file by which the ranks of a node meet: opened, locked and read, and written again.
#pragma once

#include <sys/types.h>

#include "ranks/meeting/meeting.hpp"
#include "support/files.hpp"

namespace nestbind::ranks {

inline constexpr char kPrefix[] = "nestbind-ranks-";

// The process waits 0.2 s in all its life: the last part of it for whoever has the file locked. At
// its end, where no fork waits, it has 0.1 s more.
class Patience {
 public:
  explicit Patience(bool is_at_end = false);
  ~Patience();
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;
  bool is_over_for_ranks(Wait wait) const;
  bool is_over_for_lock() const;

 private:
  long waited() const;

  const long begun_;
  const bool is_at_end_;
};

class File {
 public:
  // user: whom it has to belong to.
  File(const Rank& rank, uid_t user) : rank_(rank), user_(user) {}

  // Opens, locks and reads it, and makes it where it is not there and `makes`. Returns null, or why
  // that cannot be. What is there of another job, or damaged, counts as nothing. Where another
  // process has it locked for too long, that is no fault: what is read then may be about to change.
  const char* open(const Patience& patience, bool makes = true);

  Sheet& sheet() { return sheet_; }
  bool is_new() const { return is_new_; }  // this process has made it

  // Writes it, if it is locked. Returns null, or why that cannot be.
  const char* write();

  // Others may change it, until it is locked again. Both read it anew, behind a moment or as soon
  // as can be; as open().
  const char* read_unlocked();
  const char* lock_again(const Patience& patience);

  void remove();

 private:
  const char* open_once(bool makes);
  const char* lock(const Patience& patience);
  const char* check(bool& is_there) const;
  const char* read();

  const Rank& rank_;
  const uid_t user_;
  support::Descriptor file_;
  Sheet sheet_;
  bool is_new_ = false;
  bool was_empty_ = false;
  bool is_locked_ = false;
};

// Whether one of those who stand in a sheet lives, but for one process (0: none).
bool has_living(const Sheet& sheet, std::uint32_t without);
// Whether this one does: the number may be another's by now.
bool is_living(const Process& process);

}  // namespace nestbind::ranks
