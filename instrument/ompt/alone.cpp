// SPDX-License-Identifier: BSD-3-Clause
// The data words of a region and of a member's implicit task point to the region's team. At the end
// of a worker's task the region may be gone. Then the region's word is null and the size is 0.
// LLVM's runtime may give parallel_end a wrong word. So a region ends with the encountering
// thread's implicit task.
#include "instrument/ompt/ompt_runtimes.hpp"
#include "instrument/ompt/tool_parts.hpp"
#include "placement/placed_forks.hpp"
#include "placement/region_rules.hpp"
#include "sizes/fork_sizes.hpp"
#include "support/errno_kept.hpp"
#include "team/fork.hpp"

namespace nestbind::ompt {

namespace {

// The short way of a repeated fork comes first. If the other functions were inlined, the callbacks
// would save registers.

template <int R>
[[gnu::noinline]] void begin_fork(const Frame* frame, Data* region, unsigned size, int flags,
                                  const void* code) noexcept {
  const support::ErrnoKept errno_kept;
  const omp::Calls& calls = g_runtimes[R].calls;
  if (is_league(frame, flags, code)) {
    team::league_begin(calls);
    return;
  }
  region->ptr = team::is_followed() ? team::fork_begin(calls, code, size) : nullptr;
}

template <int R>
void on_parallel_begin(Data*, const Frame* frame, Data* region, unsigned size, int flags,
                       const void* code) noexcept {
  if (code != nullptr && (flags & kParallelLeague) == 0 && size > 0) {
    if (team::Team* const team = placement::fork_again(g_runtimes[R].calls, size)) {
      region->ptr = team;
      return;
    }
  }
  begin_fork<R>(frame, region, size, flags, code);
}

[[gnu::noinline]] void on_initial_task(const omp::Calls& calls, int endpoint, int number) {
  const support::ErrnoKept errno_kept;
  initial_task(calls, endpoint, number);
}

[[gnu::noinline]] void on_begin(const omp::Calls& calls, team::Team* team, int number, int size) {
  const support::ErrnoKept errno_kept;
  begin_member(calls, team, number, size);
}

// After regions of one thread inside of each other, LLVM's runtime names the task of an outer
// region in a program of GCC's. But a thread always leaves its innermost region. The outer region's
// task keeps its word, because the task will be named again.
[[gnu::noinline]] void on_end(team::Team* team, Data* task, int number) {
  const support::ErrnoKept errno_kept;
  const team::Member* const here = team::t_here.member;
  team::Team* const innermost = here == nullptr ? nullptr : here->team;
  if (number == 0 && innermost != nullptr && innermost->size == 1 && here->told != team &&
      innermost->kind == team::Team::Kind::kTeam && innermost->runtime == team->runtime) {
    task->ptr = team;
    team = here->told;
  }
  team::member_end(team, number);
}

template <int R>
void on_implicit_task(int endpoint, Data* region, Data* task, unsigned size, unsigned number,
                      int flags) noexcept {
  const omp::Calls& calls = g_runtimes[R].calls;
  const auto member = static_cast<int>(number);
  if ((flags & kTaskInitial) != 0) {
    on_initial_task(calls, endpoint, member);
  } else if (endpoint == kScopeBegin) {
    // Ignores members of a region that was forked before the callbacks were registered.
    auto* const team = static_cast<team::Team*>(region != nullptr ? region->ptr : nullptr);
    task->ptr = team;
    if (team == nullptr || !placement::begin_again(*team, member, static_cast<int>(size))) {
      on_begin(calls, team, member, static_cast<int>(size));
    }
  } else if (auto* const team = static_cast<team::Team*>(task->ptr)) {
    task->ptr = nullptr;
    if (!placement::end_again(*team, member)) {
      on_end(team, task, member);
    }
  }
}

void on_parallel_end(Data*, Data*, int, const void*) noexcept { placement::region_is_over(); }

// The runtime also calls on_parallel_end for the region that is about to begin.
void hear_of_ends(const omp::Calls& runtime) {
  static constinit std::atomic<bool> s_hears[kMaxRuntimes] = {};
  for (int r = 0; r < kMaxRuntimes; ++r) {
    if (&g_runtimes[r].calls == &runtime && !s_hears[r].exchange(true)) {
      warn_if_refused(kParallelEnd, g_runtimes[r].set_callback(
                                        kParallelEnd, reinterpret_cast<Function>(on_parallel_end)));
    }
  }
}

constexpr auto kOnParallelBegin =
    make_table([](auto r) -> ParallelBegin { return on_parallel_begin<r>; });
constexpr auto kOnImplicitTask =
    make_table([](auto r) -> ImplicitTask { return on_implicit_task<r>; });

}  // namespace

void register_alone(int runtime) {
  const SetCallback set = g_runtimes[runtime].set_callback;
  warn_if_refused(kImplicitTask,
                  set(kImplicitTask, reinterpret_cast<Function>(kOnImplicitTask[runtime])));
  if (placement::has_region_rules()) {
    placement::g_when_size_is_set.store(hear_of_ends);
  }
  warn_if_refused(kParallelBegin,
                  set(kParallelBegin, reinterpret_cast<Function>(kOnParallelBegin[runtime])));
}

}  // namespace nestbind::ompt
