// SPDX-License-Identifier: BSD-3-Clause
// The callbacks of a runtime whose only tool is this one. The region's word has the place of the
// forking thread, and the team whose loops are shared (word.hpp); the word of a member's implicit
// task has it too, because at its end the region may be gone: its word is null then, and the size
// 0, on all but the encountering thread. LLVM's runtime may show parallel_end another region's
// word: what has to be done there is done at the end of the encountering thread's implicit task.
#include "instrument/ompt/alone.hpp"

#include "instrument/ompt/league.hpp"
#include "instrument/ompt/runtimes.hpp"
#include "instrument/ompt/shared_loops.hpp"
#include "instrument/ompt/word.hpp"
#include "placement/fork.hpp"
#include "process/armed.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::ompt {

namespace {

template <int R>
void on_parallel_begin(Data*, const Frame* frame, Data* region, unsigned size, int flags,
                       const void* code) noexcept {
  const support::ErrnoKept errno_kept;
  const omp::Calls& calls = g_runtimes[R].calls;
  const bool is_placed = process::armed();
  if (is_league(frame, flags, code)) {
    if (is_placed) {
      placement::league_begin(calls);
    }
    return;
  }
  const placement::Place* place = is_placed ? placement::fork_begin(calls, code, size) : nullptr;
  sharing::Team* team = fork_for_loops(calls, place, size);
  region->ptr = word_of({.place = place, .is_placed = is_placed, .team = team});
}

template <int R>
void on_implicit_task(int endpoint, Data* region, Data* task, unsigned size, unsigned number,
                      int flags) noexcept {
  const support::ErrnoKept errno_kept;
  const auto member = static_cast<int>(number);
  if ((flags & kTaskInitial) != 0) {
    initial_task_for_loops(g_runtimes[R].calls, endpoint, member);
  } else if (endpoint == kScopeBegin) {
    // A region that was forked before the callbacks were registered is left as it is.
    void* const word = region != nullptr ? region->ptr : nullptr;
    const Carried carried = carried_by(word);
    task->ptr = member == 0 ? word : place_word(carried);
    if (carried.is_placed) {
      placement::member_begin(carried.place, member, static_cast<int>(size), g_runtimes[R].calls);
    }
    begin_member_for_loops(g_runtimes[R].calls, carried.team, member, static_cast<int>(size));
  } else {
    const Carried carried = carried_by(task->ptr);
    task->ptr = nullptr;
    if (carried.is_placed) {
      placement::member_end(carried.place, member);
    }
    end_member_for_loops(carried.team, member);
  }
}

constexpr auto kOnParallelBegin =
    make_table([](auto r) -> ParallelBegin { return on_parallel_begin<r>; });
constexpr auto kOnImplicitTask =
    make_table([](auto r) -> ImplicitTask { return on_implicit_task<r>; });

}  // namespace

void register_alone(int runtime) {
  const SetCallback set = g_runtimes[runtime].set_callback;
  set(kImplicitTask, reinterpret_cast<Function>(kOnImplicitTask[runtime]));
  set(kParallelBegin, reinterpret_cast<Function>(kOnParallelBegin[runtime]));
}

}  // namespace nestbind::ompt
