// SPDX-License-Identifier: BSD-3-Clause
#include "workers/worker.hpp"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include <new>

#include "workers/census.hpp"

namespace nestbind::workers {

namespace {

constinit thread_local Worker* t_worker __attribute__((tls_model("initial-exec"))) = nullptr;

// If the attributes do not set a size, the C library returns the default size.
Worker::Stack stack_of(const pthread_attr_t* attributes) {
  Worker::Stack stack;
  if (attributes != nullptr) {
    pthread_attr_getstacksize(attributes, &stack.size);
    pthread_attr_getguardsize(attributes, &stack.guard);
  }
  return stack;
}

// The result may be false for equal attributes.
bool is_same(const pthread_attr_t& a, const pthread_attr_t& b) {
  return memcmp(reinterpret_cast<const char*>(&a), reinterpret_cast<const char*>(&b), sizeof a) ==
         0;
}

// Restores settings that new threads do not inherit, and that a worker's region may have changed.
void put_back() {
  if (uselocale(nullptr) != LC_GLOBAL_LOCALE) {
    uselocale(LC_GLOBAL_LOCALE);
  }
}

Worker* take_from(Workers& part) {
  for (Worker& worker : part.worker) {
    if (worker.take()) {
      return &worker;
    }
  }
  return nullptr;
}

Workers* part_of(int number) {
  Workers* part = g_parts[number].load(std::memory_order_acquire);
  if (part != nullptr) {
    return part;
  }
  void* memory = aligned_alloc(alignof(Workers), sizeof(Workers));
  if (memory == nullptr) {
    return nullptr;
  }
  auto* made = new (memory) Workers;
  if (!g_parts[number].compare_exchange_strong(part, made)) {
    free(memory);  // another thread was faster
    return part;
  }
  return made;
}

}  // namespace

bool Worker::take() {
  uint32_t word = slot_.word.load(std::memory_order_acquire);
  return state_of(word) == kFree && !idle_.has_thread() &&
         slot_.word.compare_exchange_strong(word, calls_of(word) | kGone);
}

void Worker::set_call(const Request& request) {
  slot_.start = request.start;
  slot_.argument = request.argument;
  slot_.floating_point = FloatingPoint::of_this_thread();
  slot_.policy = nullptr;
}

// Copies settings of the primary thread, which stays in its fork until all workers have begun.
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
  thread_.primary.store(pthread_self(), std::memory_order_relaxed);
  slot_.mask_changes = g_mask_changes.load(std::memory_order_relaxed);
  const uint32_t calls = calls_of(slot_.word.load(std::memory_order_relaxed)) + kOneCall;
  slot_.word.store(calls | kAwake);
  const int result = create(&thread_.handle, request.attributes, live, this);
  if (result != 0) {
    slot_.word.store(calls | kGone);
    return result;
  }
  *request.thread = thread_.handle;
  return 0;
}

// Compares the attributes first, because the C library takes a lock to report sizes. If the default
// size changes, is_as_old() returns false.
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
  slot_.mask_changes = g_mask_changes.load(std::memory_order_relaxed);
  if (thread_.made.policy != t_of_thread.policy_changes) {
    slot_.policy = policy_of_self();
    thread_.made.policy = t_of_thread.policy_changes;
  }
  uint32_t word = slot_.word.load(std::memory_order_relaxed);
  do {
    if (!runs_on(word)) {
      return false;
    }
  } while (!slot_.word.compare_exchange_weak(word, calls_of(word) + kOneCall,
                                             std::memory_order_acq_rel, std::memory_order_relaxed));
  if (state_of(word) == kAsleep) {
    wake(slot_.word);
  }
  return true;
}

void Worker::dismiss() {
  uint32_t word = slot_.word.load(std::memory_order_relaxed);
  uint32_t left = 0;
  do {
    left = calls_of(word) | (state_of(word) == kGone ? kFree : kDismissed);
  } while (!slot_.word.compare_exchange_weak(word, left));
  if (state_of(word) == kAsleep) {
    wake(slot_.word);
  }
}

void* Worker::live(void* worker) {
  Worker& self = *static_cast<Worker*>(worker);
  t_worker = &self;
  t_of_thread.worker = &self.thread_.made;
  self.idle_.begin();
  uint32_t calls = calls_of(self.slot_.word.load(std::memory_order_acquire));
  for (bool goes_on = true; goes_on;) {
    Start* start = self.slot_.start;
    void* argument = self.slot_.argument;
    const unsigned mask_changes = self.slot_.mask_changes;
    self.take_over();
    start(argument);
    put_back();
    if (self.has_changed()) {  // a changed worker ends with its region, like a new thread
      self.tell_to_end();
    }
    const uint32_t word = self.idle_.wait(self.slot_.word, calls, mask_changes);
    goes_on = calls_of(word) != calls;
    calls = calls_of(word);
  }
  forget_worker();
  self.end_thread(calls);
  return nullptr;
}

// After this function, the program's destructors run, and another thread may take the worker.
// Destructors must not run when the process exits. Either this thread sees the exit, or the
// exiting thread sees that this thread is ending, and waits for it.
void Worker::end_thread(uint32_t calls) {
  idle_.leave();
  uint32_t word = slot_.word.load(std::memory_order_relaxed);
  uint32_t left = 0;
  do {
    left = calls | (state_of(word) == kDismissed ? kFree : kGone);
  } while (!slot_.word.compare_exchange_weak(word, left));
  uncount_worker();
  if (is_exiting()) {
    idle_.stay();
  }
}

bool Worker::end_if_idle() {
  uint32_t word = slot_.word.load(std::memory_order_acquire);
  if (!runs_on(word) || !idle_.is_behind(calls_of(word)) ||
      !slot_.word.compare_exchange_strong(word, calls_of(word) | kEnding)) {
    return false;
  }
  if (state_of(word) == kAsleep) {
    wake(slot_.word);
  }
  return true;
}

void Worker::tell_to_end() {
  uint32_t word = slot_.word.load(std::memory_order_relaxed);
  do {
    if (!runs_on(word)) {
      return;
    }
  } while (!slot_.word.compare_exchange_weak(word, calls_of(word) | kEnding));
  if (state_of(word) == kAsleep) {
    wake(slot_.word);
  }
}

bool Worker::is_busy() const {
  const uint32_t word = slot_.word.load();
  return (runs_on(word) || state_of(word) == kEnding) && !idle_.is_behind(calls_of(word));
}

bool Worker::is_busy_ending() const { return state_of(slot_.word.load()) == kEnding && is_busy(); }

bool Worker::is_leaving() const {
  return !runs_on(slot_.word.load()) && !is_busy() && !idle_.stays();
}

void Worker::forget() {
  slot_.word.store(calls_of(slot_.word.load(std::memory_order_relaxed)) | kFree,
                   std::memory_order_relaxed);
  idle_.forget();
}

Worker* self_as_worker() { return t_worker; }

void forget_worker() {
  t_worker = nullptr;
  t_of_thread.worker = nullptr;
}

constinit std::atomic<Workers*> g_parts[kMostParts] = {};

Worker* take_worker() {
  // The part in which the last free worker was found.
  static constinit std::atomic<int> last{0};
  Workers* part = g_parts[last.load(std::memory_order_relaxed)].load(std::memory_order_acquire);
  Worker* worker = part == nullptr ? nullptr : take_from(*part);
  for (int number = 0; worker == nullptr && number < kMostParts; ++number) {
    part = part_of(number);
    if (part == nullptr) {
      return nullptr;
    }
    worker = take_from(*part);
    last.store(number, std::memory_order_relaxed);
  }
  return worker;
}

}  // namespace nestbind::workers
