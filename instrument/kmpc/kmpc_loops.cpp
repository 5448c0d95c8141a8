// SPDX-License-Identifier: BSD-3-Clause
// The entries by which a thread begins a loop and takes its next iterations.
#include <cstdint>
#include <type_traits>

#include "instrument/kmpc/kmpc_straight.hpp"
#include "interpose/next_function.hpp"
#include "omp/runtimes.hpp"
#include "support/errno_kept.hpp"
#include "worksharing/loop.hpp"
#include "worksharing/shared_team.hpp"
#include "worksharing/unseen_loops.hpp"

namespace nestbind::kmpc {

struct Ident {
  std::int32_t reserved;
  std::int32_t flags;  // the upper eight bits are the OpenMP version: 50 means 5.0
};

namespace {

using worksharing::LoopKind;

enum Schedule : std::int32_t { kDynamicCode = 35, kGuidedCode = 36, kRuntimeCode = 37 };
constexpr std::int32_t kMonotonic = 1 << 29;
constexpr std::int32_t kNonmonotonic = 1 << 30;

template <typename Value>
using Step = std::make_signed_t<Value>;

struct State {
  bool is_over;  // A call of __kmpc_dispatch_deinit may follow for a loop that we shared.
  // The member whose next loop is a doacross loop (its iterations wait for each other). Null if
  // there is no doacross loop, or if the runtime shares all loops of the member. A static doacross
  // loop does not call us at its begin. Regions inside the loop may have loops that we share.
  const worksharing::Member* linked;
};
constinit thread_local State t_state __attribute__((tls_model("initial-exec"))) = {};

bool find_kind(std::int32_t schedule, LoopKind& kind) {
  switch (schedule & ~(kMonotonic | kNonmonotonic)) {
    case kRuntimeCode:
      kind = LoopKind::kRuntime;
      return true;
    case kDynamicCode:
      kind = LoopKind::kDynamic;
      return true;
    case kGuidedCode:
      kind = LoopKind::kGuided;
      return true;
    default:
      return false;
  }
}

bool is_monotonic(const Ident* ident, std::int32_t schedule) {
  if ((schedule & (kMonotonic | kNonmonotonic)) != 0) {
    return (schedule & kNonmonotonic) == 0;
  }
  constexpr unsigned kVersionShift = 24;
  constexpr unsigned kNonmonotonicSince = 50;
  return ident == nullptr ||
         static_cast<std::uint32_t>(ident->flags) >> kVersionShift < kNonmonotonicSince;
}

bool has_started(const omp::Calls& calls) {
  for (int i = 0; const omp::Calls* started = omp::started(i); ++i) {
    if (started->get_num_threads == calls.get_num_threads) {
      return true;
    }
  }
  return false;
}

// Warns if the runtime has started no tool, because then none of its teams is reported.
void warn_of_unknown_team(const omp::Calls& calls) {
  if (!worksharing::is_wanted() || team::t_here.member != nullptr || calls.get_num_threads() < 2 ||
      has_started(calls)) {
    return;
  }
  worksharing::tell_unknown_team();
}

template <typename Value>
struct Begin {
  const Ident* ident;
  std::int32_t thread;
  std::int32_t schedule;
  Value first;
  Value last;
  Step<Value> step;
  Step<Value> chunk;
};

template <typename Value>
bool begins_ours(const Begin<Value>& loop, const void* caller, const omp::Calls& calls) {
  worksharing::LoopBegin begin;
  if (t_state.linked == worksharing::own_member() || loop.step == 0 ||
      !find_kind(loop.schedule, begin.kind)) {
    return false;
  }
  begin.numbers = worksharing::closed(loop.first, loop.last, loop.step);
  const bool is_empty = loop.step > 0 ? loop.first > loop.last : loop.first < loop.last;
  if (begin.numbers.iterations == 0 && !is_empty) {
    return false;  // too many iterations to count
  }
  begin.chunk = loop.chunk > 1 ? static_cast<std::uint64_t>(loop.chunk) : 1;
  begin.is_monotonic = is_monotonic(loop.ident, loop.schedule);
  begin.address = reinterpret_cast<std::uintptr_t>(caller);
  return worksharing::begin(begin, calls);
}

template <typename Value>
[[gnu::noinline]] void begin_apart(int entry, const void* caller, const Begin<Value>& loop) {
  const support::ErrnoKept errno_kept;
  const Runtime* runtime = runtime_of_call(entry, caller);
  if (runtime == nullptr) {
    return;
  }
  const bool is_ours = begins_ours(loop, caller, runtime->calls);
  t_state = {};
  if (is_ours) {
    return;
  }
  worksharing::end();
  warn_of_unknown_team(runtime->calls);
  using Function =
      void(const Ident*, std::int32_t, std::int32_t, Value, Value, Step<Value>, Step<Value>);
  function_of<Function>(*runtime, entry)(loop.ident, loop.thread, loop.schedule, loop.first,
                                         loop.last, loop.step, loop.chunk);
}

// `first` and `last` are never null; the other pointers may be null.
template <typename Value>
struct Told {
  std::int32_t* has_last;
  Value* first;
  Value* last;
  Step<Value>* step;
};

template <typename Value>
std::int32_t next_of_ours(const Told<Value>& told) {
  loops::Range range;
  const worksharing::Numbers* numbers = worksharing::next(range);
  if (numbers == nullptr) {
    worksharing::end();
    t_state.is_over = true;
    return 0;  // the values stay, because the program reads them after the loop
  }
  worksharing::tell_closed(*numbers, range, *told.first, *told.last);
  if (told.step != nullptr) {
    *told.step = static_cast<Step<Value>>(numbers->step);
  }
  if (told.has_last != nullptr) {
    *told.has_last = worksharing::has_last() ? 1 : 0;
  }
  return 1;
}

template <typename Value>
[[gnu::noinline]] std::int32_t next_apart(int entry, const void* caller, const Ident* ident,
                                          std::int32_t thread, const Told<Value>& told) {
  if (worksharing::is_ours()) {
    return next_of_ours(told);
  }
  const Runtime* runtime = runtime_of_call(entry, caller);
  t_state.is_over = false;
  using Function =
      std::int32_t(const Ident*, std::int32_t, std::int32_t*, Value*, Value*, Step<Value>*);
  return runtime == nullptr ? 0
                            : function_of<Function>(*runtime, entry)(
                                  ident, thread, told.has_last, told.first, told.last, told.step);
}

using End = void(const Ident*, std::int32_t);

[[gnu::noinline]] void fini_apart(int entry, const void* caller, const Ident* ident,
                                  std::int32_t thread) {
  const Runtime* runtime = runtime_of_call(entry, caller);
  if (runtime != nullptr && !worksharing::is_ours()) {
    function_of<End>(*runtime, entry)(ident, thread);
  }
}

// The runtime does not know a loop that we share.
[[gnu::noinline]] void deinit_apart(int entry, const void* caller, const Ident* ident,
                                    std::int32_t thread) {
  const Runtime* runtime = runtime_of_call(entry, caller);
  const bool was_ours = worksharing::end() || t_state.is_over;
  t_state.is_over = false;
  if (!was_ours && runtime != nullptr && runtime->entry[entry] != nullptr) {
    function_of<End>(*runtime, entry)(ident, thread);
  }
}

// Inline, so that the return address is the program's.
template <typename Value>
[[gnu::always_inline]] inline void begin(int entry, const Ident* ident, std::int32_t thread,
                                         std::int32_t schedule, Value first, Value last,
                                         Step<Value> step, Step<Value> chunk) {
  using Function =
      void(const Ident*, std::int32_t, std::int32_t, Value, Value, Step<Value>, Step<Value>);
  if (auto* function = straight<Function>(entry)) {
    function(ident, thread, schedule, first, last, step, chunk);
    return;
  }
  begin_apart(entry, __builtin_return_address(0),
              Begin<Value>{ident, thread, schedule, first, last, step, chunk});
}

template <typename Value>
[[gnu::always_inline]] inline std::int32_t next(int entry, const Ident* ident, std::int32_t thread,
                                                std::int32_t* has_last, Value* first, Value* last,
                                                Step<Value>* step) {
  using Function =
      std::int32_t(const Ident*, std::int32_t, std::int32_t*, Value*, Value*, Step<Value>*);
  if (auto* function = straight<Function>(entry)) {
    return function(ident, thread, has_last, first, last, step);
  }
  return next_apart(entry, __builtin_return_address(0), ident, thread,
                    Told<Value>{has_last, first, last, step});
}

[[gnu::always_inline]] inline void fini(int entry, const Ident* ident, std::int32_t thread) {
  if (auto* function = straight<End>(entry)) {
    function(ident, thread);
    return;
  }
  fini_apart(entry, __builtin_return_address(0), ident, thread);
}

// Notes that the next loop is a doacross loop, which the runtime must share.
[[gnu::noinline]] const Runtime* link_apart(int entry, const void* caller, bool is_linked) {
  const Runtime* runtime = runtime_of_call(entry, caller);
  t_state.linked = is_linked ? worksharing::own_member() : nullptr;
  return runtime;
}

template <typename Result>
[[gnu::noinline]] Result pass(int entry, const void* caller, const Ident* ident,
                              std::int32_t thread) {
  const Runtime* runtime = runtime_of_call(entry, caller);
  if (runtime == nullptr) {
    return Result();
  }
  // A cancelled loop must end here. Our hooks do not see how GCC's ordered loops and sections
  // begin.
  worksharing::come_to_barrier(runtime->calls);
  struct Passed {
    const Runtime& runtime;
    ~Passed() { worksharing::pass_barrier(runtime.calls); }
  };
  const Passed passed{*runtime};
  return function_of<Result(const Ident*, std::int32_t)>(*runtime, entry)(ident, thread);
}

}  // namespace

}  // namespace nestbind::kmpc

