// SPDX-License-Identifier: BSD-3-Clause
// Tests a signal handler of the thread that has the lock of plans.
#include "places/plans_lock.hpp"

#include <sys/wait.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "placement/placement_start.hpp"
#include "places/plans.hpp"

using namespace nestbind;
using namespace nestbind::placement;

namespace {

const fresh::Variables kLocked = {{"OMP_NESTING_TEAM_SIZE", "2,scatter,2,subscatter"},
                                  {"NESTBIND_QUIET", "1"}};

bool is_free() {
  bool result = false;
  std::thread([&] {
    const PlansLocked locked;
    result = static_cast<bool>(locked);
  }).join();
  return result;
}

int status_of(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a thread that has the lock does not wait and gets no second lock") {
  fresh::process({}, [] {
    {
      const PlansLocked outer;
      CHECK(outer);
      const PlansLocked inner;
      CHECK_FALSE(inner);
    }
    CHECK(is_free());
  });
}

TEST_CASE("the forking thread gets the lock because a fork changes no plan") {
  fresh::process({}, [] {
    lock_for_fork();
    {
      const PlansLocked inner;
      CHECK(inner);
    }
    lock_for_fork();
    unlock_behind_fork();
    unlock_behind_fork();
    CHECK(is_free());
  });
}

TEST_CASE("parent and child go on if the thread that has the lock forks") {
  fresh::process(kLocked, [] {
    pid_t child = -1;
    {
      const PlansLocked locked;
      child = fork();
      const PlansLocked inner;
      CHECK_FALSE(inner);
      if (child == 0) {
        fake::rows(1);  // the team is not placed, but runs
      }
    }
    if (child == 0) {
      _exit(is_free() && fake::rows(1).size() > 0 ? 0 : 1);
    }
    CHECK(status_of(child) == 0);
    CHECK(is_free());
  });
}

TEST_CASE("a plan that could not be made under the lock is made later") {
  fresh::process(kLocked, [] {
    PlanInForce* plan = plan_in_force();
    {
      const PlansLocked locked;
      CHECK(make_plan(plan) == NESTBIND_NOT_PLACED);
      CHECK(plan_of({}, nullptr, 0) == nullptr);
    }
    CHECK(make_plan(plan) == NESTBIND_OK);
  });
}

TEST_CASE("a child process goes on without a lock that another thread had") {
  fresh::process(kLocked, [] {
    std::atomic<bool> is_held{false};
    std::atomic<bool> may_end{false};
    std::thread holder([&] {
      const PlansLocked locked;
      is_held = true;
      while (!may_end) {
        std::this_thread::yield();
      }
    });
    while (!is_held) {
      std::this_thread::yield();
    }
    const pid_t child = _Fork();
    if (child == 0) {
      free_child();
      fake::rows(1);
      _exit(plan_of({}, nullptr, 0) == nullptr ? 0 : 1);
    }
    may_end = true;
    holder.join();
    CHECK(status_of(child) == 0);
  });
}
