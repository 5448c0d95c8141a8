// SPDX-License-Identifier: BSD-3-Clause
// Reports forks by POMP if neither GOMP nor OMPT reports them.
#include <dlfcn.h>
#include <pthread.h>

#include "instrument/pomp/hooks.hpp"
#include "interpose/module.hpp"
#include "omp/runtime_affinity.hpp"
#include "omp/runtimes.hpp"
#include "omp/sources.hpp"
#include "placement/placement_start.hpp"
#include "process/armed.hpp"
#include "process/message.hpp"
#include "process/once.hpp"
#include "sizes/told_sizes.hpp"
#include "support/errno_kept.hpp"
#include "team/fork.hpp"

namespace nestbind::pomp {

namespace {

enum class Role { kOpen, kActs, kStandsBack };

constinit std::atomic<Role> g_role{Role::kOpen};
constinit std::atomic<int (*)()> g_get_thread_num{nullptr};
constinit std::atomic<const omp::Calls*> g_calls{nullptr};
constinit omp::Calls g_found{};
// True if omp_set_num_threads cannot be hooked, because the runtime is static. Then we notice a
// call only by the changed size.
constinit std::atomic<bool> g_sizes_unseen{false};
constinit int g_first_size = 0;
constinit pthread_t g_initial_thread{};
constinit process::Once g_once;
constinit std::atomic<bool> g_has_started{false};

void find_calls() {
  int (*known)() = g_get_thread_num.load(std::memory_order_acquire);
  const void* address = known != nullptr ? reinterpret_cast<const void*>(known)
                                         : dlsym(RTLD_DEFAULT, "omp_get_thread_num");
  const auto range = interpose::module_range(reinterpret_cast<uintptr_t>(address));
  void* module = address == nullptr ? nullptr : interpose::open_module(address);
  // dlsym() may find functions outside of the module, for example ours.
  const char* missing = nullptr;
  const auto address_of = [&](const char* name) -> void* {
    void* found = dlsym(module, name);
    if (found != nullptr && range.has(reinterpret_cast<uintptr_t>(found))) {
      return found;
    }
    missing = name;
    return nullptr;
  };
  if (module != nullptr && omp::find_calls(g_found, address_of)) {
    const void* first = dlsym(RTLD_DEFAULT, "omp_set_num_threads");
    g_sizes_unseen.store(first == reinterpret_cast<const void*>(g_found.set_num_threads));
    g_calls.store(&g_found, std::memory_order_release);
  } else {
    if (missing != nullptr) {
      process::say(process::Severity::kWarning,
                   "the OpenMP runtime of the instrumented program does not export %s, so its "
                   "teams cannot be bound: link it with nestbind-instrument, or with -Wl,-u,%s",
                   missing, missing);
    }
    omp::who_acts(omp::Source::kPomp, {.is_reachable = false});
    g_role.store(Role::kStandsBack, std::memory_order_relaxed);
  }
}

const omp::Calls* calls() {
  const omp::Calls* known = g_calls.load(std::memory_order_acquire);
  if (known == nullptr) {
    g_once.run(find_calls);
    known = g_calls.load(std::memory_order_acquire);
  }
  return known;
}

void begin() {
  g_has_started.store(true, std::memory_order_relaxed);
  if (const omp::Calls* runtime = calls()) {
    g_initial_thread = pthread_self();
    g_first_size = g_sizes_unseen.load() ? runtime->get_max_threads() : 0;
    placement::start();
    placement::runtime_started(omp::known(*runtime));
  }
}

bool may_act() {
  return process::armed() && g_role.load(std::memory_order_relaxed) != Role::kStandsBack;
}

// The first call decides if POMP acts. Another source reports a region before a member of the
// region can call this function.
bool acts(const omp::Calls& runtime) {
  Role role = g_role.load(std::memory_order_relaxed);
  if (role == Role::kOpen) {
    const auto verdict =
        omp::who_acts(omp::Source::kPomp, {.is_told = team::told_by_other(runtime)});
    const Role mine = verdict.acts ? Role::kActs : Role::kStandsBack;
    role = g_role.compare_exchange_strong(role, mine) ? mine : role;
    if (verdict.acts && omp::displays_affinity(true)) {  // nothing can stop these lines
      omp::tell_false_lines();
    }
  }
  return role == Role::kActs;
}

team::Team* fork_of(const omp::Calls& runtime) {
  if (g_sizes_unseen.load(std::memory_order_relaxed) && g_first_size > 0 &&
      runtime.get_level() == 0 && pthread_equal(pthread_self(), g_initial_thread) == 0 &&
      runtime.get_max_threads() != g_first_size) {
    placement::program_chose_size();
  }
  team::end_untold(runtime);
  return team::fork_begin(omp::known(runtime), nullptr, 0);
}

team::Team* team_of(int64_t word, const omp::Calls& runtime) {
  if (word == kNoWord) {
    return team::team_by_path(runtime);
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the tool carries an integer
  return reinterpret_cast<team::Team*>(word);
}

void begin_member(int64_t word, const omp::Calls& runtime) {
  if (team::Team* team = team_of(word, runtime)) {
    team::member_begin(team, runtime.get_thread_num(), runtime.get_num_threads());
  }
}

void end_member(int64_t word, const omp::Calls& runtime, int number) {
  team::Team* const team = word == kNoWord ? team::own_team() : team_of(word, runtime);
  if (team != nullptr) {
    team::member_end(team, number);
  }
}

// After our constructor the program's own sizes win.
__attribute__((constructor)) void start_with_the_library() {
  g_has_started.store(true, std::memory_order_relaxed);
}

}  // namespace

}  // namespace nestbind::pomp

using namespace nestbind;
using namespace nestbind::pomp;

#define NESTBIND_HOOK extern "C" __attribute__((visibility("default")))

NESTBIND_HOOK void nestbind_pomp_runtime(int (*omp_get_thread_num)(void)) {
  int (*none)() = nullptr;
  g_get_thread_num.compare_exchange_strong(none, omp_get_thread_num);
}

NESTBIND_HOOK void nestbind_pomp_start(void) {
  const support::ErrnoKept errno_kept;
  begin();
}

// Also acts beside other sources. The generated code passes the size as a num_threads clause.
NESTBIND_HOOK void nestbind_pomp_sizes(void) {
  if (!process::armed()) {
    return;
  }
  const support::ErrnoKept errno_kept;
  if (const omp::Calls* runtime = calls()) {
    fork_of(*runtime);
  }
}

NESTBIND_HOOK int64_t nestbind_pomp_fork(void) {
  if (!g_has_started.load(std::memory_order_relaxed)) {  // in a constructor before ours
    const support::ErrnoKept errno_kept;
    begin();
  }
  if (!may_act()) {
    return kNoWord;
  }
  const support::ErrnoKept errno_kept;
  const omp::Calls* runtime = calls();
  if (runtime == nullptr) {
    return kNoWord;
  }
  return reinterpret_cast<int64_t>(fork_of(*runtime));  // kNoWord: there is no memory
}

NESTBIND_HOOK void nestbind_pomp_begin(int64_t word) {
  if (!may_act()) {
    return;
  }
  const support::ErrnoKept errno_kept;
  const omp::Calls* runtime = calls();
  if (runtime == nullptr || !acts(*runtime)) {
    return;
  }
  begin_member(word, *runtime);
}

NESTBIND_HOOK void nestbind_pomp_end(int64_t word) {
  if (!process::armed() || g_role.load(std::memory_order_relaxed) != Role::kActs) {
    return;
  }
  const support::ErrnoKept errno_kept;
  const omp::Calls& runtime = *calls();
  end_member(word, runtime, runtime.get_thread_num());
}

NESTBIND_HOOK void nestbind_pomp_cancelled(int64_t word) {
  if (word == kNoWord || g_role.load(std::memory_order_relaxed) != Role::kActs) {
    return;
  }
  const support::ErrnoKept errno_kept;
  end_member(word, *calls(), 0);
}