using namespace nestbind::kmpc;
using std::int32_t;
using std::int64_t;
using std::uint32_t;
using std::uint64_t;

// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the runtime's names
#define NESTBIND_DISPATCH(suffix, Value)                                                           \
  NESTBIND_INTERPOSE void __kmpc_dispatch_init_##suffix(const Ident* ident, int32_t thread,        \
                                                        int32_t schedule, Value first, Value last, \
                                                        Step<Value> step, Step<Value> chunk) {     \
    begin(entry_of(__func__), ident, thread, schedule, first, last, step, chunk);                  \
  }                                                                                                \
  NESTBIND_INTERPOSE int32_t __kmpc_dispatch_next_##suffix(const Ident* ident, int32_t thread,     \
                                                           int32_t* has_last, Value* first,        \
                                                           Value* last, Step<Value>* step) {       \
    return next(entry_of(__func__), ident, thread, has_last, first, last, step);                   \
  }                                                                                                \
  NESTBIND_INTERPOSE void __kmpc_dispatch_fini_##suffix(const Ident* ident, int32_t thread) {      \
    fini(entry_of(__func__), ident, thread);                                                       \
  }

NESTBIND_DISPATCH(4, int32_t)
NESTBIND_DISPATCH(4u, uint32_t)
NESTBIND_DISPATCH(8, int64_t)
NESTBIND_DISPATCH(8u, uint64_t)

