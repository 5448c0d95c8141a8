// SPDX-License-Identifier: BSD-3-Clause
// The entries by which a member begins a loop and takes its next iterations.
#include <type_traits>

#include "instrument/gomp/forked_loop.hpp"
#include "instrument/gomp/gomp_straight.hpp"
#include "interpose/next_function.hpp"

namespace nestbind::gomp {

constinit thread_local Loop t_loop __attribute__((tls_model("initial-exec"))) = {};

using Unsigned = unsigned long long;

namespace {

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

template <typename Value>
struct Call {
  int entry;
  const void* caller;
  Value* first;
  Value* behind;
};

// Inline: it has many arguments.
template <typename Value, typename... Arguments>
[[gnu::always_inline]] inline bool start_any(const Call<Value>& call,
                                             const worksharing::LoopBegin& loop, Value begin,
                                             Value end, Arguments... given) {
  const Runtime* runtime = runtime_of_call(call.entry, call.caller);
  t_loop.runtime = runtime;
  t_loop.forked = nullptr;
  if (runtime == nullptr || runtime->loop[call.entry] == nullptr) {
    // No runtime was found: the calling thread runs the whole loop.
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
// Only loops with a variable of type long are combined with their fork.
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

// A program may call this function for each iteration. Its few arguments all stay in registers.
template <typename Value>
[[gnu::noinline]] bool next_apart(Value* first, Value* behind, int entry, const void* caller) {
  return worksharing::is_ours() ? next_of_ours(first, behind)
                                : next_of_others(first, behind, entry, caller);
}

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

// Inline, so that the return address is the program's.
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

constexpr int kEnd = loop_entry_of("GOMP_loop_end");
constexpr int kEndNowait = loop_entry_of("GOMP_loop_end_nowait");
constexpr int kEndCancel = loop_entry_of("GOMP_loop_end_cancel");
constexpr int kBarrier = loop_entry_of("GOMP_barrier");
constexpr int kBarrierCancel = loop_entry_of("GOMP_barrier_cancel");

template <typename Result>
Result call(const Runtime* runtime, int entry) {
  return runtime != nullptr && runtime->loop[entry] != nullptr
             ? reinterpret_cast<Result (*)()>(runtime->loop[entry])()
             : Result();
}

const Runtime* runtime_of_end(int entry, const void* caller) {
  const Runtime* runtime = runtime_of_call(entry, caller, t_loop.runtime);
  t_loop.runtime = nullptr;
  return runtime;
}

template <typename Result>
Result pass(const Runtime* runtime, int entry) {
  if (runtime == nullptr) {
    return Result();
  }
  if constexpr (std::is_void_v<Result>) {
    call<void>(runtime, entry);
    worksharing::pass_barrier(runtime->calls);
  } else {
    const Result result = call<Result>(runtime, entry);
    worksharing::pass_barrier(runtime->calls);
    return result;
  }
}

template <typename Result>
[[gnu::noinline]] Result end_apart(int entry, int barrier, const void* caller) {
  const Runtime* runtime = runtime_of_end(entry, caller);
  return pass<Result>(runtime, worksharing::end() ? barrier : entry);
}

[[gnu::noinline]] void end_nowait_apart(const void* caller) {
  const Runtime* runtime = runtime_of_end(kEndNowait, caller);
  if (!worksharing::end()) {
    call<void>(runtime, kEndNowait);
  }
}

template <typename Result>
[[gnu::noinline]] Result barrier_apart(int entry, const void* caller) {
  return pass<Result>(runtime_of_call(entry, caller), entry);
}

}  // namespace

}  // namespace nestbind::gomp

using namespace nestbind::gomp;

#define NESTBIND_LOOP_NEXT(name, clause)                                                   \
  NESTBIND_INTERPOSE bool GOMP_loop_##name##_next(long* first, long* behind) {             \
    return next_of_loop<clause.start + kNext>(first, behind);                              \
  }                                                                                        \
  NESTBIND_INTERPOSE bool GOMP_loop_ull_##name##_next(Unsigned* first, Unsigned* behind) { \
    return next_of_loop<clause.start + kUnsigned + kNext>(first, behind);                  \
  }
