// SPDX-License-Identifier: BSD-3-Clause
// The entries by which a member begins a loop, and asks for its next iterations.
#include "instrument/gomp/forked_loop.hpp"
#include "instrument/gomp/gomp_straight.hpp"
#include "interpose/next_function.hpp"

namespace nestbind::gomp {

using Unsigned = unsigned long long;

namespace {

// The next iterations of a loop of ours.
template <typename Value>
bool next_of_ours(Value* first, Value* behind) {
  loops::Range range;
  const worksharing::Numbers* numbers = worksharing::next(range);
  if (numbers == nullptr) {
    return false;
  }
  worksharing::tell_half_open(*numbers, range, *first, *behind);
  return true;
}

// What a hook is told of the next iterations, and by whom.
template <typename Value>
struct Call {
  int entry;
  const void* caller;
  Value* first;
  Value* behind;
};

// Begins a loop; one that is not ours, by the runtime's function with the arguments given. Inline,
// for it has many.
template <typename Value, typename... Arguments>
[[gnu::always_inline]] inline bool start_any(const Call<Value>& call,
                                             const worksharing::LoopBegin& loop, Value begin,
                                             Value end, Arguments... given) {
  const Runtime* runtime = runtime_of_call(call.entry, call.caller);
  t_loop.runtime = runtime;
  t_loop.forked = nullptr;
  if (runtime == nullptr || runtime->loop[call.entry] == nullptr) {
    // No runtime is to be found: the thread that is there runs the loop.
    *call.first = begin;
    *call.behind = end;
    return loop.numbers.iterations > 0;
  }
  if (loop.numbers.step != 0 && worksharing::begin(loop, runtime->calls)) {
    return next_of_ours(call.first, call.behind);
  }
  return reinterpret_cast<bool (*)(Arguments..., Value*, Value*)>(runtime->loop[call.entry])(
      given..., call.first, call.behind);
}

// The first call in a member of a fork that is one with its loop.
bool start_forked(const ForkedLoop& loop, long* first, long* behind) {
  const Runtime* runtime = loop.runtime;
  t_loop.runtime = runtime;
  t_loop.forked = nullptr;
  if (worksharing::begin(loop.begin, runtime->calls)) {
    return next_of_ours(first, behind);
  }
  void* start = runtime->loop[loop.start];
  return loop.has_chunk ? reinterpret_cast<bool (*)(long, long, long, long, long*, long*)>(start)(
                              loop.first, loop.behind, loop.step, loop.chunk, first, behind)
                        : reinterpret_cast<bool (*)(long, long, long, long*, long*)>(start)(
                              loop.first, loop.behind, loop.step, first, behind);
}
// Only loops of this type are one with their fork.
bool start_forked(const ForkedLoop&, Unsigned*, Unsigned*) { return false; }

template <typename Value>
[[gnu::noinline]] bool next_of_others(Value* first, Value* behind, int entry, const void* caller) {
  if (const ForkedLoop* forked = t_loop.forked) {
    return start_forked(*forked, first, behind);
  }
  const Runtime* runtime = runtime_of_call(entry, caller, t_loop.runtime);
  return runtime != nullptr && runtime->loop[entry] != nullptr &&
         reinterpret_cast<bool (*)(Value*, Value*)>(runtime->loop[entry])(first, behind);
}

// A program may come here for each iteration: so arguments stay in their registers.
template <typename Value>
[[gnu::noinline]] bool next_apart(Value* first, Value* behind, int entry, const void* caller) {
  return worksharing::is_ours() ? next_of_ours(first, behind)
                                : next_of_others(first, behind, entry, caller);
}

// As the entries have their arguments: with a chunk or without one, and unsigned ones with the
// direction.
[[gnu::noinline]] bool start(const LoopClause& clause, const void* caller, long begin, long end,
                             long step, long* first, long* behind) {
  return start_any(Call<long>{clause.start, caller, first, behind},
                   loop_begin(clause, caller, step > 0, begin, end, step, 0L), begin, end, begin,
                   end, step);
}
[[gnu::noinline]] bool start(const LoopClause& clause, const void* caller, long begin, long end,
                             long step, long chunk, long* first, long* behind) {
  return start_any(Call<long>{clause.start, caller, first, behind},
                   loop_begin(clause, caller, step > 0, begin, end, step, chunk), begin, end, begin,
                   end, step, chunk);
}
[[gnu::noinline]] bool start(const LoopClause& clause, const void* caller, bool is_upward,
                             Unsigned begin, Unsigned end, Unsigned step, Unsigned* first,
                             Unsigned* behind) {
  return start_any(Call<Unsigned>{clause.start + kUnsigned, caller, first, behind},
                   loop_begin(clause, caller, is_upward, begin, end, step, Unsigned{0}), begin, end,
                   is_upward, begin, end, step);
}
[[gnu::noinline]] bool start(const LoopClause& clause, const void* caller, bool is_upward,
                             Unsigned begin, Unsigned end, Unsigned step, Unsigned chunk,
                             Unsigned* first, Unsigned* behind) {
  return start_any(Call<Unsigned>{clause.start + kUnsigned, caller, first, behind},
                   loop_begin(clause, caller, is_upward, begin, end, step, chunk), begin, end,
                   is_upward, begin, end, step, chunk);
}

// What the hooks are: they jump straight on, or have a look. Inline, for the caller's address.
template <int kEntry, typename... Arguments>
[[gnu::always_inline]] inline bool begin_loop(const LoopClause& clause, Arguments... arguments) {
  if (auto* next = straight<bool(Arguments...)>(kEntry)) {
    return next(arguments...);
  }
  return start(clause, __builtin_return_address(0), arguments...);
}

template <int kEntry, typename Value>
[[gnu::always_inline]] inline bool next_of_loop(Value* first, Value* behind) {
  if (auto* next = straight<bool(Value*, Value*)>(kEntry)) {
    return next(first, behind);
  }
  return next_apart(first, behind, kEntry, __builtin_return_address(0));
}

}  // namespace

}  // namespace nestbind::gomp