NESTBIND_INTERPOSE void __kmpc_dispatch_deinit(const Ident* ident, int32_t thread) {
  if (auto* function = straight<void(const Ident*, int32_t)>(entry_of(__func__))) {
    function(ident, thread);
    return;
  }
  deinit_apart(entry_of(__func__), __builtin_return_address(0), ident, thread);
}

NESTBIND_INTERPOSE void __kmpc_doacross_init(const Ident* ident, int32_t thread, int32_t levels,
                                             const void* bounds) {
  using Function = void(const Ident*, int32_t, int32_t, const void*);
  if (auto* function = straight<Function>(entry_of(__func__))) {
    function(ident, thread, levels, bounds);
    return;
  }
  const Runtime* runtime = link_apart(entry_of(__func__), __builtin_return_address(0), true);
  if (runtime != nullptr) {
    function_of<Function>(*runtime, entry_of(__func__))(ident, thread, levels, bounds);
  }
}

NESTBIND_INTERPOSE void __kmpc_doacross_fini(const Ident* ident, int32_t thread) {
  if (auto* function = straight<void(const Ident*, int32_t)>(entry_of(__func__))) {
    function(ident, thread);
    return;
  }
  const Runtime* runtime = link_apart(entry_of(__func__), __builtin_return_address(0), false);
  if (runtime != nullptr) {
    function_of<void(const Ident*, int32_t)>(*runtime, entry_of(__func__))(ident, thread);
  }
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

// Counts a team's barriers, also those at ends of loops. Decisions that all members share may
// change only after a barrier. Barriers inside other calls, such as a reduction, need not be
// counted, because members cannot see them.

// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the runtime's names
NESTBIND_INTERPOSE void __kmpc_barrier(const Ident* ident, std::int32_t thread) {
  constexpr int kEntry = entry_of("__kmpc_barrier");
  if (auto* function = straight<void(const Ident*, std::int32_t)>(kEntry)) {
    function(ident, thread);
    return;
  }
  pass<void>(kEntry, __builtin_return_address(0), ident, thread);
}

NESTBIND_INTERPOSE std::int32_t __kmpc_cancel_barrier(const Ident* ident, std::int32_t thread) {
  constexpr int kEntry = entry_of("__kmpc_cancel_barrier");
  if (auto* function = straight<std::int32_t(const Ident*, std::int32_t)>(kEntry)) {
    return function(ident, thread);
  }
  return pass<std::int32_t>(kEntry, __builtin_return_address(0), ident, thread);
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
