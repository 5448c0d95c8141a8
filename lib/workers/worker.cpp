// SPDX-License-Identifier: BSD-3-Clause
#include "workers/worker.hpp"

#include <errno.h>
#include <linux/futex.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>

#include "support/errno_kept.hpp"
#include "support/system_call.hpp"
#include "workers/census.hpp"

namespace nestbind::workers {

namespace {

long futex(std::atomic<uint32_t>& word, int operation, uint32_t value, const timespec* timeout) {
  return support::system_call(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, timeout,
                              nullptr, 0);
}

void wake(std::atomic<uint32_t>& word) {
  const support::ErrnoKept errno_kept;
  futex(word, FUTEX_WAKE, 1, nullptr);
}

void pause_processor() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Attributes without a size of their own answer with the size that a new thread would get.
Worker::Stack stack_of(const pthread_attr_t* attributes) {
  Worker::Stack stack;
  if (attributes != nullptr) {
    pthread_attr_getstacksize(attributes, &stack.size);
    pthread_attr_getguardsize(attributes, &stack.guard);
  }
  return stack;
}

// To the letter; others may be equal as well.
bool is_same(const pthread_attr_t& a, const pthread_attr_t& b) {
  return memcmp(reinterpret_cast<const char*>(&a), reinterpret_cast<const char*>(&b), sizeof a) ==
         0;
}

// What new threads do not inherit, and a region of a worker has left.
void put_back() {
  if (uselocale(nullptr) != LC_GLOBAL_LOCALE) {
    uselocale(LC_GLOBAL_LOCALE);
  }
}

}  // namespace

Worker* Worker::make() {
  void* memory = aligned_alloc(alignof(Worker), sizeof(Worker));
  return memory == nullptr ? nullptr : new (memory) Worker;
}

void Worker::set_call(const Request& request) {
  slot_.start = request.start;
  slot_.argument = request.argument;
  slot_.floating_point = FloatingPoint::of_this_thread();
  slot_.policy = nullptr;
}

// The master stays in its fork until all workers have begun: so does what the slot points to.
void Worker::take_over() const {
  errno = 0;
  slot_.floating_point.adopt();
  if (slot_.policy != nullptr) {
    adopt_policy(*slot_.policy);
  }
}

int Worker::begin(const Request& request, CreateThread* create) {
  set_call(request);
  thread_.attributes = request.attributes == nullptr ? pthread_attr_t{} : *request.attributes;
  thread_.stack = stack_of(request.attributes);
  thread_.made = now();
  slot_.word.store(kAwake, std::memory_order_relaxed);
  const int result = create(&thread_.handle, request.attributes, live, this);
  if (result != 0) {
    slot_.word.store(kGone, std::memory_order_relaxed);
    return result;
  }
  *request.thread = thread_.handle;
  return 0;
}

// The C library takes a lock to tell the sizes: it is not asked about the same attributes again.
// Where those mean another size by now, the default has changed since the worker was made.
bool Worker::has_stack_of(const pthread_attr_t* attributes) const {
  return (attributes != nullptr && is_same(*attributes, thread_.attributes)) ||
         thread_.stack == stack_of(attributes);
}

bool Worker::is_like_new(const Request& request) const {
  const Moment present = now();
  return thread_.made.is_as_old(present) &&
         (thread_.made.policy == present.policy || policy_of_self() != nullptr) &&
         has_stack_of(request.attributes);
}

bool Worker::call(const Request& request) {
  *request.thread = thread_.handle;
  set_call(request);
  if (thread_.made.policy != t_of_thread.policy_changes) {
    slot_.policy = policy_of_self();
    thread_.made.policy = t_of_thread.policy_changes;
  }
  uint32_t word = slot_.word.load(std::memory_order_relaxed);
  do {
    if (state_of(word) == kGone) {
      return false;
    }
  } while (!slot_.word.compare_exchange_weak(word, (word & ~kStates) + kOneCall,
                                             std::memory_order_acq_rel, std::memory_order_relaxed));
  if (state_of(word) == kAsleep) {
    wake(slot_.word);
  }
  return true;
}

void Worker::dismiss() {
  const State state = state_of(slot_.word.exchange(kDismissed, std::memory_order_acq_rel));
  if (state == kGone) {
    free(this);
  } else if (state == kAsleep) {
    wake(slot_.word);
  }
}

void* Worker::live(void* worker) {
  Worker& self = *static_cast<Worker*>(worker);
  t_of_thread.worker = &self.thread_.made;
  uint32_t word = kAwake;
  while (state_of(word) == kAwake) {
    Start* start = self.slot_.start;
    void* argument = self.slot_.argument;
    self.take_over();
    start(argument);
    put_back();
    word = self.thread_.made.thread == Moment::kNever ? self.leave(word) : self.wait(word);
  }
  t_of_thread.worker = nullptr;
  uncount_worker();
  if (state_of(word) == kDismissed) {  // one that is gone has left itself to its master
    free(&self);
  }
  return nullptr;
}

// A worker that has changed itself ends as a new thread would, with its region: as one that nobody
// has called for long. Returns the word, as wait.
uint32_t Worker::leave(uint32_t word) {
  t_of_thread.worker = nullptr;
  const bool is_left = slot_.word.compare_exchange_strong(word, kGone, std::memory_order_acq_rel);
  return is_left ? uint32_t{kGone} : word;
}

// Until the word is another than at the last call. Returns it: awake with one more call, dismissed,
// or gone.
uint32_t Worker::wait(uint32_t word) {
  for (unsigned looks = threads_fit() ? terms().patience : 0; looks > 0; --looks) {
    const uint32_t now = slot_.word.load(std::memory_order_acquire);
    if (now != word) {
      return now;
    }
    pause_processor();
  }
  uint32_t now = word;
  if (!slot_.word.compare_exchange_strong(now, word | kAsleep, std::memory_order_acq_rel)) {
    return now;
  }
  return sleep(word | kAsleep);
}

uint32_t Worker::sleep(uint32_t word) {
  for (;;) {
    const timespec idle{terms().idle_seconds, 0};
    const bool is_idle =
        futex(slot_.word, FUTEX_WAIT, word, &idle) != 0 && errno == ETIMEDOUT && !is_exiting();
    uint32_t now = slot_.word.load(std::memory_order_acquire);
    if (now == word && is_idle &&
        slot_.word.compare_exchange_strong(now, kGone, std::memory_order_acq_rel)) {
      return kGone;
    }
    if (now != word) {
      return now;
    }
  }
}

void forget_worker() { t_of_thread.worker = nullptr; }

}  // namespace nestbind::workers
