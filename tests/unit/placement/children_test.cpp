// SPDX-License-Identifier: BSD-3-Clause
// Tests children of fork(), and how nestbind starts in a process.
#include <dlfcn.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>

#include "binding/thread.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "owner/roots.hpp"
#include "places/place.hpp"
#include "process/armed.hpp"
#include "process/original_mask.hpp"

using namespace nestbind;
using binding::t_thread;

namespace {

const fresh::Variables kInChildren = {{"OMP_NESTING_TEAM_SIZE", "2,scatter,2,subscatter"},
                                      {"NESTBIND_QUIET", "1"}};

int in_child(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(work());
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("the child process of a bound thread has the process's mask") {
  fresh::process(kInChildren, [] {
    fake::rows(1);
    const std::string bound = cpus::in_kernel();
    CHECK(in_child([] {
            const bool is_free = cpus::in_kernel() == cpus::text(process::original_mask());
            return is_free && t_thread.bound.bits == nullptr ? 1 : 2;
          }) == 1);
    CHECK(cpus::in_kernel() == bound);
    CHECK(t_thread.bound.bits != nullptr);
  });
}

TEST_CASE("a child process keeps a mask that was set before the fork") {
  fresh::process(kInChildren, [] {
    fake::rows(1);
    const auto all = cpus::list(process::original_mask());
    const auto last = cpus::of({all.back()});
    REQUIRE(cpus::set_in_kernel(last.view()));
    CHECK(in_child([&] { return cpus::in_kernel() == cpus::text(last.view()) ? 1 : 2; }) == 1);
  });
}

TEST_CASE("the owner's child process owns the plan and gets the sizes again") {
  fresh::process(kInChildren, [] {
    fake::rows(1);
    CHECK(in_child([] {
            fake::self(0).next_size = 7;
            const bool is_planned =
                fake::rows(1, {}, [] {
                  return placement::own_place()->plan != nullptr ? "planned" : "apart";
                }) == "planned planned";
            return (placement::owner() != nullptr) && is_planned ? 1 : 2;
          }) == 1);
  });
}

TEST_CASE("the child process of another thread can own the plan") {
  fresh::process(kInChildren, [] {
    fake::rows(1);
    int result = 0;
    fake::on_new_thread([&] {
      result = in_child([] {
        if ((placement::owner() != nullptr)) {
          return 2;
        }
        fake::rows(1);
        return (placement::owner() != nullptr) ? 1 : 3;
      });
    });
    CHECK(result == 1);
  });
}

TEST_CASE("a child process that is forked inside a region stays inside it") {
  fresh::process(kInChildren, [] {
    fake::parallel({}, [](int number) {
      if (number == 0) {
        const auto* const place = placement::own_place();
        const int result = in_child(
            [&] { return placement::own_place() == place && fake::rows(1).size() > 0 ? 1 : 2; });
        CHECK(result == 1);
      }
    });
  });
}

// tests/cli/off_test.py tests the message. This program starts without a runtime, so it prints no
// message.
TEST_CASE("a program with a bad specification runs unbound") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "4,around"}}, [] {
    CHECK_FALSE(process::armed());
    const std::string before = cpus::in_kernel();
    fake::rows(1, {.size = 2});
    CHECK(cpus::in_kernel() == before);
  });
}

TEST_CASE("a strict process stops before main") {
  for (const fresh::Variables& variables :
       {fresh::Variables{{"OMP_NESTING_TEAM_SIZE", "4,around"}, {"NESTBIND_STRICT", "1"}},
        fresh::Variables{{"OMP_NESTING_TEAM_SIZE", "4,scatter"},
                         {"NESTBIND_STRICT", "1"},
                         {"NESTBIND_SMT", "many"}}}) {
    fresh::process(variables, [] { FAIL("main is reached"); },
                   {NESTBIND_STRICT_STATUS, "the program is stopped (NESTBIND_STRICT=1)"});
  }
}

// Like a shell, this process needs no plan.
TEST_CASE("a strict process without a runtime goes on") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "4,scatter"},
                  {"NESTBIND_STRICT", "1"},
                  {"NESTBIND_MACHINE", "nowhere"}},
                 [] { CHECK(dlsym(RTLD_DEFAULT, "omp_get_thread_num") == nullptr); });
}

TEST_CASE("the other variables apply if a variable is bad") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "4,scatter"},
                  {"NESTBIND_MACHINE", fresh::machine("barcelona")},
                  {"NESTBIND_SMT", "many"}},
                 [] { CHECK(fake::rows(1) == "0 4 8 12"); });
}
