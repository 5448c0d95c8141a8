// SPDX-License-Identifier: BSD-3-Clause
#include "placement/roots.hpp"

#include <algorithm>

#include "placement/place.hpp"
#include "support/allocate.hpp"

namespace nestbind::placement {

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
    root->outside_since.store(0, std::memory_order_relaxed);
  }
  return *link;
}

void Roots::give_back(Root& root) {
  root.is_used = false;
  root.machine = {};
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
  return share.of <= most
             ? share
             : Share{share.machine,
                     static_cast<int>(static_cast<long>(share.index) * most / share.of), most};
}

}  // namespace

Share Roots::share_of(const Root& root, int fixed, const mask::CpuMask& whole) const {
  const mask::CpuMask& machine = root.machine.bits == nullptr ? whole : root.machine;
  Share share{machine.bits, root.number, fixed};
  if (fixed > 0 && root.machine.bits == nullptr) {
    share.index = root.number % fixed;
    return limited(share, machine);
  }
  share.index = 0;
  share.of = 0;
  for (const Root* other = first_; other != nullptr; other = other->next) {
    if (other == &root || (other->is_live && other->machine.bits == root.machine.bits)) {
      share.index += other->number < root.number ? 1 : 0;
      ++share.of;
    }
  }
  return limited(share, machine);
}

}  // namespace nestbind::placement
