// SPDX-License-Identifier: BSD-3-Clause
// Two threads load the planner at the same time.
#include <dlfcn.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <string_view>
#include <thread>

#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "owner/rank_part.hpp"
#include "places/plans.hpp"

using namespace nestbind;
using namespace nestbind::placement;

namespace {

thread_local bool t_fails = false;
std::atomic<bool> g_is_waiting{false};
std::atomic<bool> g_is_loaded{false};

void wait_for(const std::atomic<bool>& what) {
  while (!what) {
    std::this_thread::yield();
  }
}

}  // namespace

// One thread's call fails after another thread has loaded the planner.
extern "C" void* dlopen(const char* name, int flags) noexcept {
  static auto* const next = reinterpret_cast<decltype(&::dlopen)>(dlsym(RTLD_NEXT, "dlopen"));
  if (t_fails && name != nullptr && std::string_view(name).ends_with(kPlannerFile)) {
    g_is_waiting = true;
    wait_for(g_is_loaded);
    return nullptr;
  }
  return next(name, flags);
}

TEST_CASE("a thread that cannot load the planner does not stop other threads' loading") {
  fresh::process(
      {{"OMP_NESTING_TEAM_SIZE", "2,scatter"}, {"NESTBIND_MACHINE", fresh::machine("barcelona")}},
      [] {
        PlanInForce* const plan = plan_in_force();
        std::thread unlucky([plan] {
          t_fails = true;
          make_plan(plan);
        });
        wait_for(g_is_waiting);
        CHECK(make_plan(plan) == NESTBIND_OK);
        g_is_loaded = true;
        unlucky.join();
        CHECK(fake::rows(1) == "0 8");
      });
}
