// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/meeting/meeting_file.hpp"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>

#include <atomic>

#include "options/settings.hpp"
#include "support/clock.hpp"

namespace nestbind::ranks {

namespace {

using support::system_call;

constexpr long kBriefly = 100;  // milliseconds
constexpr long kForRanks = 180;
constexpr long kForLock = 200;
constexpr long kMore = 100;
constexpr long kNap = 500;       // microseconds between tries to lock
constexpr long kLongNap = 5000;  // between looks for missing ranks
constinit std::atomic<long> g_waited{0};

constexpr char kNotOurs[] = "the file there does not belong to this user alone";

struct Path {
  char text[PATH_MAX];

  Path(const char* prefix, uid_t user, const Job& job) {
    snprintf(text, sizeof text, "%s/%s%u-%llu-%016llx", options::settings().publish, prefix, user,
             static_cast<unsigned long long>(job.space), static_cast<unsigned long long>(job.key));
  }
};

}  // namespace

Patience::Patience(bool has_more) : begun_(support::milliseconds_now()), has_more_(has_more) {}

Patience::~Patience() { g_waited.fetch_add(support::milliseconds_now() - begun_); }

long Patience::waited() const { return g_waited.load() + support::milliseconds_now() - begun_; }
bool Patience::is_over_for_ranks(Wait wait) const {
  return wait == Wait::kNot || waited() >= (wait == Wait::kBriefly ? kBriefly : kForRanks);
}
bool Patience::is_over_for_lock() const {
  return waited() >= kForLock && (!has_more_ || support::milliseconds_now() - begun_ >= kMore);
}

const char* LockedFile::open_once(bool makes) {
  const Path path(prefix_, user_, job_);
  file_.take(support::open_at(AT_FDCWD, path.text, O_RDWR | O_NONBLOCK));
  int fault = file_.is_open() ? 0 : errno;
  is_new_ = false;
  if (fault == ENOENT && makes) {
    file_.take(support::open_at(AT_FDCWD, path.text, O_RDWR | O_CREAT | O_EXCL));
    is_new_ = file_.is_open();
    fault = is_new_ ? 0 : errno;
  }
  return fault == 0 || fault == EEXIST ? nullptr : fault == ELOOP ? kNotOurs : strerror(fault);
}

const char* LockedFile::lock(const Patience& patience) {
  is_locked_ = false;
  long answer = -EWOULDBLOCK;
  while ((answer = support::kernel_answer(SYS_flock, file_.number(), LOCK_EX | LOCK_NB, 0, 0, 0,
                                          0)) != 0) {
    if (answer != -EWOULDBLOCK) {
      return strerror(static_cast<int>(-answer));
    }
    if (patience.is_over_for_lock()) {
      return nullptr;
    }
    support::nap(kNap);
  }
  is_locked_ = true;
  return nullptr;
}

void LockedFile::unlock() {
  if (is_locked_) {
    system_call(SYS_flock, file_.number(), LOCK_UN);
  }
  is_locked_ = false;
}

const char* LockedFile::check() {
  if (fstat(file_.number(), &status_) != 0) {
    return strerror(errno);
  }
  constexpr mode_t kOthers = S_IRWXG | S_IRWXO;
  const bool is_ours = S_ISREG(status_.st_mode) && status_.st_uid == user_ &&
                       (status_.st_mode & kOthers) == 0 && status_.st_nlink <= 1;
  return is_ours ? nullptr : kNotOurs;
}

const char* LockedFile::open(const Patience& patience, bool makes) {
  constexpr int kMostTimes = 16;  // another process may remove the file each time
  for (int i = 0; i < kMostTimes; ++i) {
    const char* fault = open_once(makes);
    if (fault == nullptr && !file_.is_open()) {
      continue;
    }
    fault = fault == nullptr ? lock(patience) : fault;
    fault = fault == nullptr ? check() : fault;
    if (fault != nullptr || status_.st_nlink > 0) {
      return fault;
    }
    unlock();
  }
  return "it is removed again and again";
}

void LockedFile::remove() { support::remove_at(AT_FDCWD, Path(prefix_, user_, job_).text); }

const char* File::open(const Patience& patience, bool makes) {
  const char* const fault = file_.open(patience, makes);
  return fault == nullptr ? read() : fault;
}

const char* File::read() {
  const long bytes =
      system_call(SYS_pread64, file_.number(), sheet_.words, sizeof sheet_.words, 0L);
  if (bytes < 0) {
    return strerror(errno);
  }
  was_empty_ = bytes == 0;
  if (!is_good(sheet_, static_cast<std::size_t>(bytes), rank_.job, rank_.of)) {
    begin(sheet_, rank_.job, rank_.of);
  }
  return nullptr;
}

const char* File::write() {
  const std::size_t bytes = bytes_of(sheet_);
  if (!file_.is_locked()) {
    return nullptr;
  }
  errno = EFBIG;
  const long written = support::may_write(bytes)
                           ? system_call(SYS_pwrite64, file_.number(), sheet_.words, bytes, 0L)
                           : -1;
  if (written == static_cast<long>(bytes)) {
    return nullptr;
  }
  const char* const fault = strerror(written < 0 ? errno : ENOSPC);
  if (was_empty_) {
    remove();
  }
  return fault;
}

const char* File::read_unlocked() {
  file_.unlock();
  support::nap(kLongNap);
  return read();
}

const char* File::lock_again(const Patience& patience) {
  const char* const fault = file_.lock(patience);
  return fault == nullptr ? read() : fault;
}

bool is_living(const Process& process) {
  constexpr std::uint32_t kMostProcess = 1U << 22;  // the kernel's limit
  return process.number != 0 && process.number <= kMostProcess &&
         support::is_alive(process.number) && is_running(process.number, process.start);
}

bool has_living(const Sheet& sheet, std::uint32_t without) {
  for (int rank = 0; rank < ranks_of(sheet); ++rank) {
    const Process process = process_of(sheet, rank);
    if (process.number != without && is_living(process)) {
      return true;
    }
  }
  return false;
}

}  // namespace nestbind::ranks
