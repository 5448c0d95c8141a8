// SPDX-License-Identifier: BSD-3-Clause
#include "process/undisturbed.hpp"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <catch2/catch.hpp>

#include "helpers/fresh_process.hpp"

using namespace nestbind::process;

namespace {

int g_handled = 0;
int g_passed = 0;

void handle(int) { ++g_handled; }

void pass_points_of_cancellation() {
  const timespec none{};
  nanosleep(&none, nullptr);
  pthread_testcancel();
  ++g_passed;
}

void* end_behind(void*) {
  pthread_cancel(pthread_self());
  {
    const Uncancelled outer;
    {
      const Undisturbed inner;
      pass_points_of_cancellation();
    }
    pass_points_of_cancellation();
  }
  pthread_testcancel();
  ++g_passed;
  return nullptr;
}

void* end_at_once_behind(void*) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  {
    const Uncancelled uncancelled;
    pthread_cancel(pthread_self());
    pass_points_of_cancellation();
  }
  ++g_passed;
  return nullptr;
}

void* result_of(void* (*function)(void*)) {
  pthread_t thread{};
  void* result = nullptr;
  REQUIRE(pthread_create(&thread, nullptr, function, nullptr) == 0);
  REQUIRE(pthread_join(thread, &result) == 0);
  return result;
}

bool is_blocked(int signal) {
  sigset_t now;
  sigprocmask(SIG_BLOCK, nullptr, &now);
  return sigismember(&now, signal) == 1;
}

}  // namespace

TEST_CASE("a thread is cancelled after the protected section") {
  g_passed = 0;
  CHECK(result_of(end_behind) == PTHREAD_CANCELED);
  CHECK(g_passed == 2);
}

TEST_CASE("a thread with asynchronous cancellation is cancelled after the section, too") {
  g_passed = 0;
  CHECK(result_of(end_at_once_behind) == PTHREAD_CANCELED);
  CHECK(g_passed == 1);
}

TEST_CASE("a thread with cancellation turned off keeps it off") {
  int before = 0;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  {
    const Uncancelled uncancelled;
  }
  int kept = 0;
  pthread_setcancelstate(before, &kept);
  CHECK(kept == PTHREAD_CANCEL_DISABLE);
}

TEST_CASE("signals of faults arrive at once and other signals wait until the end") {
  fresh::process({}, [] {
    signal(SIGUSR1, handle);
    signal(SIGSEGV, handle);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR2);
    sigprocmask(SIG_BLOCK, &one, nullptr);
    {
      const Undisturbed undisturbed;
      raise(SIGUSR1);
      CHECK(g_handled == 0);
      raise(SIGSEGV);
      CHECK(g_handled == 1);
    }
    CHECK(g_handled == 2);
    CHECK_FALSE(is_blocked(SIGUSR1));
    CHECK(is_blocked(SIGUSR2));
  });
}
