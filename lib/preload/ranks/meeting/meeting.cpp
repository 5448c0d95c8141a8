// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/meeting/meeting.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "options/settings.hpp"
#include "ranks/meeting/job_key.hpp"
#include "ranks/meeting/meeting_file.hpp"
#include "ranks/tree_sheet.hpp"
#include "support/allocate.hpp"
#include "support/cgroup.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::ranks {

namespace {

// The data of a process that uses the file. A forked child has a copy of its parent's data.
struct Own {
  pid_t process = 0;
  Word start = 0;
  uid_t user = 0;
  Rank rank;
  bool is_left_at_exit = false;
};
constinit Own g_own;

void leave_at_exit() {
  const support::ErrnoKept errno_kept;
  const Own& own = g_own;
  const pid_t process = getpid();
  if (own.process != process) {
    return;
  }
  const Patience patience(true);
  File file(own.rank, own.user);
  if (file.open(patience, false) != nullptr ||
      process_of(file.sheet(), own.rank.local).number != static_cast<std::uint32_t>(process)) {
    return;  // another process has taken the entry
  }
  leave(file.sheet(), own.rank.local);
  if (has_living(file.sheet(), 0)) {
    file.write();
  } else {
    file.remove();
  }
}

void note_self(const Rank& rank) {
  Own& own = g_own;
  if (const pid_t process = getpid(); own.process != process) {
    own.start = start_of(process);
    own.user = geteuid();
    own.process = process;
  }
  own.rank = rank;
}

void leave_in_the_end() {
  if (!g_own.is_left_at_exit) {
    g_own.is_left_at_exit = atexit(leave_at_exit) == 0;
  }
}

Process self(bool has_forked, bool has_openmp) {
  return {static_cast<std::uint32_t>(g_own.process), g_own.start, has_forked, has_openmp};
}

bool stands_there(const Process& process) {
  return process.number == static_cast<std::uint32_t>(g_own.process);
}

// If all ranks in the sheet have ended, clears the sheet: it belongs to an earlier run.
void forget_dead(Sheet& sheet, const Rank& rank) {
  const auto process = static_cast<std::uint32_t>(g_own.process);
  bool has_some = false;
  for (int other = 0; other < rank.of; ++other) {
    has_some = has_some || has_entered(sheet, other);
  }
  if (has_some && !stands_there(process_of(sheet, rank.local)) && !has_living(sheet, process)) {
    begin(sheet, rank.job, rank.of);
  }
}

Division of_all(const Rank& rank, const Need& need) {
  Sheet nobody;
  begin(nobody, rank.job, rank.of);
  return divide(nobody, rank.local, need);
}

bool ranks_are_running(int file, std::size_t) {
  Sheet sheet;
  const long bytes = support::system_call(SYS_pread64, file, sheet.words, sizeof sheet.words, 0L);
  return bytes < 0 ||
         (is_good(sheet, static_cast<std::size_t>(bytes), key_of(sheet), ranks_of(sheet)) &&
          has_living(sheet, 0));
}

bool tree_is_running(int file, std::size_t bytes) {
  if (bytes < sizeof(TreeSheet)) {
    return false;
  }
  void* const map = mmap(nullptr, sizeof(TreeSheet), PROT_READ, MAP_SHARED, file, 0);
  if (map == MAP_FAILED) {
    return true;
  }
  const auto& sheet = *static_cast<const TreeSheet*>(map);
  bool is_running = false;
  for (const TreeEntry& entry : sheet.entries) {
    is_running =
        is_running || (is_good(sheet, sheet.key) &&
                       is_living({entry.process(), static_cast<Word>(entry.start), false, false}));
  }
  munmap(map, sizeof(TreeSheet));
  return is_running;
}

// Removes a file if its processes have ended, and no process has locked the file. We keep our lock
// until the file is removed. The next process that locks the file checks whether the file still
// exists.
template <typename HasRunning>
void remove_left(int folder, const char* name, std::uint64_t user, HasRunning has_running) {
  const support::Descriptor file(support::open_at(folder, name, O_RDWR | O_NONBLOCK));
  struct stat status{};
  if (!file.is_open() || support::system_call(SYS_flock, file.number(), LOCK_EX | LOCK_NB) != 0 ||
      fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink == 0 ||
      status.st_uid != user) {
    return;
  }
  if (!has_running(file.number(), static_cast<std::size_t>(status.st_size))) {
    support::remove_at(folder, name);
  }
}

// Missing ranks count, too, if another rank shares the quota.
int with_quota(const Sheet& sheet, const Rank& rank) {
  struct Room {  // not on the stack, because a forking thread may have a small stack
    support::Cgroup group;
    support::CpuQuota quota;
  };
  auto* const room = support::allocate<Room>();
  if (room == nullptr) {
    return 1;
  }
  int same = 1;
  int absent = 0;
  for (int other = 0; other < rank.of; ++other) {
    const Process there = process_of(sheet, other);
    char number[16];
    snprintf(number, sizeof number, "%u", there.number);
    if (other != rank.local && !is_living(there)) {
      ++absent;
    } else if (other != rank.local) {
      support::read_cpu_quota(room->group, room->quota, {.process = number});
      same += strcmp(room->quota.folder, rank.quota) == 0 ? 1 : 0;
    }
  }
  free(room);
  return same > 1 ? same + absent : 1;
}

bool is_child_of(const Process& there) {
  return there.has_forked && !stands_there(there) && is_living(there);
}

}  // namespace

