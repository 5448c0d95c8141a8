// SPDX-License-Identifier: BSD-3-Clause
// The data that the processes of one tree share: which of them are live, and with which masks. A
// process is live while a root thread of it is in a region, and for 5 s after the last such region.
//
// All processes map this sheet. They change it under the lock of its file, except that a process
// changes `inside` and `outside_since` of its own entry without the lock. So any other process may
// drop an entry only by exchanging the value of `inside` that it has judged.
#pragma once

#include <atomic>
#include <cstdint>

#include "mask/cpu_mask.hpp"

namespace nestbind::ranks {

inline constexpr int kMostLive = 256;
inline constexpr long kRest = 5000;  // milliseconds
// The workers of a pool fork their first teams at about the same time. So for this time, a process
// that joins counts its siblings, too, before they have joined.
inline constexpr long kExpect = 1000;  // milliseconds

inline std::uint32_t process_in(std::uint64_t inside) {
  return static_cast<std::uint32_t>(inside >> 32);
}
inline std::uint32_t threads_in(std::uint64_t inside) { return static_cast<std::uint32_t>(inside); }

struct alignas(64) TreeEntry {  // a cache line, because its owner writes at each region
  // process << 32 | its root threads in regions; 0: free. Both are one word, so that a process
  // whose entry was dropped never counts in the entry of the next owner.
  std::atomic<std::uint64_t> inside;
  std::atomic<std::int64_t> outside_since;  // support::milliseconds_now()
  std::uint64_t mask;                       // mask_sign()
  std::uint32_t start;                      // lowest bits of the start time in ticks
  std::uint32_t expected;                   // TreeProcess::expected
  std::int64_t joined;                      // milliseconds

  std::uint32_t process() const { return process_in(inside.load(std::memory_order_acquire)); }
};

struct TreeSheet {
  std::uint64_t magic;
  std::uint64_t key;
  std::atomic<std::uint32_t> changes;  // how often the set of live processes or a mask has changed
  std::uint32_t next_check;            // the entry at which the next look begins
  TreeEntry entries[kMostLive];
};

// The index of a process among the live processes with its mask, and their number.
struct TreeShare {
  int index = 0;
  int of = 0;                   // 0: the process has not asked yet
  const char* fault = nullptr;  // the reason if the processes cannot meet; then 0 of 1
  bool is_crowded = false;      // more than kMostLive are live: other processes have the same index
};

struct TreeProcess {
  std::uint32_t number = 0;
  std::uint16_t start = 0;
  std::uint64_t mask = 0;
  std::uint32_t expected =
      0;  // the processes of its program that its parent has started, with itself
};

inline constexpr int kNoEntry = -1;

// The same number for the same processors. An empty mask means the whole machine of a dry run.
std::uint64_t mask_sign(const mask::CpuMask& mask);

void begin(TreeSheet& sheet, std::uint64_t key);
bool is_good(const TreeSheet& sheet, std::uint64_t key);

// A root thread of the process goes into a region, or comes out. Returns false, and changes
// nothing, if the entry is not the process's.
inline bool go_inside(TreeEntry& entry, std::uint32_t process) {
  std::uint64_t word = entry.inside.load(std::memory_order_relaxed);
  while (process_in(word) == process) {
    if (entry.inside.compare_exchange_weak(word, word + 1, std::memory_order_acq_rel)) {
      return true;
    }
  }
  return false;
}

// Without a matching go_inside(), for example after fork(), nothing is counted.
inline void go_outside(TreeEntry& entry, std::uint32_t process, long now) {
  std::uint64_t word = entry.inside.load(std::memory_order_relaxed);
  while (process_in(word) == process && threads_in(word) > 0) {
    entry.outside_since.store(now, std::memory_order_relaxed);
    if (entry.inside.compare_exchange_weak(word, word - 1, std::memory_order_acq_rel)) {
      return;
    }
  }
}

// Drops the process of this entry if it rests. A time far in the future comes from a damaged sheet.
bool drop_resting(TreeSheet& sheet, TreeEntry& entry, long now);
void drop(TreeSheet& sheet, TreeEntry& entry);

// Drops processes that rest or have ended, but not the process `self` in the entry `own`. Calls
// `is_running(number, start, is_thorough)` for some processes, and is thorough for a few of them:
// with 256 processes all questions take too long for one look. The next look goes on with others.
template <typename IsRunning>
void look(TreeSheet& sheet, int own, std::uint32_t self, long now, IsRunning is_running) {
  constexpr int kMostThorough = 8;
  constexpr int kMostChecked = 64;
  int checked = 0;
  for (std::uint32_t i = 0, begin = sheet.next_check; i < kMostLive; ++i) {
    const std::uint32_t at = (begin + i) % kMostLive;
    TreeEntry& entry = sheet.entries[at];
    const std::uint32_t process = entry.process();
    if (process == 0 || (process == self && static_cast<int>(at) == own) ||
        drop_resting(sheet, entry, now)) {
      continue;
    }
    // An entry of `self` is from before an exec, or of an earlier process with this number.
    if (process == self ||
        (checked < kMostChecked &&
         !is_running(process, static_cast<std::uint16_t>(entry.start), checked < kMostThorough))) {
      drop(sheet, entry);
    }
    if (++checked == kMostThorough) {
      sheet.next_check = at + 1;
    }
  }
}

// Makes the process live, in its entry `own` if it still has it, otherwise in the lowest free
// entry. Returns the entry, or kNoEntry if none is free.
int enter(TreeSheet& sheet, int own, const TreeProcess& process, long now);

// `own` is the result of enter().
TreeShare share_of(const TreeSheet& sheet, int own, const TreeProcess& process, long now);

void leave(TreeSheet& sheet, int own, std::uint32_t process);
bool is_empty(const TreeSheet& sheet);

}  // namespace nestbind::ranks
