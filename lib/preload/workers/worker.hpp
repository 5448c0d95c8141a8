// SPDX-License-Identifier: BSD-3-Clause
// One kept thread. Its primary thread leaves a call in it, which it makes; then it waits for the
// next.
//
// The primary thread may call again as soon as it has seen that the last call's work is done (it
// has passed the team's last barrier), even if the call has not quite returned. While a worker is
// awake, only its primary thread writes to it: a call costs one cache line, which goes from the one
// to the other.
//
// The memory of a worker stays one, so that others may look at it at any time: it is
// free when its thread and its primary thread have both let it go.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "workers/changes.hpp"
#include "workers/idle.hpp"
#include "workers/worker_floating_point.hpp"

namespace nestbind::workers {

using Start = void*(void*);
using CreateThread = int(pthread_t*, const pthread_attr_t*, Start*, void*);

// What a runtime asks of pthread_create.
struct Request {
  pthread_t* thread;
  const pthread_attr_t* attributes;
  Start* start;
  void* argument;
};

class Worker {
 public:
  // Makes a free worker the calling thread's. Returns false where it is not free, or the thread
  // that it had is still there.
  bool take();

  // Begins the thread, with the request as its first call. Returns pthread_create's result; on
  // failure the worker is as it was. Of a worker that does not run.
  int begin(const Request& request, CreateThread* create);

  // Whether a new thread for the request would be like this one, or like what a call makes of it:
  // in its stack, and in what the thread, its primary thread or others could have changed of them.
  bool is_like_new(const Request& request) const;

  // Leaves the next call. Returns false where the thread has ended meanwhile, or is about to.
  bool call(const Request& request);

  // The worker ends, if it has not yet, and is free then. Its primary thread may not use it again.
  void dismiss();

  // For others than its primary thread. Tells it to end, if it waits. Returns whether it does.
  bool end_if_idle();

  // Tells it to end when its call is done.
  void tell_to_end();

  // Whether its calls are done, it has been told to end, and its thread may still be there.
  bool is_leaving() const;
  // Whether it has been told to end, and its call is not yet done.
  bool is_busy_ending() const;
  // Whether its call is not yet done.
  bool is_busy() const;

  bool is_of(pthread_t primary) const {
    return thread_.primary.load(std::memory_order_relaxed) == primary;
  }
  Idle& idle() { return idle_; }

  // In a forked child: there is no thread, and it is nobody's.
  void forget();

  // In bytes; 0: not named.
  struct Stack {
    std::size_t size = 0;
    std::size_t guard = 0;
    bool operator==(const Stack&) const = default;
  };

 private:
  static void* live(void* worker);
  void set_call(const Request& request);
  void take_over() const;
  bool has_changed() const { return thread_.made.thread == Moment::kNever; }
  bool has_stack_of(const pthread_attr_t* attributes) const;
  void end_thread(uint32_t calls);

  struct alignas(64) Slot {
    std::atomic<uint32_t> word{kFree};
    unsigned mask_changes = 0;  // before the call
    Start* start = nullptr;
    void* argument = nullptr;
    FloatingPoint floating_point;
    const MemoryPolicy* policy = nullptr;  // null: the worker has it
  };
  // What the primary thread compares. The worker writes there only if it changes itself (made), in
  // a region, and the primary thread reads behind that.
  struct alignas(64) Thread {
    pthread_t handle{};
    std::atomic<pthread_t> primary{};
    pthread_attr_t attributes{};  // of the request
    Stack stack;
    Moment made;
  };

  Slot slot_;
  alignas(64) Idle idle_;
  Thread thread_;
};

// The worker that the calling thread is; null: none.
Worker* self_as_worker();

// In a forked child: the calling thread is nobody's worker.
void forget_worker();

// A worker that does not run, for the calling thread; null without memory.
Worker* take_worker();

// All workers of the process. Their memory is never given back, so that whoever wants something of
// all of them looks at each without a lock, also in a signal handler.
struct Workers {
  static constexpr int kMany = 64;
  Worker worker[kMany];
};

inline constexpr int kMostParts = 1024;
// The first ones are there, the others null.
extern constinit std::atomic<Workers*> g_parts[kMostParts];

template <typename Action>
void each_worker(Action action) {
  for (int i = 0; i < kMostParts; ++i) {
    Workers* part = g_parts[i].load(std::memory_order_acquire);
    if (part == nullptr) {
      break;
    }
    for (Worker& worker : part->worker) {
      action(worker);
    }
  }
}

}  // namespace nestbind::workers
