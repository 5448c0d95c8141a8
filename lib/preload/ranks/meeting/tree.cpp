// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/meeting/tree.hpp"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "options/settings.hpp"
#include "ranks/meeting/job_key.hpp"
#include "ranks/meeting/meeting_file.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::ranks {

namespace {

constexpr long kLookEvery = 1000;                      // milliseconds
constinit std::atomic<std::uint32_t> g_no_changes{0};  // never written

// A forked child has a copy of its parent's data, and keeps the key and the mapping.
struct Joined {
  TreeProcess process;
  uid_t user = 0;
  Job tree{};
  bool has_key = false;
  bool is_left_at_exit = false;
  int entry = kNoEntry;
  TreeShare share;
  // The sheet stays at its address, because threads may be in go_inside().
  TreeSheet* sheet = nullptr;
  dev_t device = 0;
  ino_t inode = 0;
};
constinit Joined g_joined;

void show(const TreeSheet* sheet, int entry, long due) {
  TreeView& view = g_tree_view;
  view.changes.store(sheet == nullptr ? &g_no_changes : &sheet->changes, std::memory_order_release);
  view.seen.store(sheet == nullptr ? 0 : sheet->changes.load(), std::memory_order_relaxed);
  view.due.store(due, std::memory_order_relaxed);
  view.process.store(g_joined.process.number, std::memory_order_relaxed);
  view.own.store(entry == kNoEntry ? nullptr : &g_joined.sheet->entries[entry],
                 std::memory_order_release);
}

void note_process(const mask::CpuMask& mask) {
  Joined& joined = g_joined;
  const pid_t process = getpid();
  if (joined.process.number != static_cast<std::uint32_t>(process)) {
    joined.process = {static_cast<std::uint32_t>(process), start_of(process), 0, 0};
    joined.user = geteuid();
    joined.entry = kNoEntry;
    joined.share = {};
    joined.tree.is_below = joined.tree.is_below || joined.has_key;  // a child after fork()
  }
  if (!joined.has_key) {
    joined.tree = find_tree();
    joined.has_key = true;
  }
  joined.process.mask = mask_sign(mask);
  if (joined.entry == kNoEntry && joined.tree.is_below) {
    joined.process.expected = static_cast<std::uint32_t>(siblings());
  }
  if (!joined.is_left_at_exit) {
    joined.is_left_at_exit = atexit(leave_tree) == 0;
  }
}

// Allocates the whole file before it is mapped: on a full file system, a store would be a SIGBUS.
// Only the user's own processes may shorten the file later, and no process of nestbind does.
const char* map(LockedFile& file) {
  Joined& joined = g_joined;
  const struct stat& status = file.status();
  constexpr std::size_t kSize = sizeof(TreeSheet);
  if (joined.sheet == nullptr || status.st_ino != joined.inode || status.st_dev != joined.device ||
      status.st_size < static_cast<off_t>(kSize)) {
    constexpr int kMode = 0;
    errno = EFBIG;
    if (!support::may_write(kSize) ||
        support::system_call(SYS_fallocate, file.number(), kMode, 0L, kSize) != 0) {
      const char* const fault = strerror(errno);
      if (status.st_size == 0) {
        file.remove();
      }
      return fault;
    }
    const int fixed = joined.sheet == nullptr ? 0 : MAP_FIXED;
    void* const sheet =
        mmap(joined.sheet, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | fixed, file.number(), 0);
    if (sheet == MAP_FAILED) {
      return strerror(errno);
    }
    joined.sheet = static_cast<TreeSheet*>(sheet);
    joined.inode = status.st_ino;
    joined.device = status.st_dev;
  }
  if (!is_good(*joined.sheet, joined.tree.key)) {
    begin(*joined.sheet, joined.tree.key);
  }
  return nullptr;
}

void look_around(long now) {
  look(*g_joined.sheet, g_joined.entry, g_joined.process.number, now,
       [](std::uint32_t number, std::uint16_t start, bool is_thorough) {
         return is_thorough ? is_living({number, start, false, false}) : support::is_alive(number);
       });
}

void share_alone(const char* fault, long due) {
  g_joined.share = {0, 1, fault, false};
  show(nullptr, kNoEntry, due);
}

void share_in(LockedFile& file, const Patience& patience) {
  Joined& joined = g_joined;
  const char* fault = file.open(patience);
  const long now = support::milliseconds_now();
  const bool is_locked = fault == nullptr && file.is_locked();
  fault = is_locked ? map(file) : fault;
  if (fault != nullptr) {
    share_alone(fault, TreeView::kNever);
  } else if (is_locked) {
    look_around(now);
    joined.entry = enter(*joined.sheet, joined.entry, joined.process, now);
    joined.share = share_of(*joined.sheet, joined.entry, joined.process, now);
    show(joined.sheet, joined.entry,
         joined.share.of > 1 || joined.share.is_crowded ? now + kLookEvery : TreeView::kNever);
  } else if (joined.entry != kNoEntry) {
    show(joined.sheet, joined.entry, now + kLookEvery);
  } else {  // a busy process may keep the lock once
    const bool was_refused = joined.share.of > 0;
    share_alone(was_refused ? "another process keeps the file locked" : nullptr, now + kLookEvery);
  }
}

}  // namespace

constinit TreeView g_tree_view{.changes = &g_no_changes};

TreeShare share_in_tree(const mask::CpuMask& mask) {
  const support::ErrnoKept errno_kept;
  note_process(mask);
  bool is_new = false;
  {
    const Patience patience(g_joined.share.of == 0);
    LockedFile file(kTreePrefix, g_joined.user, g_joined.tree);
    share_in(file, patience);
    is_new = file.is_new();
  }
  if (is_new && !options::settings().publishes) {  // publishing removes them, too
    remove_leftovers(g_joined.user, g_joined.tree.space);
  }
  return g_joined.share;
}

TreeShare tree_share() { return g_joined.share; }

void leave_tree() {
  const support::ErrnoKept errno_kept;
  Joined& joined = g_joined;
  if (joined.entry == kNoEntry || joined.process.number != static_cast<std::uint32_t>(getpid())) {
    return;
  }
  const Patience patience(true);
  LockedFile file(kTreePrefix, joined.user, joined.tree);
  if (file.open(patience, false) == nullptr && file.is_locked() && map(file) == nullptr) {
    leave(*joined.sheet, joined.entry, joined.process.number);
    look_around(support::milliseconds_now());
    if (is_empty(*joined.sheet)) {
      file.remove();
    }
  }
  leave_tree_in_child();
}

void leave_tree_in_child() {
  g_joined.entry = kNoEntry;
  g_joined.share = {};
  show(nullptr, kNoEntry, TreeView::kNever);
}

}  // namespace nestbind::ranks
