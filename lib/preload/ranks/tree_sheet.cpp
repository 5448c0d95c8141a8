// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/tree_sheet.hpp"

namespace nestbind::ranks {

namespace {

constexpr std::uint64_t kTreeMagic = 0x6e65737472656501;  // the last byte is the version

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

void note_change(TreeSheet& sheet) { sheet.changes.fetch_add(1, std::memory_order_acq_rel); }

}  // namespace

std::uint64_t mask_sign(const mask::CpuMask& mask) {
  std::uint64_t sign = 0xcbf29ce484222325;  // FNV-1a, of the ranges: lengths of masks differ
  const auto add = [&](int cpu) { sign = (sign ^ static_cast<unsigned>(cpu)) * 0x100000001b3; };
  if (mask.bits != nullptr) {
    mask::each_range(mask, [&](int first, int last) {
      add(first);
      add(last);
    });
  }
  return sign;
}

void begin(TreeSheet& sheet, std::uint64_t key) {
  for (TreeEntry& entry : sheet.entries) {
    entry.inside.store(0, std::memory_order_relaxed);
  }
  sheet.next_check = 0;
  sheet.key = key;
  sheet.magic = kTreeMagic;
  note_change(sheet);
}

bool is_good(const TreeSheet& sheet, std::uint64_t key) {
  return sheet.magic == kTreeMagic && sheet.key == key;
}

bool drop_resting(TreeSheet& sheet, TreeEntry& entry, long now) {
  std::uint64_t word = entry.inside.load(std::memory_order_acquire);
  long rested = 0;  // a damaged sheet may have any time
  if (__builtin_sub_overflow(now, entry.outside_since.load(std::memory_order_relaxed), &rested)) {
    rested = kRest;
  }
  const bool drops = threads_in(word) == 0 && (rested >= kRest || rested <= -kRest) &&
                     entry.inside.compare_exchange_strong(word, 0, std::memory_order_acq_rel);
  if (drops) {
    note_change(sheet);
  }
  return drops;
}

void drop(TreeSheet& sheet, TreeEntry& entry) {
  entry.inside.store(0, std::memory_order_release);
  note_change(sheet);
}

int enter(TreeSheet& sheet, int own, const TreeProcess& process, long now) {
  const bool is_there = own != kNoEntry && sheet.entries[own].process() == process.number;
  int at = is_there ? own : 0;
  while (!is_there && at < kMostLive && sheet.entries[at].process() != 0) {
    ++at;
  }
  if (at == kMostLive) {
    return kNoEntry;
  }
  TreeEntry& entry = sheet.entries[at];
  const bool is_changed = !is_there || entry.mask != process.mask;
  entry.outside_since.store(now, std::memory_order_relaxed);
  entry.mask = process.mask;
  entry.start = process.start;
  if (!is_there) {
    entry.expected = process.expected;
    entry.joined = now;
    entry.inside.store(std::uint64_t{process.number} << 32, std::memory_order_release);
  }
  if (is_changed) {
    note_change(sheet);
  }
  return at;
}

TreeShare share_of(const TreeSheet& sheet, int own, const TreeProcess& process, long now) {
  TreeShare share;
  int expected = 0;
  for (int at = 0; at < kMostLive; ++at) {
    const TreeEntry& entry = sheet.entries[at];
    if (entry.process() != 0 && entry.mask == process.mask) {
      share.index += at < own ? 1 : 0;
      ++share.of;
      const long member_for = static_cast<long>(static_cast<unsigned long>(now) -
                                                static_cast<unsigned long>(entry.joined));
      expected = member_for >= 0 && member_for<kExpect&& static_cast<int>(entry.expected)> expected
                     ? static_cast<int>(entry.expected)
                     : expected;
    }
  }
  share.of = expected > share.of ? expected : share.of;
  if (own == kNoEntry) {
    share.is_crowded = share.of > 0;  // otherwise all live processes have other masks
    share.of = share.of > 0 ? share.of : 1;
    share.index = static_cast<int>(process.number % static_cast<unsigned>(share.of));
  }
  return share;
}

void leave(TreeSheet& sheet, int own, std::uint32_t process) {
  if (own != kNoEntry && sheet.entries[own].process() == process) {
    drop(sheet, sheet.entries[own]);
  }
}

bool is_empty(const TreeSheet& sheet) {
  for (const TreeEntry& entry : sheet.entries) {
    if (entry.process() != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace nestbind::ranks
