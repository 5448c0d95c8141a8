// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/meeting/meeting_file.hpp"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>

#include <atomic>

#include "options/settings.hpp"
#include "ranks/meeting/job_key.hpp"
#include "support/clock.hpp"

namespace nestbind::ranks {

namespace {

using support::system_call;

constexpr long kBriefly = 100;  // milliseconds
constexpr long kForRanks = 180;
constexpr long kForLock = 200;
constexpr long kAtEnd = 100;
constexpr long kNap = 500;       // microseconds between tries to lock
constexpr long kLongNap = 5000;  // between looks for missing ranks
constinit std::atomic<long> g_waited{0};

constexpr char kNotOurs[] = "the file there does not belong to this user alone";

struct Path {
  char text[PATH_MAX];

  Path(const Rank& rank, uid_t user) {
    snprintf(text, sizeof text, "%s/%s%u-%llu-%016llx", options::settings().publish, kPrefix, user,
             static_cast<unsigned long long>(rank.space),
             static_cast<unsigned long long>(rank.job));
  }
};

}  // namespace

Patience::Patience(bool is_at_end) : begun_(support::milliseconds_now()), is_at_end_(is_at_end) {}

Patience::~Patience() { g_waited.fetch_add(support::milliseconds_now() - begun_); }

long Patience::waited() const { return g_waited.load() + support::milliseconds_now() - begun_; }
bool Patience::is_over_for_ranks(Wait wait) const {
  return wait == Wait::kNot || waited() >= (wait == Wait::kBriefly ? kBriefly : kForRanks);
}
bool Patience::is_over_for_lock() const {
  return waited() >= kForLock && (!is_at_end_ || support::milliseconds_now() - begun_ >= kAtEnd);
}

const char* File::open_once(bool makes) {
  const Path path(rank_, user_);
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

const char* File::lock(const Patience& patience) {
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

const char* File::check(bool& is_there) const {
  struct stat status{};
  if (fstat(file_.number(), &status) != 0) {
    return strerror(errno);
  }
  constexpr mode_t kOthers = S_IRWXG | S_IRWXO;
  is_there = status.st_nlink > 0;
  const bool is_ours = S_ISREG(status.st_mode) && status.st_uid == user_ &&
                       (status.st_mode & kOthers) == 0 && status.st_nlink <= 1;
  return is_ours ? nullptr : kNotOurs;
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

const char* File::open(const Patience& patience, bool makes) {
  constexpr int kMostTimes = 16;  // another process may remove the file each time
  for (int i = 0; i < kMostTimes; ++i) {
    const char* fault = open_once(makes);
    if (fault == nullptr && !file_.is_open()) {
      continue;
    }
    bool is_there = false;
    fault = fault == nullptr ? lock(patience) : fault;
    fault = fault == nullptr ? check(is_there) : fault;
    if (fault != nullptr || is_there) {
      return fault == nullptr ? read() : fault;
    }
  }
  return "it is removed again and again";
}

const char* File::write() {
  const std::size_t bytes = bytes_of(sheet_);
  if (!is_locked_) {
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
  if (is_locked_) {
    system_call(SYS_flock, file_.number(), LOCK_UN);
    is_locked_ = false;
  }
  support::nap(kLongNap);
  return read();
}

const char* File::lock_again(const Patience& patience) {
  const char* const fault = lock(patience);
  return fault == nullptr ? read() : fault;
}

void File::remove() { support::remove_at(AT_FDCWD, Path(rank_, user_).text); }

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