namespace {

const char* enter_file(const Rank& rank, const mask::CpuMask& mask, bool has_openmp, bool& is_new) {
  const Patience patience;
  File file(rank, g_own.user);
  if (const char* const fault = file.open(patience)) {
    return fault;
  }
  is_new = file.is_new();
  if (!is_new) {
    forget_dead(file.sheet(), rank);
  }
  const Process there = process_of(file.sheet(), rank.local);
  if (is_child_of(there) || (!has_openmp && !stands_there(there) && is_living(there))) {
    return nullptr;
  }
  enter(file.sheet(), rank.local, self(false, has_openmp), mask);
  leave_in_the_end();
  return file.write();
}

// During the wait, the file is unlocked, and has this process's entry.
const char* wait_in(File& file, const Rank& rank, const Patience& patience, Wait wait) {
  const char* fault = file.write();
  while (fault == nullptr && is_waiting(file.sheet(), rank.local) &&
         !patience.is_over_for_ranks(wait)) {
    fault = file.read_unlocked();
  }
  return fault == nullptr ? file.lock_again(patience) : fault;
}

const char* come_in(File& file, const Rank& rank, const mask::CpuMask& mask,
                    const Patience& patience, Wait wait) {
  Sheet& sheet = file.sheet();
  leave_in_the_end();
  enter(sheet, rank.local, self(false, true), mask);
  const bool waits = is_waiting(sheet, rank.local) && !patience.is_over_for_ranks(wait);
  const char* const fault = waits ? wait_in(file, rank, patience, wait) : nullptr;
  enter(sheet, rank.local, self(false, true), mask);
  return fault;
}

// has_new_mask: the rank's mask is not the one at its start, as after an MPI_Init that binds the
// ranks. The other ranks then have a new mask, too, and tell it when they decide.
void divide_in(Sheet& sheet, const Rank& rank, const mask::CpuMask& mask, const Need& need,
               bool has_new_mask, Answer& answer) {
  enter(sheet, rank.local, self(true, true), mask);
  answer.division = divide(sheet, rank.local, need);
  Division& division = answer.division;
  if (has_new_mask && division.overlapping >= 0 &&
      !process_of(sheet, division.overlapping).has_forked) {
    division.overlapping = -1;
  }
  answer.tells_too_small = division.index == 0 && division.of > 1 &&
                           division.of * long{division.need.slots} > mask::count(mask) &&
                           is_first_to_tell(sheet, Trouble::kTooSmall);
}

const char* decide_in(File& file, const Rank& rank, const mask::CpuMask& mask, const Need& need,
                      Wait wait, Answer& answer) {
  const Patience patience;
  if (const char* const fault = file.open(patience)) {
    return fault;
  }
  Sheet& sheet = file.sheet();
  if (is_child_of(process_of(sheet, rank.local))) {
    answer.is_child = true;
    answer.has_its_mask = has_mask(sheet, rank.local, mask);
    answer.division = divide(sheet, rank.local, need);
    return nullptr;
  }
  const bool has_new_mask = has_entered(sheet, rank.local) && !has_mask(sheet, rank.local, mask);
  if (const char* const fault = come_in(file, rank, mask, patience, wait)) {
    return fault;
  }
  answer.is_decided = wait == Wait::kPatiently || !is_waiting(sheet, rank.local);
  if (!answer.is_decided) {
    return nullptr;
  }
  divide_in(sheet, rank, mask, need, has_new_mask, answer);
  return file.write();
}

}  // namespace

