// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/start.hpp"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "runtime/children.hpp"
#include "runtime/fork.hpp"
#include "runtime/keeping.hpp"
#include "runtime/load_planner.hpp"
#include "runtime/masks.hpp"
#include "runtime/message.hpp"
#include "runtime/plans.hpp"
#include "runtime/settings.hpp"

namespace nestbind::runtime {

// True until somebody has looked: a region in another library's constructor comes before ours.
constinit std::atomic<bool> g_armed{true};

namespace {

constexpr int kMaxActions = 8;

constinit std::atomic<bool> g_started{false};
constinit bool g_told = false;  // that something is specified
using Action = void (*)();
constinit Action g_actions[kMaxActions] = {};
constinit int g_action_count = 0;

// Returns the specification of the environment; null with a message where it is none.
Plan* environment_plan(const char* text) {
  spec::Spec spec;
  spec::Fault fault;
  if (!spec::parse(text, spec, fault)) {
    char message[1024];
    spec::describe(text, fault, message, sizeof message);
    say(Severity::kError, "OMP_NESTING_TEAM_SIZE: %s", message);
    return nullptr;
  }
  return plan_of(spec, nullptr, 0);
}

[[noreturn]] void refuse() {
  say(Severity::kError, "the program is stopped (NESTBIND_STRICT=1)");
  _exit(NESTBIND_STRICT_STATUS);
}

}  // namespace

void start() {
  if (g_started.load(std::memory_order_acquire) || g_started.exchange(true)) {
    return;
  }
  learn_process_mask();
  Plan* plan = nullptr;
  if (specification_is_set()) {
    const bool good = read_settings();
    plan = environment_plan(settings().text);
    if (settings().strict && (plan == nullptr || !good)) {
      refuse();
    }
  }
  if (plan == nullptr) {
    g_armed.store(false, std::memory_order_relaxed);
    return;
  }
  put_in_force(plan);
  arm();
  if (settings().strict && make_plan(plan) != NESTBIND_OK) {
    refuse();
  }
  // With OMP_PROC_BIND and the like, libgomp has bound this thread before the first region.
  if (settings().competing != nullptr && settings().machine == nullptr) {
    set_kernel_mask(process_mask());
  }
}

namespace {

void arm_once() {
  read_settings();
  find_planner();
  if (settings().machine != nullptr) {
    record_masks();
  }
  keep_children_free();
  decide_on_workers();
  g_told = true;
  g_armed.store(true, std::memory_order_relaxed);
  for (int i = 0; i < g_action_count; ++i) {
    g_actions[i]();
  }
}

}  // namespace

void arm() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, arm_once);
}

void when_armed(void (*action)()) {
  if (g_action_count < kMaxActions) {
    g_actions[g_action_count++] = action;
  }
  if (g_told) {
    action();
  }
}

namespace {

__attribute__((constructor)) void start_with_the_library() { start(); }

}  // namespace

}  // namespace nestbind::runtime
