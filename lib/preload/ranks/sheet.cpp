// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/sheet.hpp"

#include <string.h>

namespace nestbind::ranks {

namespace {

constexpr Word kMagic = 0x6e72;
constexpr Word kVersion = 1;

enum Header : int {
  kMagicAt,
  kVersionAt,
  kRanks,
  kAlreadyTold,
  kKey,
  kUsed = kKey + 4,
  kHeaderWords = 12
};

enum Entry : int { kNumber, kStart = 2, kState, kEntryWords };

// The state of an entry. For the kMaskBits see mask_of().
enum State : Word { kMaskBits = 0x7ff, kHasForked = 0x800, kHasOpenmp = 0x1000, kIsThere = 0x2000 };

// Records follow the entries. The record of a mask has the number of ranges, and the first and last
// processor of each range. The first word of a division is kIsDivision + the number of words in the
// record. DivisionWord names the other words. From kMembers on, each rank has a bit.
constexpr Word kIsDivision = 0x8000;
constexpr Word kLengthBits = 0x7fff;
enum DivisionWord : int { kOfMask = 1, kLowNeed, kHighNeed, kMembers };
constexpr Word kIsOpen = 0x8000;
constexpr int kNone = -1;
constexpr int kMostNeed = 1 << 30;

static_assert(kHeaderWords + kEntryWords * kMostRanks < kMostWords);
static_assert(kMostWords - kHeaderWords <= kMaskBits);
static_assert(sizeof(Word) * 4 == sizeof(std::uint64_t));

int first_behind(const Sheet& sheet) { return kHeaderWords + kEntryWords * sheet.words[kRanks]; }
int end_of(const Sheet& sheet) { return first_behind(sheet) + sheet.words[kUsed]; }

int entry_at(int rank) { return kHeaderWords + kEntryWords * rank; }
const Word* entry_of(const Sheet& sheet, int rank) { return sheet.words + entry_at(rank); }
Word* entry_of(Sheet& sheet, int rank) { return sheet.words + entry_at(rank); }

int member_words(const Sheet& sheet) { return (sheet.words[kRanks] + 15) / 16; }

int length_of(const Word* record) {
  const int length = *record & kLengthBits;
  return (*record & kIsDivision) != 0 ? length : 1 + 2 * length;
}

int mask_of(const Sheet& sheet, int rank) {
  const int at = entry_of(sheet, rank)[kState] & kMaskBits;
  return at == 0 ? kNone : first_behind(sheet) + at - 1;
}

bool is_good_mask(const Word* record) {
  int next = 0;
  for (int i = 0; i < *record; ++i) {
    const int first = record[1 + 2 * i];
    const int last = record[2 + 2 * i];
    if (first < next || last < first || last >= mask::kMaxCpus) {
      return false;
    }
    next = last + 2;  // an adjacent processor belongs to the same range
  }
  return true;
}

bool is_mask(const Sheet& sheet, int wanted) {
  for (int at = first_behind(sheet); at < end_of(sheet); at += length_of(sheet.words + at)) {
    if (at == wanted) {
      return (sheet.words[at] & kIsDivision) == 0;
    }
  }
  return false;
}

bool is_good_division(const Sheet& sheet, const Word* record) {
  const int words = member_words(sheet);
  const int spare = 16 * words - sheet.words[kRanks];
  if (length_of(record) != kMembers + words) {
    return false;
  }
  unsigned members = 0;
  for (int i = 0; i < words; ++i) {
    members |= record[kMembers + i];
  }
  return members != 0 && (spare == 0 || record[kMembers + words - 1] >> (16 - spare) == 0);
}

bool are_good_records(const Sheet& sheet) {
  const int end = end_of(sheet);
  for (int at = first_behind(sheet); at < end; at += length_of(sheet.words + at)) {
    const Word* const record = sheet.words + at;
    const bool is_division = (*record & kIsDivision) != 0;
    if (length_of(record) > end - at || (is_division && length_of(record) < kMembers) ||
        !(is_division ? is_good_division(sheet, record) : is_good_mask(record))) {
      return false;
    }
  }
  return true;
}

// Returns the record's length, or 0 if it is longer than any sheet.
int put_ranges(const mask::CpuMask& mask, Word (&record)[kMostWords]) {
  int length = 1;
  mask::each_range(mask, [&](int first, int last) {
    if (length + 2 <= kMostWords) {
      record[length] = static_cast<Word>(first);
      record[length + 1] = static_cast<Word>(last);
    }
    length += 2;
  });
  record[0] = static_cast<Word>((length - 1) / 2);
  return length <= kMostWords ? length : 0;
}

int add(Sheet& sheet, const Word* record, int length) {
  const int at = end_of(sheet);
  if (length > kMostWords - at) {
    return kNone;
  }
  memcpy(sheet.words + at, record, sizeof(Word) * static_cast<std::size_t>(length));
  sheet.words[kUsed] = static_cast<Word>(sheet.words[kUsed] + length);
  return at;
}

int find_mask(const Sheet& sheet, const Word* record, int length) {
  for (int at = first_behind(sheet); at < end_of(sheet); at += length_of(sheet.words + at)) {
    if (at + length <= end_of(sheet) &&
        memcmp(sheet.words + at, record, sizeof(Word) * static_cast<std::size_t>(length)) == 0) {
      return at;
    }
  }
  return kNone;
}

bool do_touch(const Word* a, const Word* b) {
  const int of_a = *a;
  const int of_b = *b;
  for (int i = 0, j = 0; i < of_a && j < of_b;) {
    if (a[2 + 2 * i] < b[1 + 2 * j]) {
      ++i;
    } else if (b[2 + 2 * j] < a[1 + 2 * i]) {
      ++j;
    } else {
      return true;
    }
  }
  return false;
}

const Word* find_division(const Sheet& sheet, int mask) {
  for (int at = first_behind(sheet); at < end_of(sheet); at += length_of(sheet.words + at)) {
    const Word* const record = sheet.words + at;
    if ((*record & kIsDivision) != 0 && record[kOfMask] == mask) {
      return record;
    }
  }
  return nullptr;
}

void add_division(Sheet& sheet, int mask, const Division& division) {
  Word record[kMembers + kMostRanks / 16];
  const int words = member_words(sheet);
  const auto slots = static_cast<unsigned>(division.need.slots);
  record[0] = static_cast<Word>(kIsDivision | (kMembers + words));
  record[kOfMask] = static_cast<Word>(mask);
  record[kLowNeed] = static_cast<Word>(slots);
  record[kHighNeed] = static_cast<Word>(slots >> 16 | (division.need.is_open ? kIsOpen : 0U));
  memcpy(record + kMembers, division.members, sizeof(Word) * static_cast<std::size_t>(words));
  add(sheet, record, kMembers + words);
}

void take(const Word* record, int words, Division& division) {
  division.need.slots =
      static_cast<int>(record[kLowNeed] | (record[kHighNeed] & ~unsigned{kIsOpen}) << 16);
  division.need.slots = division.need.slots < 1 ? 1 : division.need.slots;
  division.need.is_open = (record[kHighNeed] & kIsOpen) != 0;
  memcpy(division.members, record + kMembers, sizeof(Word) * static_cast<std::size_t>(words));
}

void add_member(Division& division, int rank) {
  division.members[rank / 16] = static_cast<Word>(division.members[rank / 16] | 1U << (rank % 16));
}

void gather(const Sheet& sheet, int mask, Division& division) {
  for (int other = 0; other < sheet.words[kRanks]; ++other) {
    const int theirs = mask_of(sheet, other);
    if (mask == kNone || theirs == kNone || theirs == mask) {
      add_member(division, other);
    }
  }
}

Division counted(const Sheet& sheet, int rank, int mask, Division division) {
  division.of = 0;
  for (int other = 0; other < sheet.words[kRanks]; ++other) {
    const int theirs = mask_of(sheet, other);
    if (division.has(other)) {
      division.index += other < rank ? 1 : 0;
      division.missing += theirs == kNone ? 1 : 0;
      ++division.of;
    }
    if (division.overlapping < 0 && mask != kNone && theirs != kNone && theirs != mask &&
        do_touch(sheet.words + mask, sheet.words + theirs)) {
      division.overlapping = other;
    }
  }
  return division;
}

// Other ranks have already divided the mask without this rank.
Division none_left(const Division& decided, int rank) {
  Division division;
  division.need = decided.need;
  division.overlapping = 0;
  while (!decided.has(division.overlapping)) {
    ++division.overlapping;
  }
  add_member(division, rank);
  return division;
}

}  // namespace

void begin(Sheet& sheet, std::uint64_t key, int ranks) {
  sheet = {};
  sheet.words[kMagicAt] = kMagic;
  sheet.words[kVersionAt] = kVersion;
  sheet.words[kRanks] = static_cast<Word>(ranks);
  memcpy(sheet.words + kKey, &key, sizeof key);
}

bool is_good(const Sheet& sheet, std::size_t bytes, std::uint64_t key, int ranks) {
  if (bytes < sizeof(Word) * kHeaderWords || sheet.words[kMagicAt] != kMagic ||
      sheet.words[kVersionAt] != kVersion || sheet.words[kRanks] != ranks || ranks < 1 ||
      ranks > kMostRanks || key_of(sheet) != key || end_of(sheet) > kMostWords ||
      bytes_of(sheet) > bytes || !are_good_records(sheet)) {
    return false;
  }
  for (int rank = 0; rank < ranks; ++rank) {
    const int at = mask_of(sheet, rank);
    if (at != kNone && !is_mask(sheet, at)) {
      return false;
    }
  }
  return true;
}

std::size_t bytes_of(const Sheet& sheet) {
  return sizeof(Word) * static_cast<std::size_t>(end_of(sheet));
}

int ranks_of(const Sheet& sheet) { return sheet.words[kRanks]; }

std::uint64_t key_of(const Sheet& sheet) {
  std::uint64_t key = 0;
  memcpy(&key, sheet.words + kKey, sizeof key);
  return key;
}

Process process_of(const Sheet& sheet, int rank) {
  const Word* const entry = entry_of(sheet, rank);
  Process process;
  memcpy(&process.number, entry + kNumber, sizeof process.number);
  process.start = entry[kStart];
  process.has_forked = (entry[kState] & kHasForked) != 0;
  process.has_openmp = (entry[kState] & kHasOpenmp) != 0;
  return process;
}

bool has_entered(const Sheet& sheet, int rank) {
  return (entry_of(sheet, rank)[kState] & kIsThere) != 0;
}

bool copy_mask(const Sheet& sheet, int rank, mask::MaskBuffer& mask) {
  const int at = mask_of(sheet, rank);
  if (at == kNone) {
    return false;
  }
  mask = {};
  const Word* const record = sheet.words + at;
  for (int i = 0; i < *record; ++i) {
    for (int cpu = record[1 + 2 * i]; cpu <= record[2 + 2 * i]; ++cpu) {
      mask::add(mask.bits, cpu);
    }
  }
  return true;
}

bool has_mask(const Sheet& sheet, int rank, const mask::CpuMask& mask) {
  Word record[kMostWords];
  const int length = put_ranges(mask, record);
  return length > 0 && mask_of(sheet, rank) != kNone &&
         mask_of(sheet, rank) == find_mask(sheet, record, length);
}

void enter(Sheet& sheet, int rank, const Process& process, const mask::CpuMask& mask) {
  Word record[kMostWords];
  const int length = put_ranges(mask, record);
  int at = length == 0 ? kNone : find_mask(sheet, record, length);
  at = at == kNone && length > 0 ? add(sheet, record, length) : at;
  Word* const entry = entry_of(sheet, rank);
  memcpy(entry + kNumber, &process.number, sizeof process.number);
  entry[kStart] = process.start;
  entry[kState] = static_cast<Word>((at == kNone ? 0 : at - first_behind(sheet) + 1) | kIsThere |
                                    (process.has_forked ? kHasForked : 0) |
                                    (process.has_openmp ? kHasOpenmp : 0));
}

void leave(Sheet& sheet, int rank) {
  memset(entry_of(sheet, rank) + kNumber, 0, sizeof(std::uint32_t));
}

bool is_waiting(const Sheet& sheet, int rank) {
  const int mask = mask_of(sheet, rank);
  for (int other = 0; other < sheet.words[kRanks]; ++other) {
    const int theirs = mask_of(sheet, other);
    const bool is_loose = theirs != kNone && theirs != mask && mask != kNone &&
                          !process_of(sheet, other).has_openmp &&
                          do_touch(sheet.words + mask, sheet.words + theirs);
    if (!has_entered(sheet, other) || is_loose) {
      return true;
    }
  }
  return false;
}

Division divide(Sheet& sheet, int rank, const Need& need) {
  Division division;
  division.need = need;
  division.need.slots = need.slots < 1 ? 1 : need.slots < kMostNeed ? need.slots : kMostNeed;
  const int mask = mask_of(sheet, rank);
  const Word* const decided = mask == kNone ? nullptr : find_division(sheet, mask);
  if (decided != nullptr) {
    take(decided, member_words(sheet), division);
    return division.has(rank) ? counted(sheet, rank, mask, division) : none_left(division, rank);
  }
  gather(sheet, mask, division);
  division = counted(sheet, rank, mask, division);
  if (mask != kNone && division.of > 1) {
    add_division(sheet, mask, division);
  }
  return division;
}

bool is_first_to_tell(Sheet& sheet, Trouble what) {
  const Word before = sheet.words[kAlreadyTold];
  sheet.words[kAlreadyTold] = static_cast<Word>(before | 1U << static_cast<unsigned>(what));
  return sheet.words[kAlreadyTold] != before;
}

}  // namespace nestbind::ranks
