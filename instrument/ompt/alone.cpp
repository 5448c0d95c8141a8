// SPDX-License-Identifier: BSD-3-Clause
// The callbacks of a runtime whose only tool is this one. The region's word has the place of the
// forking thread, or null; the word of a member's implicit task has it too, because at its end the
// region may be gone: its word is null then, and the size 0, on all but the encountering thread.
#include "instrument/ompt/alone.hpp"

#include "instrument/ompt/league.hpp"
#include "instrument/ompt/runtimes.hpp"
#include "placement/fork.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::ompt {

namespace {

using placement::Place;

// In the word of a member whose parent has no place. A null word is that of a member whose
// beginning was not seen, since the callbacks were registered inside the region.
char g_no_place;

void* word_of(const Place* place) {
  return place != nullptr ? const_cast<Place*>(place) : static_cast<void*>(&g_no_place);
}

const Place* place_in(const Data& word) {
  return word.ptr != &g_no_place ? static_cast<const Place*>(word.ptr) : nullptr;
}

template <int R>
void on_parallel_begin(Data*, const Frame* frame, Data* region, unsigned, int flags,
                       const void* code) noexcept {
  const support::ErrnoKept errno_kept;
  if (is_league(frame, flags, code)) {
    placement::league_begin(g_runtimes[R].calls);
    return;
  }
  region->ptr = word_of(placement::fork_begin(g_runtimes[R].calls, code));
}

template <int R>
void on_implicit_task(int endpoint, Data* region, Data* task, unsigned size, unsigned number,
                      int flags) noexcept {
  if ((flags & kTaskInitial) != 0) {
    return;
  }
  const support::ErrnoKept errno_kept;
  if (endpoint == kScopeBegin) {
    // A region that was forked before the callbacks were registered is left as it is.
    if (region != nullptr && region->ptr != nullptr) {
      task->ptr = region->ptr;
      placement::member_begin(place_in(*region), static_cast<int>(number), static_cast<int>(size),
                              g_runtimes[R].calls);
    }
  } else if (task->ptr != nullptr) {
    const Place* parent = place_in(*task);
    task->ptr = nullptr;
    placement::member_end(parent, static_cast<int>(number));
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
