// SPDX-License-Identifier: BSD-3-Clause
// Allocates the memory of a loop's owners, all at once.
#include <stdlib.h>

#include <algorithm>
#include <new>

#include "loops/ownership.hpp"

namespace nestbind::loops {
namespace {

alignas(Ownership) constinit char g_no_ownership[1] = {};
Ownership* no_ownership() { return reinterpret_cast<Ownership*>(g_no_ownership); }

std::size_t aligned_bytes(std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  return (bytes + kLine - 1) / kLine * kLine;
}

}  // namespace

struct Ownership::Parts {
  std::size_t queues = 0;
  std::size_t runs = 0;
  std::size_t blocks = 0;
  std::size_t time[2] = {};
  std::size_t owner[2] = {};
  std::size_t block[2] = {};
  std::size_t first[2] = {};
  std::size_t snapshot = 0;
  std::size_t home = 0;
  std::size_t varies = 0;
  std::size_t node = 0;
  std::size_t factor = 0;
  std::size_t work = 0;
  std::size_t end = 0;

  Parts(int threads, int most, int nodes) {
    const auto members = static_cast<std::size_t>(threads);
    const auto all = members * static_cast<std::size_t>(most);
    const auto pairs = static_cast<std::size_t>(nodes) * static_cast<std::size_t>(nodes);
    balance::Machine machine;
    machine.slots = threads;
    machine.nodes = nodes;
    std::size_t at = aligned_bytes(sizeof(Ownership));
    const auto put = [&at](std::size_t bytes) {
      const std::size_t here = at;
      at += aligned_bytes(bytes);
      return here;
    };
    queues = put(members * sizeof(Queue));
    runs = put(members * sizeof(Runs));
    blocks = put(all * sizeof(Block));
    for (int set = 0; set < 2; ++set) {
      time[set] = put(all * sizeof(Ticks));
      owner[set] = put(all * sizeof(int));
      block[set] = put(all * sizeof(int));
      first[set] = put((members + 1) * sizeof(int));
    }
    snapshot = put(2 * all * sizeof(Ticks));
    home = put(all * sizeof(int));
    varies = put(members * sizeof(Ticks));
    node = put(members * sizeof(int));
    factor = put(pairs * sizeof(double));
    work = put(balance::look_bytes(threads * most, machine));
    end = at;
  }
};

// If several members make an object at the same time, the first object is kept.
Ownership* Ownership::find(std::atomic<Ownership*>& cell, int threads, const Coming& coming) {
  Ownership* there = cell.load(std::memory_order_acquire);
  if (there == nullptr) {
    const int most = coming.shape.wanted;
    void* memory = nullptr;
    const std::size_t bytes = Parts(threads, most, std::min(threads, kMostNodes)).end;
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
  char* const bytes = static_cast<char*>(memory);
  auto* made = new (memory) Ownership;
  made->threads_ = threads;
  made->most_ = most;
  made->most_nodes_ = std::min(threads, kMostNodes);
  const Parts parts(threads, most, made->most_nodes_);
  made->queues_ = reinterpret_cast<Queue*>(bytes + parts.queues);
  made->runs_ = reinterpret_cast<Runs*>(bytes + parts.runs);
  for (int member = 0; member < threads; ++member) {
    new (made->queues_ + member) Queue;
    new (made->runs_ + member) Runs;
  }
  made->blocks_ = reinterpret_cast<Block*>(bytes + parts.blocks);
  for (int block = 0; block < threads * most; ++block) {
    new (made->blocks_ + block) Block;
  }
  for (int set = 0; set < 2; ++set) {
    Set& of = made->sets_[set];
    of.time = reinterpret_cast<Ticks*>(bytes + parts.time[set]);
    of.owner = reinterpret_cast<int*>(bytes + parts.owner[set]);
    of.block = reinterpret_cast<int*>(bytes + parts.block[set]);
    of.first = reinterpret_cast<int*>(bytes + parts.first[set]);
  }
  made->snapshot_ = reinterpret_cast<Ticks*>(bytes + parts.snapshot);
  made->home_ = reinterpret_cast<int*>(bytes + parts.home);
  made->varies_ = reinterpret_cast<Ticks*>(bytes + parts.varies);
  made->node_ = reinterpret_cast<int*>(bytes + parts.node);
  made->factor_ = reinterpret_cast<double*>(bytes + parts.factor);
  made->work_ = bytes + parts.work;
  return made;
}

}  // namespace nestbind::loops
