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

// The process number, and how many of the process's root threads are in regions. An entry with the
// word 0 is free. Both are one word, so that a process whose entry was dropped never counts in the
// entry of the next owner.
class Inside {
 public:
  explicit Inside(std::uint64_t word) : word_(word) {}
  std::uint32_t process() const { return static_cast<std::uint32_t>(word_ >> 32); }
  std::uint32_t threads() const { return static_cast<std::uint32_t>(word_); }
  static std::uint64_t begin(std::uint32_t process) { return std::uint64_t{process} << 32; }

 private:
  std::uint64_t word_;
};

struct alignas(64) TreeEntry {  // a cache line, because its owner writes at each region
  std::atomic<std::uint64_t> inside;
  std::atomic<std::int64_t> outside_since;  // support::milliseconds_now()
  std::uint64_t mask;                       // mask_sign()
  std::uint32_t start;                      // lowest bits of the start time in ticks

  Inside now() const { return Inside(inside.load(std::memory_order_acquire)); }
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
  while (Inside(word).process() == process) {
    if (entry.inside.compare_exchange_weak(word, word + 1, std::memory_order_acq_rel)) {
      return true;
    }
  }
  return false;
}

// Without a matching go_inside(), for example after fork(), nothing is counted.
inline void go_outside(TreeEntry& entry, std::uint32_t process, long now) {
  std::uint64_t word = entry.inside.load(std::memory_order_relaxed);
  if (Inside(word).process() == process) {
    entry.outside_since.store(now, std::memory_order_relaxed);
  }
  while (Inside(word).process() == process && Inside(word).threads() > 0) {
    if (entry.inside.compare_exchange_weak(word, word - 1, std::memory_order_acq_rel)) {
      return;
    }
  }
}

// Drops the process of this entry if it rests. A time far in the future comes from a damaged sheet.
bool drop_resting(TreeSheet& sheet, TreeEntry& entry, long now);
void drop(TreeSheet& sheet, TreeEntry& entry);

// Drops processes that rest or have ended, but not the process with the entry `own`, if its number
// is `self`. `is_running(number, start, is_thorough)` is thorough for a few processes at each look,
// because reading the state of 256 processes takes long.
template <typename IsRunning>
void look(TreeSheet& sheet, int own, std::uint32_t self, long now, IsRunning is_running) {
  constexpr int kMostThorough = 8;
  int checked = 0;
  const auto begin = sheet.next_check;
  for (std::uint32_t i = 0; i < kMostLive; ++i) {
    const std::uint32_t at = (begin + i) % kMostLive;
    TreeEntry& entry = sheet.entries[at];
    const std::uint32_t number = entry.now().process();
    if (number == 0 || (number == self && static_cast<int>(at) == own) ||
        drop_resting(sheet, entry, now)) {
      continue;
    }
    const bool is_thorough = checked < kMostThorough;
    if (is_thorough) {
      ++checked;
      sheet.next_check = at + 1;
    }
    // An entry of our number is from before an exec, or of an earlier process with this number.
    if (number == self ||
        !is_running(number, static_cast<std::uint16_t>(entry.start), is_thorough)) {
      drop(sheet, entry);
    }
  }
}

// Makes the process live, in its entry `own` if it still has it, otherwise in the lowest free
// entry. Returns the entry, or kNoEntry if none is free.
int enter(TreeSheet& sheet, int own, const TreeProcess& process, long now);

// `own` is the result of enter().
TreeShare share_of(const TreeSheet& sheet, int own, const TreeProcess& process);

void leave(TreeSheet& sheet, int own, std::uint32_t process);
bool is_empty(const TreeSheet& sheet);

}  // namespace nestbind::ranks
