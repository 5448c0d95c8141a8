// SPDX-License-Identifier: BSD-3-Clause
#include "workers/pools.hpp"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>

#include "support/glibc.hpp"
#include "workers/census.hpp"
#include "workers/leaving.hpp"

namespace nestbind::workers {

struct Pool {
  Pool* next;
  const void* runtime;
  int level;
  bool is_out;
  int position;  // of the next worker
  int capacity;
  Worker** workers;
};

namespace {

struct Primary {
  Pool* pools;
  int own_team;  // number of other threads that the runtime keeps for this thread
  bool is_watched;
};

constinit thread_local Primary t_primary __attribute__((tls_model("initial-exec"))) = {};

void end_primary(void* memory) {
  auto& primary = *static_cast<Primary*>(memory);
  while (Pool* pool = primary.pools) {
    primary.pools = pool->next;
    std::atomic_signal_fence(std::memory_order_seq_cst);  // see pools_are_back
    for (int i = 0; i < pool->capacity; ++i) {
      if (pool->workers[i] != nullptr) {
        pool->workers[i]->dismiss();
      }
    }
    free(static_cast<void*>(pool->workers));
    free(pool);
  }
  count_threads(-primary.own_team);
  primary = {};
}

// Made at the start, because the program may use up all keys later.
constinit pthread_key_t g_key = 0;
constinit bool g_has_key = false;

// The initial thread does not need this, because its workers end with the process.
void watch_end(Primary& primary) {
  if (!primary.is_watched) {
    primary.is_watched = (g_has_key && pthread_setspecific(g_key, &primary) == 0) ||
                         gettid() == getpid() || support::at_thread_end(end_primary, &primary);
  }
}

Pool* new_pool(Primary& primary, const void* runtime, int level) {
  auto* pool = static_cast<Pool*>(calloc(1, sizeof(Pool)));
  if (pool != nullptr) {
    *pool = {primary.pools, runtime, level, false, 0, 0, nullptr};
    std::atomic_signal_fence(std::memory_order_seq_cst);
    primary.pools = pool;
    watch_end(primary);
  }
  return pool;
}

Worker** next_slot(Pool& pool) {
  if (pool.position >= pool.capacity) {
    const int capacity = pool.capacity == 0 ? 4 : 2 * pool.capacity;
    void* memory = realloc(static_cast<void*>(pool.workers),
                           static_cast<std::size_t>(capacity) * sizeof(Worker*));
    if (memory == nullptr) {
      return nullptr;
    }
    pool.workers = static_cast<Worker**>(memory);
    for (int i = pool.capacity; i < capacity; ++i) {
      pool.workers[i] = nullptr;
    }
    pool.capacity = capacity;
  }
  return &pool.workers[pool.position++];
}

Worker* new_worker(const pthread_attr_t* attributes) {
  if (!count_worker(attributes)) {
    return nullptr;
  }
  watch_exit();
  Worker* worker = take_worker();
  if (worker == nullptr) {
    uncount_worker();
  }
  return worker;
}

}  // namespace

Pool* pool_for_fork(const void* runtime, int level) {
  if (!workers_are_kept()) {
    return nullptr;
  }
  Pool* pool = t_primary.pools;
  while (pool != nullptr && (pool->level != level || pool->runtime != runtime)) {
    pool = pool->next;
  }
  if (pool == nullptr) {
    pool = new_pool(t_primary, runtime, level);
  }
  if (pool == nullptr || pool->is_out) {
    return nullptr;
  }
  pool->is_out = true;
  pool->position = 0;
  return pool;
}

int hire(Pool& pool, const Request& request, CreateThread* create) {
  Worker** slot = next_slot(pool);
  if (slot != nullptr && *slot != nullptr) {
    if ((*slot)->is_like_new(request) && (*slot)->call(request)) {
      return 0;
    }
    (*slot)->dismiss();
    *slot = nullptr;
  }
  Worker* worker = slot == nullptr ? nullptr : new_worker(request.attributes);
  if (worker == nullptr) {
    return with_room(
        [&] { return create(request.thread, request.attributes, request.start, request.argument); },
        kReturnsError);
  }
  const int result = with_room([&] { return worker->begin(request, create); }, kReturnsError);
  if (result == 0) {
    *slot = worker;
  } else {
    uncount_worker();
    worker->dismiss();
  }
  return result;
}

void pool_returns(Pool& pool) { pool.is_out = false; }

void note_own_team(int size) {
  Primary& primary = t_primary;
  if (primary.own_team != size - 1) {
    count_threads(size - 1 - primary.own_team);
    primary.own_team = size - 1;
    watch_end(primary);
  }
}

bool pools_are_back() {
  const Pool* pool = t_primary.pools;
  while (pool != nullptr && !pool->is_out) {
    pool = pool->next;
  }
  return pool == nullptr;
}

void watch_primaries() { g_has_key = g_has_key || pthread_key_create(&g_key, end_primary) == 0; }

void forget_pools() {
  t_primary.pools = nullptr;
  t_primary.own_team = 0;
  forget_worker();
  each_worker([](Worker& worker) { worker.forget(); });
  count_anew();
}

}  // namespace nestbind::workers
