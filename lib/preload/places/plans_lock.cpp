// SPDX-License-Identifier: BSD-3-Clause
#include "places/plans_lock.hpp"

#include <errno.h>
#include <pthread.h>

namespace nestbind::placement {

namespace {

constinit pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;
constinit std::atomic<const void*> g_holder{nullptr};
// The depth of the holder's locks, and whether the holder changes plans.
constinit int g_depth = 0;
constinit bool g_is_changing = false;
constinit bool g_is_lost = false;  // the holder is in another process

// The address of errno identifies a thread, and stays the same in a forked child.
const void* self() { return &errno; }

void take() {
  if (g_holder.load(std::memory_order_relaxed) != self()) {
    pthread_mutex_lock(&g_lock);
    g_holder.store(self(), std::memory_order_relaxed);
  }
  ++g_depth;
}

void leave() {
  if (--g_depth == 0) {
    g_holder.store(nullptr, std::memory_order_relaxed);
    pthread_mutex_unlock(&g_lock);
  }
}

bool take_to_change() {
  const bool is_ours = g_holder.load(std::memory_order_relaxed) == self();
  if (g_is_lost || (is_ours && g_is_changing)) {
    return false;
  }
  take();
  g_is_changing = true;
  return true;
}

}  // namespace

PlansLocked::PlansLocked() : is_ours_(take_to_change()) {}

PlansLocked::~PlansLocked() {
  if (is_ours_) {
    g_is_changing = false;
    leave();
  }
}

void lock_for_fork() {
  if (!g_is_lost) {
    take();
  }
}

void unlock_behind_fork() {
  if (!g_is_lost) {
    leave();
  }
}

void give_up_lost_lock() {
  if (g_holder.load(std::memory_order_relaxed) == self()) {
    return;
  }
  if (pthread_mutex_trylock(&g_lock) == 0) {
    pthread_mutex_unlock(&g_lock);
  } else {
    g_is_lost = true;
  }
}

}  // namespace nestbind::placement