#define NESTBIND_LOOP(name, clause)                                                              \
  NESTBIND_INTERPOSE bool GOMP_loop_##name##_start(long begin, long end, long step, long* first, \
                                                   long* behind) {                               \
    return begin_loop<clause.start>(clause, begin, end, step, first, behind);                    \
  }                                                                                              \
  NESTBIND_INTERPOSE bool GOMP_loop_ull_##name##_start(                                          \
      bool up, Unsigned begin, Unsigned end, Unsigned step, Unsigned* first, Unsigned* behind) { \
    return begin_loop<clause.start + kUnsigned>(clause, up, begin, end, step, first, behind);    \
  }                                                                                              \
  NESTBIND_LOOP_NEXT(name, clause)
#define NESTBIND_LOOP_OF_CHUNKS(name, clause)                                                   \
  NESTBIND_INTERPOSE bool GOMP_loop_##name##_start(long begin, long end, long step, long chunk, \
                                                   long* first, long* behind) {                 \
    return begin_loop<clause.start>(clause, begin, end, step, chunk, first, behind);            \
  }                                                                                             \
  NESTBIND_INTERPOSE bool GOMP_loop_ull_##name##_start(bool up, Unsigned begin, Unsigned end,   \
                                                       Unsigned step, Unsigned chunk,           \
                                                       Unsigned* first, Unsigned* behind) {     \
    return begin_loop<clause.start + kUnsigned>(clause, up, begin, end, step, chunk, first,     \
                                                behind);                                        \
  }                                                                                             \
  NESTBIND_LOOP_NEXT(name, clause)

NESTBIND_LOOP(runtime, kRuntime)
NESTBIND_LOOP(nonmonotonic_runtime, kNonmonotonicRuntime)
NESTBIND_LOOP(maybe_nonmonotonic_runtime, kMaybeNonmonotonicRuntime)
NESTBIND_LOOP_OF_CHUNKS(dynamic, kDynamic)
NESTBIND_LOOP_OF_CHUNKS(nonmonotonic_dynamic, kNonmonotonicDynamic)
NESTBIND_LOOP_OF_CHUNKS(guided, kGuided)
NESTBIND_LOOP_OF_CHUNKS(nonmonotonic_guided, kNonmonotonicGuided)

// The end of a member's loop, and the barriers of its team. The runtime does not know a loop that
// we share. So at the loop's end we call only the runtime's barrier, not the function that ends a
// loop.

NESTBIND_INTERPOSE void GOMP_loop_end() {
  if (auto* next = straight<void()>(kEnd)) {
    next();
    return;
  }
  end_apart<void>(kEnd, kBarrier, __builtin_return_address(0));
}

NESTBIND_INTERPOSE bool GOMP_loop_end_cancel() {
  if (auto* next = straight<bool()>(kEndCancel)) {
    return next();
  }
  return end_apart<bool>(kEndCancel, kBarrierCancel, __builtin_return_address(0));
}

NESTBIND_INTERPOSE void GOMP_loop_end_nowait() {
  if (auto* next = straight<void()>(kEndNowait)) {
    next();
    return;
  }
  end_nowait_apart(__builtin_return_address(0));
}

NESTBIND_INTERPOSE void GOMP_barrier() {
  if (auto* next = straight<void()>(kBarrier)) {
    next();
    return;
  }
  barrier_apart<void>(kBarrier, __builtin_return_address(0));
}

NESTBIND_INTERPOSE bool GOMP_barrier_cancel() {
  if (auto* next = straight<bool()>(kBarrierCancel)) {
    return next();
  }
  return barrier_apart<bool>(kBarrierCancel, __builtin_return_address(0));
}
