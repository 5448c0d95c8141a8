// SPDX-License-Identifier: BSD-3-Clause
// A runtime that creates threads for each team, as GCC's runtime does for inner teams. Workers do
// not wait at a region's last barrier.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <functional>
#include <vector>

#include "workers/census.hpp"
#include "workers/pools.hpp"

namespace fake {

class Barrier {
 public:
  explicit Barrier(int size) : size_(size) {}
  // The barrier may be freed after the arrival.
  int arrive() {
    const int turn = turn_.load(std::memory_order_acquire);
    const int others = size_ - 1;
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) == others) {
      arrived_.store(0, std::memory_order_relaxed);
      turn_.store(turn + 1, std::memory_order_release);
    }
    return turn;
  }
  void wait() {
    const int turn = arrive();
    while (turn_.load(std::memory_order_acquire) == turn) {
      sched_yield();
    }
  }

 private:
  int size_;
  std::atomic<int> arrived_{0};
  std::atomic<int> turn_{0};
};

struct Team {
  Barrier barrier;
  const std::function<void(int)>& work;
};

struct Beginning {
  Team* team;
  int number;
  pthread_t handle;
};

inline void* thread_start(void* memory) {
  // The object `beginning` lives until the first barrier. The primary thread may still write its
  // handle.
  const auto& beginning = *static_cast<Beginning*>(memory);
  Team& team = *beginning.team;
  const int number = beginning.number;
  team.barrier.wait();
  team.work(number);
  team.barrier.wait();
  team.barrier.arrive();
  // ThreadSanitizer aborts if a thread is detached twice.
  static thread_local bool detached = false;
  if (!detached) {
    detached = true;
    pthread_detach(pthread_self());
  }
  return nullptr;
}

struct Fork {
  int status = 0;
  std::vector<pthread_t> handles;  // of the workers
};

inline const int kRuntime = 0;

// Forks a team as a hook does, with workers of the pool if there is one.
inline Fork fork_team(int level, int size, const std::function<void(int)>& work,
                      const pthread_attr_t* attributes = nullptr, const void* runtime = &kRuntime) {
  Team team{Barrier(size), work};
  std::vector<Beginning> beginnings(static_cast<std::size_t>(size));
  nestbind::workers::Pool* pool = nestbind::workers::pool_for_fork(runtime, level);
  Fork fork;
  for (int number = 1; number < size; ++number) {
    Beginning& beginning = beginnings[static_cast<std::size_t>(number)];
    beginning.team = &team;
    beginning.number = number;
    const nestbind::workers::Request request{&beginning.handle, attributes, thread_start,
                                             &beginning};
    fork.status = pool != nullptr
                      ? nestbind::workers::hire(*pool, request, pthread_create)
                      : pthread_create(request.thread, attributes, request.start, request.argument);
    if (fork.status != 0) {
      return fork;
    }
    fork.handles.push_back(beginning.handle);
  }
  team.barrier.wait();
  work(0);
  team.barrier.wait();
  team.barrier.wait();
  if (pool != nullptr) {
    nestbind::workers::pool_returns(*pool);
  }
  return fork;
}

}  // namespace fake
