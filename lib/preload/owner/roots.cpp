// SPDX-License-Identifier: BSD-3-Clause
#include "owner/roots.hpp"

#include <unistd.h>

#include <algorithm>

#include "process/original_mask.hpp"
#include "support/allocate.hpp"
#include "team/consumer.hpp"

namespace nestbind::placement {

using binding::t_thread;

constinit Owner g_owner{};
constinit Roots g_roots;

bool become_owner() {
  const binding::Thread* nobody = nullptr;
  if (!g_owner.thread.compare_exchange_strong(nobody, &t_thread)) {
    return false;
  }
  g_owner.id.store(gettid(), std::memory_order_relaxed);
  g_owner.handle.store(pthread_self(), std::memory_order_relaxed);
  g_owner.is_meant.store(false, std::memory_order_relaxed);
  // The thread's tree also tells when the thread ends.
  team::g_path_root.store(&team::here(), std::memory_order_release);
  return true;
}

void leave_owner() {
  if (is_owner()) {
    g_owner.thread.store(nullptr, std::memory_order_release);
  }
}

Root* Roots::take() {
  Root** link = &first_;
  int number = 0;
  for (; *link != nullptr && (*link)->is_used; link = &(*link)->next) {
    ++number;
  }
  if (*link == nullptr) {
    *link = support::allocate<Root>();
  }
  if (Root* const root = *link) {
    root->number = number;
    root->is_used = true;
    root->outside_since.store(support::milliseconds_now(), std::memory_order_relaxed);
    root->is_in_tree = false;
  }
  return *link;
}

void Roots::give_back(Root& root) {
  root.is_used = false;
  root.own = {};
}

void Roots::give_others_back(const Root* root) {
  for (Root* other = first_; other != nullptr; other = other->next) {
    if (other != root) {
      give_back(*other);
    }
  }
}

bool Roots::look(long now) {
  bool is_other = false;
  int live = 0;
  long due = kNever;
  for (Root* root = first_; root != nullptr; root = root->next) {
    const long since = root->outside_since.load(std::memory_order_relaxed);
    const long idle_at = (since == 0 ? now : since) + kIdle;
    const bool is_live = root->is_used && now < idle_at;
    is_other = is_other || is_live != root->is_live;
    root->is_live = is_live;
    live += is_live ? 1 : 0;
    due = is_live ? std::min(due, idle_at) : due;
  }
  due_.store(live > 1 ? due : kNever, std::memory_order_relaxed);
  return is_other;
}

namespace {

// If there are more parts than processors, neighbouring roots have the same part.
Share limited(const Share& share, const mask::CpuMask& machine) {
  const int most = machine.bits == nullptr ? share.of : mask::count(machine);
  return share.of < 2 || share.of <= most
             ? share
             : Share{share.machine,
                     static_cast<int>(static_cast<long>(share.index) * most / share.of), most,
                     share.is_own};
}

}  // namespace

Share Roots::share_of(const Root& root, int fixed, const mask::CpuMask& machine) const {
  const bool is_own = root.own.bits != nullptr;
  const mask::CpuMask& divided = is_own ? root.own : machine;
  if (fixed > 0 && !is_own) {
    return limited({divided.bits, root.number % fixed, fixed, false}, divided);
  }
  Share share{divided.bits, 0, 0, is_own};
  for (const Root* other = first_; other != nullptr; other = other->next) {
    if (other == &root || (other->is_live && other->own.bits == root.own.bits)) {
      share.index += other->number < root.number ? 1 : 0;
      ++share.of;
    }
  }
  return limited(share, divided);
}

mask::CpuMask Roots::left_of(const mask::CpuMask& machine) const {
  mask::MaskBuffer left;
  bool is_less = false;
  for (const Root* root = first_; root != nullptr && machine.bits != nullptr; root = root->next) {
    if (!root->is_live || root->own.bits == nullptr) {
      continue;
    }
    if (!is_less) {
      left = {};
      std::copy_n(machine.bits, machine.bytes / sizeof *machine.bits, left.bits);
      is_less = true;
    }
    mask::each(root->own, [&](int cpu) { mask::remove(left.bits, cpu); });
  }
  return is_less && mask::count(left.view()) > 0 ? process::kept_mask(left.view()) : machine;
}

}  // namespace nestbind::placement
