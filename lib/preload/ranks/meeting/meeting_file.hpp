// SPDX-License-Identifier: BSD-3-Clause
// The files in which processes meet: the ranks of a node, and the processes of a tree.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include "ranks/meeting/job_key.hpp"
#include "ranks/meeting/meeting.hpp"
#include "support/files.hpp"

namespace nestbind::ranks {

inline constexpr char kPrefix[] = "nestbind-ranks-";
inline constexpr char kTreePrefix[] = "nestbind-tree-";

// Limits the time in which a process waits for ranks and for locks. All waits of a process together
// take at most 0.2 s. After 0.18 s, the process only waits for locks. At its end, and when it meets
// its tree for the first time, the process may wait 0.1 s more for a lock.
class Patience {
 public:
  explicit Patience(bool has_more = false);
  ~Patience();
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;
  bool is_over_for_ranks(Wait wait) const;
  bool is_over_for_lock() const;

 private:
  long waited() const;

  const long begun_;
  const bool has_more_;
};

// A private file of the user, with a lock.
class LockedFile {
 public:
  // `user` is the required owner of the file.
  LockedFile(const char* prefix, uid_t user, const Job& job)
      : prefix_(prefix), user_(user), job_(job) {}
  ~LockedFile() { unlock(); }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  // If `makes` is true, creates a missing file. Returns null, or the reason of a failure. If
  // another process keeps the lock too long, the file is open without the lock.
  const char* open(const Patience& patience, bool makes = true);

  int number() const { return file_.number(); }
  bool is_new() const { return is_new_; }
  bool is_locked() const { return is_locked_; }
  const struct stat& status() const { return status_; }  // when the file was opened

  const char* lock(const Patience& patience);
  // A child that was forked meanwhile has the same open file, so closing the file is not enough.
  void unlock();
  void remove();

 private:
  const char* open_once(bool makes);
  const char* check();

  const char* const prefix_;
  const uid_t user_;
  const Job job_;
  support::Descriptor file_;
  struct stat status_{};
  bool is_new_ = false;
  bool is_locked_ = false;
};

// The file of the ranks.
class File {
 public:
  File(const Rank& rank, uid_t user) : rank_(rank), file_(kPrefix, user, {rank.job, rank.space}) {}

  // Opens the file, and reads it, too. A damaged sheet, or a sheet of another job, counts as empty.
  // A file without the lock is read, too.
  const char* open(const Patience& patience, bool makes = true);

  Sheet& sheet() { return sheet_; }
  bool is_new() const { return file_.is_new(); }

  // Writes only if the file is locked. Returns null, or the reason of a failure.
  const char* write();

  // read_unlocked() unlocks the file, so that others may change it, and reads it after a moment.
  const char* read_unlocked();
  const char* lock_again(const Patience& patience);

  void remove() { file_.remove(); }

 private:
  const char* read();

  const Rank& rank_;
  LockedFile file_;
  Sheet sheet_;
  bool was_empty_ = false;
};

// True if a process of the sheet is running. Ignores the process with the number `without`.
bool has_living(const Sheet& sheet, std::uint32_t without);
// Compares start times, because the kernel uses process numbers again.
bool is_living(const Process& process);

}  // namespace nestbind::ranks
