// SPDX-License-Identifier: BSD-3-Clause
#include "memory/module/sampler.hpp"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <new>
#include <string_view>

#include "memory/kernel/self.hpp"
#include "support/own_memory.hpp"
#include "support/system_call.hpp"

namespace nestbind::memory {

namespace {

constexpr int kNone = 0;
constexpr int kWaiting = 1;
constexpr int kRunning = 2;
constexpr int kToEnd = 3;
constexpr int kEnded = 4;

// Seconds. The first ones are short: what a program sets up at its beginning are many faults.
constexpr double kFewestBetweenDrains = 0.01;
constexpr double kMostBetweenDrains = 0.25;
constexpr unsigned kFull = 50;   // per cent of a ring: more often from there on
constexpr unsigned kEmpty = 15;  // seldomer below

constexpr double kPatience = 0.1;  // between looks at a word that wakes
constexpr double kBetweenLooks = 0.2;
constexpr double kBetweenQuietLooks = 1;
constexpr double kPauses = 100;
constexpr double kBetweenCounts = 0.5;  // of threads

double clock_now(clockid_t clock) {
  timespec now{};
  support::system_call(SYS_clock_gettime, clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Until the word is no more what it is, or so long.
void wait_while(const std::atomic<int>& word, int value, double seconds) {
  const auto whole = static_cast<time_t>(seconds);
  const timespec time{whole, static_cast<long>((seconds - static_cast<double>(whole)) * 1e9)};
  support::system_call(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, &time, nullptr, 0);
}

void wake(const std::atomic<int>& word) {
  support::system_call(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

// Whether the initial thread has ended by pthread_exit, and all others have ended, too: the process
// ends with its last thread then, which this one would be.
bool is_last_thread() {
  constexpr int kThreads = 18;  // which field behind the name is their number (proc(5))
  char text[512];
  const std::size_t length = kernel::read_beginning("/proc/self/stat", text);
  const std::string_view all(text, length);
  std::size_t at = all.rfind(')');
  if (at == std::string_view::npos || at + 2 >= length || all[at + 2] != 'Z') {
    return false;
  }
  for (int field = 0; field < kThreads && at != std::string_view::npos; ++field) {
    at = all.find(' ', at + 1);
  }
  return at != std::string_view::npos && all.substr(at + 1).starts_with("2 ");
}

}  // namespace

void Sampler::loop() {
  double last_look = 0;
  double last_count = clock_now(CLOCK_MONOTONIC);
  double pause = kBetweenLooks;
  double between_drains = kFewestBetweenDrains;
  const double end = clock_now(CLOCK_MONOTONIC) + most_seconds_;
  while (state_.load(std::memory_order_acquire) == kRunning) {
    gathering_.drain();
    between_drains = gathering_.fullest() >= kFull   ? between_drains / 2
                     : gathering_.fullest() < kEmpty ? between_drains * 1.5
                                                     : between_drains;
    between_drains = std::clamp(between_drains, kFewestBetweenDrains, kMostBetweenDrains);
    const double now = clock_now(CLOCK_MONOTONIC);
    if (most_seconds_ > 0 && now >= end) {
      gathering_.look();
      gathering_.drain();  // so that the homes that were found now are settled
      gathering_.end();
      has_finished_ = true;
      return;
    }
    const bool is_wanted = gathering_.has_news() || now - last_look >= kBetweenQuietLooks;
    if (is_wanted && now - last_look >= pause) {
      const double begin = clock_now(CLOCK_THREAD_CPUTIME_ID);
      gathering_.look();
      pause = std::max(kBetweenLooks, kPauses * (clock_now(CLOCK_THREAD_CPUTIME_ID) - begin));
      last_look = now;
    }
    if (applying_ != nullptr) {
      applying_->step(now);
    }
    on_demand_.look(now);
    if (now - last_count >= kBetweenCounts) {
      last_count = now;
      if (is_last_thread()) {
        return;
      }
    }
    wait_while(state_, kRunning, between_drains);
  }
}

void* Sampler::run(void* self) {
  Sampler& sampler = *static_cast<Sampler*>(self);
  prctl(PR_SET_NAME, "nestbind-memory");
  const sched_param priority{};
  support::system_call(SYS_sched_setscheduler, 0, SCHED_BATCH, &priority);
  while (sampler.state_.load(std::memory_order_acquire) == kWaiting) {
    wait_while(sampler.state_, kWaiting, kPatience);
  }
  const support::OwnMemory own_memory;
  try {
    sampler.loop();
  } catch (const std::bad_alloc&) {
    sampler.gathering_.end();  // what was gathered so far is told
  }
  sampler.seconds_ = seconds_so_far();
  sampler.state_.store(kEnded, std::memory_order_release);
  wake(sampler.state_);
  return nullptr;
}

double Sampler::seconds_so_far() { return clock_now(CLOCK_THREAD_CPUTIME_ID); }

int Sampler::start() {
  pthread_attr_t attributes;
  if (const int fault = pthread_attr_init(&attributes); fault != 0) {
    return fault;
  }
  constexpr std::size_t kStack = std::size_t{256} << 10;
  pthread_attr_setstacksize(&attributes, kStack);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  state_.store(kWaiting, std::memory_order_relaxed);
  pthread_t thread;
  const int fault = pthread_create(&thread, &attributes, run, this);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (fault != 0) {
    state_.store(kNone, std::memory_order_relaxed);
  }
  return fault;
}

void Sampler::go() {
  state_.store(kRunning, std::memory_order_release);
  wake(state_);
}

bool Sampler::stop() {
  constexpr double kMostPatience = 10;  // seconds: on a machine that has much else to do
  int state = kRunning;
  if (state_.compare_exchange_strong(state, kToEnd)) {
    wake(state_);
    state = kToEnd;
  }
  const double end = clock_now(CLOCK_MONOTONIC) + kMostPatience;
  while (state == kToEnd && clock_now(CLOCK_MONOTONIC) < end) {
    wait_while(state_, kToEnd, kPatience);
    state = state_.load(std::memory_order_acquire);
  }
  return state == kNone || state == kEnded;
}

}  // namespace nestbind::memory
