// SPDX-License-Identifier: BSD-3-Clause
// The processes of one tree (tree_sheet.hpp) meet in a mapped file, in the folder where ranks meet.
// A tree is all that one outermost `nestbind run` has started. Without it, a tree is the topmost
// ancestor that has nestbind's variables, with its descendants. Each rank has a tree of its own.
//
// share_in_tree(), tree_share() and leave_tree_in_child() need the lock of the plans, or a process
// with one thread. The other functions may be called by any thread.
#pragma once

#include "mask/cpu_mask.hpp"
#include "ranks/tree_sheet.hpp"
#include "support/clock.hpp"

namespace nestbind::ranks {

// What the inline functions below read. Only tree.cpp writes it.
struct TreeView {
  static constexpr long kNever = 0;

  std::atomic<const std::atomic<std::uint32_t>*> changes;
  std::atomic<std::uint32_t> seen{0};  // the value of *changes at the last share_in_tree()
  std::atomic<long> due{kNever};       // when to look for processes that have ended or rest
  std::atomic<TreeEntry*> own{nullptr};
  std::atomic<std::uint32_t> process{0};
};
extern TreeView g_tree_view __attribute__((visibility("hidden")));

// Makes the calling process live, drops processes that have ended or rest, and returns the share of
// the calling process. `mask` is the process's mask now; it is empty in a dry run. If the lock is
// not free within the time for waits (meeting_file.hpp), the share stays as it was. A process that
// had none then shares with others as 0 of 1, and tries again after a second. From the second such
// try on, the result has a fault. Keeps errno.
TreeShare share_in_tree(const mask::CpuMask& mask);

// The last result of share_in_tree(). `of` is 0 if there is none.
TreeShare tree_share();

// True if the division may have changed after the last share_in_tree(), and once a second if other
// live processes have the same mask. False before the first share_in_tree(). Makes no system call.
inline bool tree_has_changed() {
  const TreeView& view = g_tree_view;
  const long due = view.due.load(std::memory_order_relaxed);
  return view.changes.load(std::memory_order_acquire)->load(std::memory_order_relaxed) !=
             view.seen.load(std::memory_order_relaxed) ||
         (due != TreeView::kNever && support::milliseconds_now() >= due);
}

// tree_has_changed() is others_came() if no other live process has the same mask.
inline bool is_alone_in_tree() {
  return g_tree_view.due.load(std::memory_order_relaxed) == TreeView::kNever;
}
inline bool others_came() {
  const TreeView& view = g_tree_view;
  return view.changes.load(std::memory_order_acquire)->load(std::memory_order_relaxed) !=
         view.seen.load(std::memory_order_relaxed);
}

// A root thread of this process goes into an outermost region, or comes out at the time `now`
// (support::milliseconds_now()). tree_inside() returns false if it counted nothing, because this
// process is not in the sheet; then the thread must not call tree_outside().
inline bool tree_inside() {
  TreeEntry* const own = g_tree_view.own.load(std::memory_order_acquire);
  return own != nullptr && go_inside(*own, g_tree_view.process.load(std::memory_order_relaxed));
}
inline void tree_outside(long now) {
  if (TreeEntry* const own = g_tree_view.own.load(std::memory_order_acquire)) {
    go_outside(*own, g_tree_view.process.load(std::memory_order_relaxed), now);
  }
}

// Gives the share back, at the end of the process or if the process no longer divides.
// share_in_tree() arranges that exit() calls it.
void leave_tree();

// In a child after fork(): the child is no member until its own share_in_tree().
void leave_tree_in_child();

}  // namespace nestbind::ranks
