// SPDX-License-Identifier: BSD-3-Clause
#include "workers/idle.hpp"

#include <errno.h>
#include <linux/futex.h>
#include <time.h>
#include <unistd.h>

#include "support/clock.hpp"
#include "support/system_call.hpp"
#include "workers/census.hpp"

namespace nestbind::workers {

alignas(64) constinit std::atomic<unsigned> g_mask_changes{0};

namespace {

constinit thread_local bool t_leaves __attribute__((tls_model("initial-exec"))) = false;
constinit std::atomic<unsigned> g_departures{0};

long futex(std::atomic<uint32_t>& word, int operation, uint32_t value, const timespec* timeout) {
  return support::kernel_answer(SYS_futex, support::as_word(&word), operation | FUTEX_PRIVATE_FLAG,
                                value, support::as_word(timeout), 0, 0);
}

void pause_processor() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

constexpr uint64_t bit_of(int signal) { return 1UL << (signal - 1); }

// All signals except 32 and 33, which the C library uses to cancel threads and change user ids.
constexpr uint64_t kAll = ~(bit_of(32) | bit_of(33));
// A fault in the thread's own code sends these signals. A handler may repair the fault, so leave()
// does not block them.
constexpr uint64_t kOwn = bit_of(SIGSEGV) | bit_of(SIGBUS) | bit_of(SIGFPE) | bit_of(SIGILL) |
                          bit_of(SIGTRAP) | bit_of(SIGSYS);

void set_mask(uint64_t mask, uint64_t* before) {
  support::kernel_answer(SYS_rt_sigprocmask, SIG_SETMASK, support::as_word(&mask),
                         support::as_word(before), sizeof mask, 0, 0);
}

}  // namespace

void wake(std::atomic<uint32_t>& word) { futex(word, FUTEX_WAKE, 1, nullptr); }

void Idle::begin() {
  left_at_.store(0, std::memory_order_relaxed);
  blocks_ = false;
  thread_.store(gettid(), std::memory_order_release);
}

uint32_t Idle::wait(std::atomic<uint32_t>& word, uint32_t calls, unsigned changes) {
  // Either this worker sees that a mask changes, or the changing thread sees that the worker waits.
  phase_.exchange(calls);
  bool is_over = false;
  uint32_t now = spin(word, calls, changes, is_over);
  if (now == (calls | kAwake)) {
    now = sleep(word, calls, is_over ? 0 : terms().idle_seconds);
  }
  if (calls_of(now) == calls) {
    block_signals();
  } else if (blocks_) {
    give_signals_back();
  }
  return now;
}

// Stops if some thread has no processor of its own, or the worker was idle too long.
uint32_t Idle::spin(const std::atomic<uint32_t>& word, uint32_t calls, unsigned changes,
                    bool& is_over) {
  const uint32_t same = calls | kAwake;
  unsigned looks = terms().patience;
  looks = looks > 0 && threads_fit() ? looks : 0;
  long begun = 0;
  uint32_t now = word.load(std::memory_order_acquire);
  for (; now == same && looks > 0; now = word.load(std::memory_order_acquire)) {
    if (g_mask_changes.load() != changes) {
      block_signals();
    }
    pause_processor();
    if (--looks == 0 && terms().spins_on && threads_fit()) {
      block_signals();
      const long time = support::milliseconds_now();
      begun = begun == 0 ? time : begun;
      is_over = time - begun >= 1000L * terms().idle_seconds;
      looks = is_over ? 0 : terms().patience;
    }
  }
  return now;
}

uint32_t Idle::sleep(std::atomic<uint32_t>& word, uint32_t calls, long seconds) {
  block_signals();
  const uint32_t asleep = calls | kAsleep;
  uint32_t now = calls | kAwake;
  if (!word.compare_exchange_strong(now, asleep, std::memory_order_acq_rel)) {
    return now;
  }
  for (timespec idle{seconds, 0};; idle.tv_sec = terms().idle_seconds) {
    const bool is_over = futex(word, FUTEX_WAIT, asleep, &idle) == -ETIMEDOUT && !is_exiting();
    now = word.load(std::memory_order_acquire);
    if (now == asleep && is_over && word.compare_exchange_strong(now, calls | kEnding)) {
      return calls | kEnding;
    }
    if (now != asleep) {
      return now;
    }
  }
}

void Idle::block_signals() {
  if (!blocks_) {
    set_mask(kAll, &mask_);
    blocks_ = true;
    phase_.fetch_or(kQuiet);
  }
}

void Idle::give_signals_back() {
  set_mask(mask_, nullptr);
  blocks_ = false;
}

void Idle::leave() {
  t_leaves = true;
  set_mask(kAll & ~(kOwn & ~mask_), nullptr);
  left_at_.store(support::milliseconds_now(), std::memory_order_relaxed);
}

// Calls the kernel directly, so that no destructors run and no memory is freed.
void Idle::stay() {
  phase_.fetch_or(kStays);
  for (;;) {
    support::kernel_answer(SYS_exit, 0, 0, 0, 0, 0, 0);
  }
}

bool Idle::has_thread() {
  int thread = thread_.load(std::memory_order_acquire);
  if (thread == 0) {
    return false;
  }
  if (support::kernel_answer(SYS_tgkill, getpid(), thread, 0, 0, 0, 0) != -ESRCH) {
    return true;
  }
  if (thread_.compare_exchange_strong(thread, 0)) {
    g_departures.fetch_add(1);
  }
  return false;
}

void Idle::forget() {
  thread_.store(0, std::memory_order_relaxed);
  left_at_.store(0, std::memory_order_relaxed);
  phase_.store(kQuiet, std::memory_order_relaxed);
  t_leaves = false;
}

bool self_leaves() { return t_leaves; }
unsigned departures() { return g_departures.load(); }

}  // namespace nestbind::workers
