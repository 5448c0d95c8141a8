// SPDX-License-Identifier: BSD-3-Clause
// Allocates the memory of a loop's owners, all at once.
#include <stdlib.h>

#include <algorithm>
#include <new>

#include "loops/ownership.hpp"
#include "support/allocate.hpp"

namespace nestbind::loops {
namespace {

alignas(Ownership) constinit char g_no_ownership[1] = {};
Ownership* no_ownership() { return reinterpret_cast<Ownership*>(g_no_ownership); }

}  // namespace

std::size_t Ownership::lay_out(void* memory, int threads, int most) {
  threads_ = threads;
  most_ = most;
  most_nodes_ = std::min(threads, kMostNodes);
  const auto members = static_cast<std::size_t>(threads);
  const auto all = members * static_cast<std::size_t>(most);
  balance::Machine machine;
  machine.slots = threads;
  machine.nodes = most_nodes_;
  support::Carver carver(memory);
  carver.take<Ownership>(1);
  queues_ = carver.take<Queue>(members);
  runs_ = carver.take<Runs>(members);
  blocks_ = carver.take<Block>(all);
  for (Set& set : sets_) {
    set.time = carver.take<Ticks>(all);
    set.owner = carver.take<int>(all);
    set.block = carver.take<int>(all);
    set.first = carver.take<int>(members + 1);
  }
  snapshot_ = carver.take<Ticks>(2 * all);
  home_ = carver.take<int>(all);
  varies_ = carver.take<Ticks>(members);
  node_ = carver.take<int>(members);
  factor_ = carver.take<double>(static_cast<std::size_t>(most_nodes_ * most_nodes_));
  work_ = carver.take<char>(balance::look_bytes(threads * most, machine));
  return carver.bytes();
}

// If several members make an object at the same time, the first object is kept.
Ownership* Ownership::find(std::atomic<Ownership*>& cell, int threads, const Coming& coming) {
  Ownership* there = cell.load(std::memory_order_acquire);
  if (there == nullptr) {
    const int most = coming.shape.wanted;
    void* memory = nullptr;
    const std::size_t bytes = Ownership().lay_out(nullptr, threads, most);
    Ownership* mine = no_ownership();
    if (posix_memalign(&memory, alignof(Queue), bytes) == 0) {
      mine = make(memory, threads, most);
      mine->begin_anew(mine->sets_[0], coming);
      mine->begin_anew(mine->sets_[1], coming);
    }
    if (cell.compare_exchange_strong(there, mine, std::memory_order_acq_rel)) {
      there = mine;
    } else {
      free(memory);
    }
  }
  return there == no_ownership() ? nullptr : there;
}

void* Ownership::memory(const std::atomic<Ownership*>& cell) {
  Ownership* const there = cell.load(std::memory_order_acquire);
  return there == no_ownership() ? nullptr : there;
}

Ownership* Ownership::make(void* memory, int threads, int most) {
  auto* made = new (memory) Ownership;
  made->lay_out(memory, threads, most);
  for (int member = 0; member < threads; ++member) {
    new (made->queues_ + member) Queue;
    new (made->runs_ + member) Runs;
  }
  for (int block = 0; block < threads * most; ++block) {
    new (made->blocks_ + block) Block;
  }
  return made;
}

}  // namespace nestbind::loops
