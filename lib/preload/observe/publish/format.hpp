// SPDX-License-Identifier: BSD-3-Clause
// The file in which a process tells where its threads are planned: a header, then a record for each
// thread. Words of 64 bits in the machine's own order, for it is read on the same machine.
//
// Any thread of the process writes its own record, others read the file at any time. A record, and
// the text of the header, has a count of its changes, which is odd while it is written. Who reads
// copies the file twice: what is the same in both, with an even count, belongs together.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace nestbind::publish {

using Word = std::uint64_t;
using SharedWord = std::atomic<Word>;
static_assert(sizeof(SharedWord) == sizeof(Word) && SharedWord::is_always_lock_free);

inline constexpr Word kMagic = 0x31646e6274736e6e;  // "nnstbnd1"; written last
inline constexpr Word kVersion = 1;

// The header's words.
enum Header : unsigned {
  kMagicAt,
  kVersionAt,
  kProcess,      // its number
  kStart,        // when it was started, in ticks, as /proc tells
  kImage,        // stands for the program that it has executed (support/stat_line.hpp)
  kRecords,      // how many there is room for
  kNotShown,     // threads for which there was none
  kTextChanges,  // of the text
  kText,         // the specification: bytes, ended by a nul
  kTextWords = 256,
  kHeaderWords = 512
};
static_assert(kText + kTextWords <= kHeaderWords);

// A record's words. One without a level is nobody's, or not yet written.
enum Record : unsigned {
  kChanges,
  kThread,  // the kernel's number, flags << 32, level << 48; 0: free
  kSince,   // when its place changed, CLOCK_BOOTTIME in nanoseconds
  kSlot,    // the slot, and << 32 the number of the first word of the mask
  kPath,    // numbers of 32 bits, outermost first
  kPathWords = 4,
  kMask = kPath + kPathWords,  // planned processors: 1024 from the first word on
  kMaskWords = 16,
  kRecordWords = kMask + kMaskWords
};

inline constexpr int kMostPath = 2 * kPathWords;
inline constexpr unsigned kMostRecords = 4096;
inline constexpr unsigned kFewestRecords = 64;

enum Flag : unsigned {
  kIsBound = 1,   // the system took the mask
  kIsPinned = 2,  // to a slot; otherwise it may be anywhere in its share
  kIsCut = 4,     // some processors do not fit, or some of the path
  kRoot = 8       // times one more than the root thread's number; 0: there is one only
};
inline constexpr unsigned kMostRoots = 0xffff / kRoot;  // those beyond have the last number

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

// Begins to write what has this count of changes, and ends it. By one thread at a time.
inline void begin_change(SharedWord& changes) {
  changes.store(changes.load(std::memory_order_relaxed) | 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
}
inline void end_change(SharedWord& changes) {
  changes.store((changes.load(std::memory_order_relaxed) | 1) + 1, std::memory_order_release);
}

// Whether words [from, to), the count of their changes first, belong together in two copies, the
// second of which was begun when the first was complete.
constexpr bool is_settled(const Word* first, const Word* second, unsigned words) {
  bool is_same = (first[0] & 1) == 0;
  for (unsigned i = 0; i < words; ++i) {
    is_same = is_same && first[i] == second[i];
  }
  return is_same;
}

}  // namespace nestbind::publish