const char* enter(const Rank& rank, const mask::CpuMask& mask, bool has_openmp) {
  const support::ErrnoKept errno_kept;
  note_self(rank);
  bool is_new = false;
  const char* const fault = enter_file(rank, mask, has_openmp, is_new);
  if (is_new) {
    remove_leftovers(g_own.user, g_own.rank.space);
  }
  return fault;
}

Answer decide(const Rank& rank, const mask::CpuMask& mask, const Need& need, Wait wait) {
  const support::ErrnoKept errno_kept;
  Answer answer;
  answer.is_decided = true;
  if (rank.of > kMostRanks) {  // the ranks use only their numbers
    answer.fault = "there are too many";
    answer.division.index = rank.local;
    answer.division.of = rank.of;
    answer.with_quota = rank.of;
    return answer;
  }
  note_self(rank);
  Sheet sheet;
  {
    File file(rank, g_own.user);
    answer.fault = decide_in(file, rank, mask, need, wait, answer);
    sheet = file.sheet();
  }
  if (answer.fault != nullptr) {
    answer.is_decided = true;
    answer.division = of_all(rank, need);
    answer.with_quota = rank.of;
  } else if (answer.is_decided && rank.quota[0] != '\0') {
    answer.with_quota = with_quota(sheet, rank);
  }
  return answer;
}

const char* gather(const Rank& rank, const mask::CpuMask& mask, Sheet& all) {
  const support::ErrnoKept errno_kept;
  note_self(rank);
  const Patience patience;
  File file(rank, g_own.user);
  const char* fault = file.open(patience);
  if (fault == nullptr) {
    forget_dead(file.sheet(), rank);
    fault = come_in(file, rank, mask, patience, Wait::kPatiently);
  }
  all = file.sheet();
  if (fault != nullptr) {
    return fault;
  }
  enter(file.sheet(), rank.local, self(true, true), mask);  // "has forked": has seen the others
  for (int other = 0; other < rank.of; ++other) {
    const Process there = process_of(file.sheet(), other);
    // A rank that has ended, or that could not lock the file again, does not look any more.
    if (!there.has_forked && (!has_entered(file.sheet(), other) || is_living(there))) {
      file.write();
      return nullptr;
    }
  }
  file.remove();
  return nullptr;
}

bool is_first_to_tell(const Rank& rank, Trouble what) {
  const support::ErrnoKept errno_kept;
  const Patience patience;
  File file(rank, g_own.user);
  if (file.open(patience, false) != nullptr) {
    return rank.local == 0;
  }
  const bool is_first = is_first_to_tell(file.sheet(), what);
  return file.write() == nullptr ? is_first : rank.local == 0;
}

bool is_a_rank() { return g_own.process != 0; }

void remove_if_left(int folder, const char* name, std::uint64_t user, std::uint64_t space) {
  const auto is_ours = [&](const char* prefix) {
    char ours[64];
    const int length =
        snprintf(ours, sizeof ours, "%s%llu-%llu-", prefix, static_cast<unsigned long long>(user),
                 static_cast<unsigned long long>(space));
    return strncmp(name, ours, static_cast<std::size_t>(length)) == 0;
  };
  if (is_ours(kPrefix)) {
    remove_left(folder, name, user, ranks_are_running);
  } else if (is_ours(kTreePrefix)) {
    remove_left(folder, name, user, tree_is_running);
  }
}

void remove_leftovers(std::uint64_t user, std::uint64_t space) {
  constexpr int kMostReads = 512;
  const support::Descriptor folder(support::open_folder(options::settings().publish));
  if (folder.is_open()) {
    support::each_name_in(folder.number(), kMostReads, [&](const char* name) {
      remove_if_left(folder.number(), name, user, space);
    });
  }
}

}  // namespace nestbind::ranks
