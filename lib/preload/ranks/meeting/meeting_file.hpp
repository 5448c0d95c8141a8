// SPDX-License-Identifier: BSD-3-Clause
// The file in which the ranks of a node meet.
#pragma once

#include <sys/types.h>

#include "ranks/meeting/meeting.hpp"
#include "support/files.hpp"

namespace nestbind::ranks {

inline constexpr char kPrefix[] = "nestbind-ranks-";

// Limits the time in which a process waits for ranks and for locks. All waits of a process together
// take at most 0.2 s. After 0.18 s, the process only waits for locks. At its end, the process may
// wait 0.1 s more for a lock.
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
  // `user` is the required owner of the file.
  File(const Rank& rank, uid_t user) : rank_(rank), user_(user) {}

  // If `makes` is true, creates a missing file. Returns null, or the reason of a failure. A damaged
  // sheet, or a sheet of another job, counts as empty. If another process keeps the lock too long,
  // the file is read without a lock.
  const char* open(const Patience& patience, bool makes = true);

  Sheet& sheet() { return sheet_; }
  bool is_new() const { return is_new_; }

  // Writes only if the file is locked. Returns null, or the reason of a failure.
  const char* write();

  // read_unlocked() unlocks the file, so that others may change it, and reads it after a moment.
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

// True if a process of the sheet is running. Ignores the process with the number `without`.
bool has_living(const Sheet& sheet, std::uint32_t without);
// Compares start times, because the kernel uses process numbers again.
bool is_living(const Process& process);

}  // namespace nestbind::ranks
