// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/start.hpp"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "options/table.hpp"
#include "runtime/children.hpp"
#include "runtime/fork.hpp"
#include "runtime/keeping.hpp"
#include "runtime/load_planner.hpp"
#include "runtime/masks.hpp"
#include "runtime/message.hpp"
#include "runtime/plans.hpp"

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

// Reads the variables, at the first call, and says what is wrong. Returns whether all are good.
bool read_options() {
  const options::Faults faults = options::read();
  tell_warnings(!options::settings().quiet);
  for (int i = 0; i < faults.count; ++i) {
    const options::Rule& rule = *faults.list[i].rule;
    say(Severity::kError, "%s=%.200s: expected %s; it is ignored", rule.name, faults.list[i].value,
        options::expected(rule).text);
  }
  return faults.count == 0;
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
  if (options::specification_is_set()) {
    const bool good = read_options();
    plan = environment_plan(options::settings().text);
    if (options::settings().strict && (plan == nullptr || !good)) {
      refuse();
    }
  }
  if (plan == nullptr) {
    g_armed.store(false, std::memory_order_relaxed);
    return;
  }
  put_in_force(plan);
  arm();
  if (options::settings().strict && make_plan(plan) != NESTBIND_OK) {
    refuse();
  }
  // With OMP_PROC_BIND and the like, libgomp has bound this thread before the first region.
  if (options::settings().competing != nullptr && options::settings().machine == nullptr) {
    set_kernel_mask(process_mask());
  }
}

namespace {

void arm_once() {
  read_options();
  find_planner();
  if (options::settings().machine != nullptr) {
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
