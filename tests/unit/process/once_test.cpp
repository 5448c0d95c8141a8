// SPDX-License-Identifier: BSD-3-Clause
#include "process/once.hpp"

#include <errno.h>
#include <sched.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

using nestbind::process::Once;

TEST_CASE("the work is done once") {
  Once once;
  int count = 0;
  once.run([&] { ++count; });
  once.run([&] { ++count; });
  CHECK(count == 1);
}

TEST_CASE("a second thread waits until the first thread has done the work") {
  for (int round = 0; round < 100; ++round) {
    Once once;
    std::atomic<int> coming{0};
    std::atomic<int> done{0};
    std::atomic<int> early{0};
    const auto run = [&] {
      ++coming;
      once.run([&] {
        while (coming.load() < 3) {
          sched_yield();
        }
        for (int i = 0; i < 20; ++i) {
          sched_yield();  // so that threads that do not wait can run
        }
        ++done;
      });
      early += done.load() == 1 ? 0 : 1;
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back(run);
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    REQUIRE(done.load() == 1);
    REQUIRE(early.load() == 0);
  }
}

TEST_CASE("a thread that calls again during the work goes on") {
  Once once;
  int count = 0;
  once.run([&] {
    ++count;
    once.run([&] { ++count; });
    CHECK(count == 1);
  });
  once.run([&] { ++count; });
  CHECK(count == 1);
}

TEST_CASE("errno does not change") {
  Once once;
  errno = ELOOP;
  once.run([] { errno = EBADF; });
  CHECK(errno == ELOOP);
}

TEST_CASE("a child process that the work itself forks does not repeat the work") {
  Once once;
  pid_t child = -1;
  once.run([&] { child = fork(); });
  if (child == 0) {
    bool again = false;
    once.run([&] { again = true; });
    _exit(again ? 1 : 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("a child process repeats work that another thread of its parent had begun") {
  Once once;
  std::atomic<bool> begun{false};
  std::atomic<bool> may_end{false};
  std::thread doer([&] {
    once.run([&] {
      begun = true;
      while (!may_end.load()) {
        sched_yield();
      }
    });
  });
  while (!begun.load()) {
    sched_yield();
  }
  const pid_t child = fork();
  if (child == 0) {
    bool again = false;
    once.run([&] { again = true; });
    _exit(again ? 0 : 1);
  }
  may_end = true;
  doer.join();
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}
