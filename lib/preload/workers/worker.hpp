// SPDX-License-Identifier: BSD-3-Clause
// One kept thread. The primary thread stores a function and an argument. The worker calls this
// function, and waits again.
//
// The primary thread may write the next call after the worker has passed the team's last barrier.
// The last call need not have returned yet. While a worker is awake, only the primary thread writes
// to the worker.
//
// The memory of a worker is never freed, so that other threads may read it at any time. A worker is
// free after its thread has ended and its primary thread has dismissed it.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "workers/changes.hpp"
#include "workers/idle.hpp"

namespace nestbind::workers {

// The floating-point state: rounding, flushing, traps and raised exceptions. A new thread inherits
// this state from its creator, so it is copied to a kept worker at each call.
class FloatingPoint {
 public:
  static FloatingPoint of_this_thread() {
    FloatingPoint now;
#if defined(__x86_64__)
    uint16_t status = 0;
    asm volatile("stmxcsr %0" : "=m"(now.vector_));
    asm volatile("fnstcw %0" : "=m"(now.x87_control_));
    asm volatile("fnstsw %0" : "=a"(status));
    now.x87_raised_ = status & kRaised;
#elif defined(__aarch64__)
    asm volatile("mrs %0, fpcr" : "=r"(now.control_));
    asm volatile("mrs %0, fpsr" : "=r"(now.status_));
#endif
    return now;
  }

  void adopt() const {
    const FloatingPoint now = of_this_thread();
#if defined(__x86_64__)
    if (vector_ != now.vector_) {
      asm volatile("ldmxcsr %0" : : "m"(vector_));
    }
    if (x87_control_ != now.x87_control_ || x87_raised_ != now.x87_raised_) {
      adopt_x87();
    }
#elif defined(__aarch64__)
    if (control_ != now.control_) {
      asm volatile("msr fpcr, %0" : : "r"(control_));
    }
    if (status_ != now.status_) {
      asm volatile("msr fpsr, %0" : : "r"(status_));
    }
#endif
  }

 private:
#if defined(__x86_64__)
  // Bits of the status word. kRaised has the exceptions and the stack fault. The kDerived bits
  // depend on the kRaised bits.
  static constexpr uint16_t kRaised = 0x007f;
  static constexpr uint16_t kDerived = 0x8080;

  struct Environment {
    uint16_t control, unused1, status, unused2;
    uint32_t more[5];
  };

  // Loads control word and status word together. A control word alone could enable the trap of an
  // exception that is raised already. Nothing traps before the load: fnstenv masks all exceptions.
  void adopt_x87() const {
    Environment environment;
    asm volatile("fnstenv %0" : "=m"(environment));
    environment.control = x87_control_;
    environment.status =
        static_cast<uint16_t>((environment.status & ~(kRaised | kDerived)) | x87_raised_);
    asm volatile("fldenv %0" : : "m"(environment));
  }

  uint32_t vector_ = 0;
  uint16_t x87_control_ = 0;
  uint16_t x87_raised_ = 0;
#elif defined(__aarch64__)
  uint64_t control_ = 0;
  uint64_t status_ = 0;
#endif
};

using Start = void*(void*);
using CreateThread = int(pthread_t*, const pthread_attr_t*, Start*, void*);

struct Request {
  pthread_t* thread;
  const pthread_attr_t* attributes;
  Start* start;
  void* argument;
};

class Worker {
 public:
  // Returns false if the worker is not free or has a thread.
  bool take();

  // Returns pthread_create's result; a failure changes nothing.
  int begin(const Request& request, CreateThread* create);

  // True if the worker can run the request like a new thread. Compares the size of the stack, and
  // the counts of changes (changes.hpp).
  bool is_like_new(const Request& request) const;

  // Returns false if the thread has ended meanwhile, or is about to end.
  bool call(const Request& request);

  // Ends the worker if it has not ended, and makes it free. Only the primary thread calls this
  // function.
  void dismiss();

  // Ends a waiting worker. If the worker does not wait, returns false. The primary thread must not
  // call this function.
  bool end_if_idle();

  void tell_to_end();

  // True if the worker was asked to end and has finished its call. Its thread may still exist.
  bool is_leaving() const;
  bool is_busy_ending() const;
  bool is_busy() const;

  bool is_of(pthread_t primary) const {
    return thread_.primary.load(std::memory_order_relaxed) == primary;
  }
  Idle& idle() { return idle_; }

  void forget();

  // Sizes in bytes. 0 if a size is not given.
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
    unsigned mask_changes = 0;
    Start* start = nullptr;
    void* argument = nullptr;
    FloatingPoint floating_point;
    const MemoryPolicy* policy = nullptr;  // null: the worker already has this policy
  };
  // The values that is_like_new() compares. The worker writes to `made` only if it changes its own
  // settings in a region. The primary thread reads these values only after the region.
  struct alignas(64) Thread {
    pthread_t handle{};
    std::atomic<pthread_t> primary{};
    pthread_attr_t attributes{};
    Stack stack;
    Moment made;
  };

  Slot slot_;
  alignas(64) Idle idle_;
  Thread thread_;
};

// Returns the calling thread's worker, or null if the thread is not a worker.
Worker* self_as_worker();

// After this call, self_as_worker() returns null.
void forget_worker();

Worker* take_worker();

struct Workers {
  static constexpr int kMany = 64;
  Worker worker[kMany];
};

inline constexpr int kMostParts = 1024;
// The existing arrays, then null pointers.
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
