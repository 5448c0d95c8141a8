// SPDX-License-Identifier: BSD-3-Clause
// One kept thread. Its master leaves a call in it, which it makes; then it waits for the next.
//
// The slot of the call belongs to the worker while it is called, and otherwise to its master. The
// master may call again as soon as it has seen that the last call's work is done (it has passed the
// team's last barrier), even if the call has not quite returned.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "workers/floating_point.hpp"

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

class alignas(64) Worker {
 public:
  // A worker that does not yet run; null without memory.
  static Worker* make();

  // Begins the thread, with the request as its first call. Returns pthread_create's result; on
  // failure the worker is as it was. Of a worker that does not run.
  int begin(const Request& request, CreateThread* create);

  // Whether a new thread for the request would be like this one: in its stack, and in what the
  // thread or its master could have changed of themselves in the kernel.
  bool is_like_new(const Request& request) const;

  // Leaves the next call. Returns false where the thread has ended meanwhile: it does not run.
  bool call(const Request& request);

  // The worker ends, and frees itself. Not to be used again.
  void dismiss();

 private:
  enum State : uint32_t { kAwake, kAsleep, kCalled, kDismissed, kGone };

  static void* live(void* worker);
  void set_call(const Request& request);
  State wait();
  State sleep();

  friend void note_change();

  std::atomic<uint32_t> state_{kGone};
  bool is_changed_ = false;  // by itself, in a region; its master reads it behind that
  FloatingPoint floating_point_;
  Start* start_ = nullptr;
  void* argument_ = nullptr;
  pthread_t handle_{};
  std::size_t stack_ = 0;
  std::size_t guard_ = 0;
  unsigned master_changes_ = 0;
};

// The calling thread has changed something of its own in the kernel that threads inherit, or that a
// new thread would not have: its signal mask, name, scheduling.
void note_change();

// In a forked child: the calling thread is nobody's worker.
void forget_worker();

}  // namespace nestbind::workers
