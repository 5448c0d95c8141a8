// SPDX-License-Identifier: BSD-3-Clause
#include "workers/worker.hpp"

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <new>

#include "workers/census.hpp"

namespace nestbind::workers {

namespace {

constinit thread_local Worker* t_worker __attribute__((tls_model("initial-exec"))) = nullptr;
constinit thread_local unsigned t_changes __attribute__((tls_model("initial-exec"))) = 0;

long futex(std::atomic<uint32_t>& word, int operation, uint32_t value, const timespec* timeout) {
  return syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, timeout, nullptr, 0);
}

void wake(std::atomic<uint32_t>& word) {
  const int saved = errno;
  futex(word, FUTEX_WAKE, 1, nullptr);
  errno = saved;
}

void pause_processor() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Attributes without a size of their own answer with the size that a new thread would get.
std::size_t stack_of(const pthread_attr_t* attributes) {
  std::size_t size = 0;
  return attributes != nullptr && pthread_attr_getstacksize(attributes, &size) == 0 ? size : 0;
}

std::size_t guard_of(const pthread_attr_t* attributes) {
  std::size_t size = 0;
  return attributes != nullptr && pthread_attr_getguardsize(attributes, &size) == 0 ? size : 0;
}

}  // namespace

Worker* Worker::make() {
  void* memory = aligned_alloc(alignof(Worker), sizeof(Worker));
  return memory == nullptr ? nullptr : new (memory) Worker;
}

void Worker::set_call(const Request& request) {
  start_ = request.start;
  argument_ = request.argument;
  floating_point_ = FloatingPoint::of_this_thread();
}

int Worker::begin(const Request& request, CreateThread* create) {
  set_call(request);
  is_changed_ = false;
  stack_ = stack_of(request.attributes);
  guard_ = guard_of(request.attributes);
  master_changes_ = t_changes;
  state_.store(kCalled, std::memory_order_relaxed);
  const int result = create(&handle_, request.attributes, live, this);
  if (result != 0) {
    state_.store(kGone, std::memory_order_relaxed);
    return result;
  }
  *request.thread = handle_;
  return 0;
}

bool Worker::is_like_new(const Request& request) const {
  return !is_changed_ && master_changes_ == t_changes && stack_ == stack_of(request.attributes) &&
         guard_ == guard_of(request.attributes);
}

bool Worker::call(const Request& request) {
  *request.thread = handle_;
  set_call(request);
  uint32_t state = state_.load(std::memory_order_relaxed);
  do {
    if (state == kGone) {
      return false;
    }
  } while (!state_.compare_exchange_weak(state, kCalled, std::memory_order_acq_rel));
  if (state == kAsleep) {
    wake(state_);
  }
  return true;
}

void Worker::dismiss() {
  const uint32_t state = state_.exchange(kDismissed, std::memory_order_acq_rel);
  if (state == kGone) {
    free(this);
  } else if (state == kAsleep) {
    wake(state_);
  }
}

void* Worker::live(void* worker) {
  Worker& self = *static_cast<Worker*>(worker);
  t_worker = &self;
  State outcome = kCalled;
  while (outcome == kCalled) {
    self.state_.store(kAwake, std::memory_order_relaxed);
    Start* start = self.start_;
    void* argument = self.argument_;
    self.floating_point_.adopt();
    start(argument);
    outcome = self.wait();
  }
  t_worker = nullptr;
  uncount_worker();
  if (outcome == kDismissed) {  // one that is gone has left itself to its master
    free(&self);
  }
  return nullptr;
}

// Until there is another call, or the thread is dismissed, or gone.
Worker::State Worker::wait() {
  for (unsigned looks = threads_fit() ? terms().patience : 0; looks > 0; --looks) {
    const uint32_t state = state_.load(std::memory_order_acquire);
    if (state != kAwake) {
      return static_cast<State>(state);
    }
    pause_processor();
  }
  uint32_t state = kAwake;
  if (!state_.compare_exchange_strong(state, kAsleep, std::memory_order_acq_rel)) {
    return static_cast<State>(state);
  }
  return sleep();
}

Worker::State Worker::sleep() {
  for (;;) {
    const timespec idle{terms().idle_seconds, 0};
    const bool is_idle =
        futex(state_, FUTEX_WAIT, kAsleep, &idle) != 0 && errno == ETIMEDOUT && !is_exiting();
    uint32_t state = state_.load(std::memory_order_acquire);
    if (state == kAsleep && is_idle &&
        state_.compare_exchange_strong(state, kGone, std::memory_order_acq_rel)) {
      return kGone;
    }
    if (state != kAsleep) {
      return static_cast<State>(state);
    }
  }
}

void note_change() {
  ++t_changes;
  if (t_worker != nullptr) {
    t_worker->is_changed_ = true;
  }
}

void forget_worker() { t_worker = nullptr; }

}  // namespace nestbind::workers