using namespace nestbind::gomp;
NESTBIND_INTERPOSE bool GOMP_loop_runtime_start(long begin, long end, long step, long* first,
                                                long* behind) {
  return begin_loop<kRuntime.start>(kRuntime, begin, end, step, first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_runtime_next(long* first, long* behind) {
  return next_of_loop<kRuntime.start + kNext>(first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_ull_runtime_start(bool up, Unsigned begin, Unsigned end,
                                                    Unsigned step, Unsigned* first,
                                                    Unsigned* behind) {
  return begin_loop<kRuntime.start + kUnsigned>(kRuntime, up, begin, end, step, first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_ull_runtime_next(Unsigned* first, Unsigned* behind) {
  return next_of_loop<kRuntime.start + kUnsigned + kNext>(first, behind);
}

NESTBIND_INTERPOSE bool GOMP_loop_nonmonotonic_runtime_start(long begin, long end, long step,
                                                             long* first, long* behind) {
  return begin_loop<kNonmonotonicRuntime.start>(kNonmonotonicRuntime, begin, end, step, first,
                                                behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_nonmonotonic_runtime_next(long* first, long* behind) {
  return next_of_loop<kNonmonotonicRuntime.start + kNext>(first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_ull_nonmonotonic_runtime_start(bool up, Unsigned begin,
                                                                 Unsigned end, Unsigned step,
                                                                 Unsigned* first,
                                                                 Unsigned* behind) {
  return begin_loop<kNonmonotonicRuntime.start + kUnsigned>(kNonmonotonicRuntime, up, begin, end,
                                                            step, first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_ull_nonmonotonic_runtime_next(Unsigned* first, Unsigned* behind) {
  return next_of_loop<kNonmonotonicRuntime.start + kUnsigned + kNext>(first, behind);
}

NESTBIND_INTERPOSE bool GOMP_loop_maybe_nonmonotonic_runtime_start(long begin, long end, long step,
                                                                   long* first, long* behind) {
  return begin_loop<kMaybeNonmonotonicRuntime.start>(kMaybeNonmonotonicRuntime, begin, end, step,
                                                     first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_maybe_nonmonotonic_runtime_next(long* first, long* behind) {
  return next_of_loop<kMaybeNonmonotonicRuntime.start + kNext>(first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_ull_maybe_nonmonotonic_runtime_start(bool up, Unsigned begin,
                                                                       Unsigned end, Unsigned step,
                                                                       Unsigned* first,
                                                                       Unsigned* behind) {
  return begin_loop<kMaybeNonmonotonicRuntime.start + kUnsigned>(kMaybeNonmonotonicRuntime, up,
                                                                 begin, end, step, first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_ull_maybe_nonmonotonic_runtime_next(Unsigned* first,
                                                                      Unsigned* behind) {
  return next_of_loop<kMaybeNonmonotonicRuntime.start + kUnsigned + kNext>(first, behind);
}

NESTBIND_INTERPOSE bool GOMP_loop_dynamic_start(long begin, long end, long step, long chunk,
                                                long* first, long* behind) {
  return begin_loop<kDynamic.start>(kDynamic, begin, end, step, chunk, first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_dynamic_next(long* first, long* behind) {
  return next_of_loop<kDynamic.start + kNext>(first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_ull_dynamic_start(bool up, Unsigned begin, Unsigned end,
                                                    Unsigned step, Unsigned chunk, Unsigned* first,
                                                    Unsigned* behind) {
  return begin_loop<kDynamic.start + kUnsigned>(kDynamic, up, begin, end, step, chunk, first,
                                                behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_ull_dynamic_next(Unsigned* first, Unsigned* behind) {
  return next_of_loop<kDynamic.start + kUnsigned + kNext>(first, behind);
}

NESTBIND_INTERPOSE bool GOMP_loop_nonmonotonic_dynamic_start(long begin, long end, long step,
                                                             long chunk, long* first,
                                                             long* behind) {
  return begin_loop<kNonmonotonicDynamic.start>(kNonmonotonicDynamic, begin, end, step, chunk,
                                                first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_nonmonotonic_dynamic_next(long* first, long* behind) {
  return next_of_loop<kNonmonotonicDynamic.start + kNext>(first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_ull_nonmonotonic_dynamic_start(bool up, Unsigned begin,
                                                                 Unsigned end, Unsigned step,
                                                                 Unsigned chunk, Unsigned* first,
                                                                 Unsigned* behind) {
  return begin_loop<kNonmonotonicDynamic.start + kUnsigned>(kNonmonotonicDynamic, up, begin, end,
                                                            step, chunk, first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_ull_nonmonotonic_dynamic_next(Unsigned* first, Unsigned* behind) {
  return next_of_loop<kNonmonotonicDynamic.start + kUnsigned + kNext>(first, behind);
}

NESTBIND_INTERPOSE bool GOMP_loop_guided_start(long begin, long end, long step, long chunk,
                                               long* first, long* behind) {
  return begin_loop<kGuided.start>(kGuided, begin, end, step, chunk, first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_guided_next(long* first, long* behind) {
  return next_of_loop<kGuided.start + kNext>(first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_ull_guided_start(bool up, Unsigned begin, Unsigned end,
                                                   Unsigned step, Unsigned chunk, Unsigned* first,
                                                   Unsigned* behind) {
  return begin_loop<kGuided.start + kUnsigned>(kGuided, up, begin, end, step, chunk, first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_ull_guided_next(Unsigned* first, Unsigned* behind) {
  return next_of_loop<kGuided.start + kUnsigned + kNext>(first, behind);
}

NESTBIND_INTERPOSE bool GOMP_loop_nonmonotonic_guided_start(long begin, long end, long step,
                                                            long chunk, long* first, long* behind) {
  return begin_loop<kNonmonotonicGuided.start>(kNonmonotonicGuided, begin, end, step, chunk, first,
                                               behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_nonmonotonic_guided_next(long* first, long* behind) {
  return next_of_loop<kNonmonotonicGuided.start + kNext>(first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_ull_nonmonotonic_guided_start(bool up, Unsigned begin,
                                                                Unsigned end, Unsigned step,
                                                                Unsigned chunk, Unsigned* first,
                                                                Unsigned* behind) {
  return begin_loop<kNonmonotonicGuided.start + kUnsigned>(kNonmonotonicGuided, up, begin, end,
                                                           step, chunk, first, behind);
}
NESTBIND_INTERPOSE bool GOMP_loop_ull_nonmonotonic_guided_next(Unsigned* first, Unsigned* behind) {
  return next_of_loop<kNonmonotonicGuided.start + kUnsigned + kNext>(first, behind);
}
