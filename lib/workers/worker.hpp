// SPDX-License-Identifier: BSD-3-Clause
// One kept thread. Its master leaves a call in it, which it makes; then it waits for the next.
//
// The master may call again as soon as it has seen that the last call's work is done (it has passed
// the team's last barrier), even if the call has not quite returned. While a worker is awake, only
// its master writes to it: a call costs one cache line, which goes from the one to the other.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "workers/changes.hpp"
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

class Worker {
 public:
  // A worker that does not yet run; null without memory.
  static Worker* make();

  // Begins the thread, with the request as its first call. Returns pthread_create's result; on
  // failure the worker is as it was. Of a worker that does not run.
  int begin(const Request& request, CreateThread* create);

  // Whether a new thread for the request would be like this one, or like what a call makes of it:
  // in its stack, and in what the thread, its master or others could have changed of them.
  bool is_like_new(const Request& request) const;

  // Leaves the next call. Returns false where the thread has ended meanwhile: it does not run.
  bool call(const Request& request);

  // The worker ends, and frees itself. Not to be used again.
  void dismiss();

  // In bytes; 0: not named.
  struct Stack {
    std::size_t size = 0;
    std::size_t guard = 0;
    bool operator==(const Stack&) const = default;
  };

 private:
  // The low bits of the word; above them, calls are counted.
  enum State : uint32_t { kAwake, kAsleep, kDismissed, kGone };
  static constexpr uint32_t kStates = 3;
  static constexpr uint32_t kOneCall = 4;
  static State state_of(uint32_t word) { return static_cast<State>(word & kStates); }

  static void* live(void* worker);
  void set_call(const Request& request);
  void take_over() const;
  uint32_t leave(uint32_t word);
  bool has_stack_of(const pthread_attr_t* attributes) const;
  uint32_t wait(uint32_t word);
  uint32_t sleep(uint32_t word);

  struct alignas(64) Slot {
    std::atomic<uint32_t> word{kGone};
    Start* start = nullptr;
    void* argument = nullptr;
    FloatingPoint floating_point;
    const MemoryPolicy* policy = nullptr;  // null: the worker has it
  };
  // What the master compares. The worker writes there only if it changes itself (made), in a
  // region, and the master reads behind that.
  struct alignas(64) Thread {
    pthread_t handle{};
    pthread_attr_t attributes{};  // of the request
    Stack stack;
    Moment made;
  };

  Slot slot_;
  Thread thread_;
};

// In a forked child: the calling thread is nobody's worker.
void forget_worker();

}  // namespace nestbind::workers
