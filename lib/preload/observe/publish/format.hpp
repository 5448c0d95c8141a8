// SPDX-License-Identifier: BSD-3-Clause
// The file in which a process publishes the planned places of its threads: a header, and a record
// for each thread. Words have 64 bits, in the byte order of the machine.
//
// Each thread of the process writes its own record. Each record counts its changes. The text in the
// header also has such a count. During a change, the count is an odd number. A reader copies the
// file twice. A record is consistent if its two copies are equal and the count is even.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "support/decimal.hpp"

namespace nestbind::publish {

using Word = std::uint64_t;
using SharedWord = std::atomic<Word>;
static_assert(sizeof(SharedWord) == sizeof(Word) && SharedWord::is_always_lock_free);

inline constexpr Word kMagic = 0x31646e6274736e6e;  // "nnstbnd1"; written last
inline constexpr Word kVersion = 1;

enum Header : unsigned {
  kMagicAt,
  kVersionAt,
  kProcess,
  kStart,  // when the process was started, in ticks, as in /proc
  kImage,  // identifies the program that the process executes (support/stat_line.hpp)
  kRecords,
  kNotShown,  // threads for which there was no room
  kTextChanges,
  kText,  // the specification, which ends with a nul byte
  kTextWords = 256,
  kRefused = kText + kTextWords,  // see refused_word(); 0: no region was refused
  kTree,          // number in the tree of processes (lower 32 bits), processes; 0: does not divide
  kMaskSetAfter,  // see process::MaskSetter; 1 more than `after`; 0: nobody has narrowed the mask
  kMaskSetBy,
  kMaskSetByWords = 8,
  kHeaderWords = 512
};
static_assert(kMaskSetBy + kMaskSetByWords <= kHeaderWords);

// The level is 0 if the record is free or not yet written.
enum Record : unsigned {
  kChanges,
  kThread,  // see thread_word(); 0 if the record is free
  kSince,   // when the thread's place changed, CLOCK_BOOTTIME in nanoseconds
  kSlot,    // slot (lower 32 bits), number of the mask's first word (upper 32 bits)
  kPath,    // numbers of 32 bits, outermost first
  kPathWords = 4,
  kMask = kPath + kPathWords,  // 1024 bits of the planned mask
  kMaskWords = 16,
  kRecordWords = kMask + kMaskWords
};

inline constexpr int kMostPath = 2 * kPathWords;
inline constexpr unsigned kMostRecords = 4096;
inline constexpr unsigned kFewestRecords = 64;

enum Flag : unsigned {
  kIsBound = 1,   // the kernel accepted the mask
  kIsPinned = 2,  // the thread has one slot; otherwise it runs anywhere in its share
  kIsCut = 4,     // some processors, or a part of the path, did not fit
  kRoot = 8       // kRoot * (the root thread's number + 1); 0: there is one root
};
inline constexpr unsigned kMostRoots = 0xffff / kRoot;  // larger numbers become this number

constexpr std::size_t bytes_of(unsigned records) {
  return sizeof(Word) * (kHeaderWords + std::size_t{records} * kRecordWords);
}
constexpr std::size_t record_at(unsigned number) {
  return kHeaderWords + std::size_t{number} * kRecordWords;
}

constexpr Word thread_word(unsigned thread, unsigned flags, unsigned level) {
  return Word{thread} | Word{flags} << 32 | Word{level} << 48;
}
constexpr unsigned thread_of(Word word) { return static_cast<unsigned>(word); }
constexpr unsigned flags_of(Word word) { return static_cast<unsigned>(word >> 32) & 0xffff; }
constexpr unsigned level_of(Word word) { return static_cast<unsigned>(word >> 48); }

// An inner region that asked for several threads, and has one (observe::Refused).
constexpr Word refused_word(int level, int asked, int allowed) {
  return Word{static_cast<std::uint32_t>(asked)} | Word{static_cast<std::uint16_t>(level)} << 32 |
         Word{static_cast<std::uint16_t>(allowed)} << 48;
}
constexpr int asked_of(Word word) { return static_cast<int>(word & INT32_MAX); }
constexpr int refused_level_of(Word word) { return static_cast<int>(word >> 32 & 0xffff); }
constexpr int allowed_of(Word word) { return static_cast<int>(word >> 48); }

// Only one thread at a time may change a record or the text.
inline void begin_change(SharedWord& changes) {
  changes.store(changes.load(std::memory_order_relaxed) | 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
}
inline void end_change(SharedWord& changes) {
  changes.store((changes.load(std::memory_order_relaxed) | 1) + 1, std::memory_order_release);
}

// True if two copies of a record (or of the text) are equal and the count is even. Begin the second
// copy when the first copy is done.
constexpr bool is_settled(const Word* first, const Word* second, unsigned words) {
  bool is_same = (first[0] & 1) == 0;
  for (unsigned i = 0; i < words; ++i) {
    is_same = is_same && first[i] == second[i];
  }
  return is_same;
}

// The name of the file of a process: the user, the namespace of process numbers, the process
// number, and the start time. From the name, a reader can find out whether the process still runs.
struct Name {
  std::uint64_t user = 0;
  std::uint64_t space = 0;  // inode of the namespace of process numbers
  std::uint64_t process = 0;
  std::uint64_t start = 0;
  bool operator==(const Name&) const = default;
};

inline constexpr char kPrefix[] = "nestbind-";
inline constexpr std::size_t kMostName = sizeof kPrefix + std::size_t{4} * 21;

inline void print(const Name& name, char (&text)[kMostName]) {
  snprintf(text, sizeof text, "%s%llu-%llu-%llu-%llu", kPrefix,
           static_cast<unsigned long long>(name.user), static_cast<unsigned long long>(name.space),
           static_cast<unsigned long long>(name.process),
           static_cast<unsigned long long>(name.start));
}

// Returns false unless the text is exactly what print() writes.
inline bool parse(const char* text, Name& name) {
  for (const char* c = kPrefix; *c != '\0'; ++c, ++text) {
    if (*text != *c) {
      return false;
    }
  }
  std::uint64_t* const numbers[] = {&name.user, &name.space, &name.process, &name.start};
  for (int i = 0; i < 4; ++i) {
    const char* const first = text;
    const std::uint64_t number = support::take_decimal(text, nullptr, support::kAnyDecimal);
    if (text == first || (*first == '0' && text != first + 1) || number > support::kAnyDecimal ||
        *text != (i < 3 ? '-' : '\0')) {
      return false;
    }
    text += i < 3 ? 1 : 0;
    *numbers[i] = number;
  }
  return true;
}

}  // namespace nestbind::publish
