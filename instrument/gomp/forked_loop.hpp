// SPDX-License-Identifier: BSD-3-Clause
// Loops of GCC's entries. In a combined parallel loop the fork also begins the loop.
#pragma once

#include "instrument/gomp/gomp_runtime.hpp"
#include "worksharing/loop.hpp"
#include "worksharing/schedule_in_force.hpp"

namespace nestbind::gomp {

// A combined parallel loop. Each member begins the loop. The runtime gets the loop only if we do
// not share it.
struct ForkedLoop {
  worksharing::LoopBegin begin;
  const Runtime* runtime;
  int start;
  long first;
  long behind;
  long step;
  long chunk;
  bool has_chunk;
};

struct Loop {
  const Runtime* runtime;  // null if the thread has no loop, or if the runtime is unknown
  const ForkedLoop* forked;
};
extern constinit thread_local Loop t_loop __attribute__((tls_model("initial-exec")));

struct LoopClause {
  worksharing::LoopKind kind;
  bool is_monotonic;
  int start;  // the entry that begins the loop, for variables of type long
};

inline constexpr int kNext =
    loop_entry_of("GOMP_loop_runtime_next") - loop_entry_of("GOMP_loop_runtime_start");
inline constexpr int kUnsigned =
    loop_entry_of("GOMP_loop_ull_runtime_start") - loop_entry_of("GOMP_loop_runtime_start");

// Code of GCC 8 and older. There, a loop without a modifier is monotonic.
inline constexpr LoopClause kRuntime{worksharing::LoopKind::kRuntime, true,
                                     loop_entry_of("GOMP_loop_runtime_start")};
inline constexpr LoopClause kNonmonotonicRuntime{
    worksharing::LoopKind::kRuntime, false, loop_entry_of("GOMP_loop_nonmonotonic_runtime_start")};
// The loop has no modifier, but OMP_SCHEDULE may have a modifier.
inline constexpr LoopClause kMaybeNonmonotonicRuntime{
    worksharing::LoopKind::kRuntime, false,
    loop_entry_of("GOMP_loop_maybe_nonmonotonic_runtime_start")};
inline constexpr LoopClause kDynamic{worksharing::LoopKind::kDynamic, true,
                                     loop_entry_of("GOMP_loop_dynamic_start")};
inline constexpr LoopClause kNonmonotonicDynamic{
    worksharing::LoopKind::kDynamic, false, loop_entry_of("GOMP_loop_nonmonotonic_dynamic_start")};
inline constexpr LoopClause kGuided{worksharing::LoopKind::kGuided, true,
                                    loop_entry_of("GOMP_loop_guided_start")};
inline constexpr LoopClause kNonmonotonicGuided{
    worksharing::LoopKind::kGuided, false, loop_entry_of("GOMP_loop_nonmonotonic_guided_start")};

// `address` is unique for the loop.
template <typename Value>
worksharing::LoopBegin loop_begin(const LoopClause& clause, const void* address, bool is_upward,
                                  Value first, Value behind, Value step, Value chunk) {
  return {.numbers = worksharing::half_open(first, behind, step, is_upward),
          .kind = clause.kind,
          .chunk = chunk > 0 ? static_cast<std::uint64_t>(chunk) : 1,
          .is_monotonic = clause.is_monotonic,
          .address = reinterpret_cast<std::uintptr_t>(address)};
}

inline bool is_begun_by_members(const LoopClause& clause, long step) {
  if (!worksharing::is_wanted() || step == 0) {
    return false;
  }
  worksharing::start();
  return worksharing::fork_takes(clause.kind);
}

template <typename... Chunk>
ForkedLoop forked_loop(const Runtime& runtime, const LoopClause& clause, Outlined function,
                       long first, long behind, long step, Chunk... given) {
  const long chunk = (given + ... + 0);
  return {.begin = loop_begin(clause, reinterpret_cast<const void*>(function), step > 0, first,
                              behind, step, chunk),
          .runtime = &runtime,
          .start = clause.start,
          .first = first,
          .behind = behind,
          .step = step,
          .chunk = chunk,
          .has_chunk = sizeof...(given) > 0};
}

}  // namespace nestbind::gomp
