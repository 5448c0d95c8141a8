// SPDX-License-Identifier: BSD-3-Clause
// Hooks for code of GCC before 4.9. This code calls GOMP_parallel_start, then the region's
// function, then GOMP_parallel_end.
#include <stdlib.h>

#include "instrument/gomp/forked_loop.hpp"
#include "instrument/gomp/region.hpp"
#include "interpose/next_function.hpp"

namespace nestbind::gomp {

namespace {

// A region that this thread has forked and that has not ended.
struct OpenFork {
  const Runtime* runtime;
  team::Team* team;  // null if the fork is not reported here
  OpenFork* outer;
  Loop before;
  LoopFork alone;
};
constinit thread_local OpenFork* t_open __attribute__((tls_model("initial-exec"))) = nullptr;

// Returns null if there is no runtime with this entry, or no memory. Then the calling thread runs
// the region alone.
OpenFork* open_fork(int entry, Outlined function) {
  const Runtime* runtime = runtime_of(reinterpret_cast<const void*>(function));
  auto* open = static_cast<OpenFork*>(malloc(sizeof(OpenFork)));
  if (runtime == nullptr || runtime->entry[entry] == nullptr || open == nullptr) {
    free(open);
    return nullptr;
  }
  *open = {};
  open->runtime = runtime;
  open->outer = t_open;
  open->before = t_loop;
  t_open = open;
  return open;
}

template <typename... Arguments>
auto* entry_with(const Runtime& runtime, int entry) {
  return reinterpret_cast<void (*)(Outlined, void*, unsigned, Arguments...)>(runtime.entry[entry]);
}

template <typename... Arguments>
void fork_start(int entry, Outlined function, void* data, unsigned threads,
                Arguments... arguments) {
  OpenFork* open = open_fork(entry, function);
  if (open == nullptr) {
    return;
  }
  const Runtime& runtime = *open->runtime;
  auto* next = entry_with<Arguments...>(runtime, entry);
  worksharing::start();
  open->team = team::is_followed() && runtime.is_heard
                   ? begin_region(runtime, function, data, threads, nullptr)
                   : nullptr;
  if (open->team == nullptr) {
    note_function(function);
    next(function, data, threads, arguments...);
    return;
  }
  next(run_member, open->team, size_of(*open->team, threads), arguments...);
  begin_member(*open->team);
}

template <typename... Chunk>
void fork_start_with_loop(int entry, const LoopClause& clause, Outlined function, void* data,
                          unsigned threads, long first, long behind, long step, Chunk... chunk) {
  constexpr int kStart = entry_of("GOMP_parallel_start");
  OpenFork* open = is_begun_by_members(clause, step) ? open_fork(kStart, function) : nullptr;
  if (open == nullptr) {
    fork_start(entry, function, data, threads, first, behind, step, chunk...);
    return;
  }
  const Runtime& runtime = *open->runtime;
  open->alone = {nullptr, function, data,
                 forked_loop(runtime, clause, function, first, behind, step, chunk...)};
  auto* next = entry_with<>(runtime, kStart);
  open->team = runtime.is_heard ? begin_region(runtime, function, data, threads, &open->alone.loop)
                                : nullptr;
  if (open->team == nullptr) {
    note_function(function);
    next(run_with_loop, &open->alone, threads);
    t_loop = {nullptr, &open->alone.loop};
    return;
  }
  next(run_member, open->team, size_of(*open->team, threads));
  begin_member(*open->team);
}

}  // namespace

}  // namespace nestbind::gomp

using namespace nestbind::gomp;

NESTBIND_INTERPOSE void GOMP_parallel_start(Outlined function, void* data, unsigned threads) {
  fork_start(entry_of(__func__), function, data, threads);
}

NESTBIND_INTERPOSE void GOMP_parallel_sections_start(Outlined function, void* data,
                                                     unsigned threads, unsigned count) {
  fork_start(entry_of(__func__), function, data, threads, count);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_static_start(Outlined function, void* data,
                                                        unsigned threads, long start, long end,
                                                        long step, long chunk) {
  fork_start(entry_of(__func__), function, data, threads, start, end, step, chunk);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_dynamic_start(Outlined function, void* data,
                                                         unsigned threads, long start, long end,
                                                         long step, long chunk) {
  fork_start_with_loop(entry_of(__func__), kDynamic, function, data, threads, start, end, step,
                       chunk);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_guided_start(Outlined function, void* data,
                                                        unsigned threads, long start, long end,
                                                        long step, long chunk) {
  fork_start_with_loop(entry_of(__func__), kGuided, function, data, threads, start, end, step,
                       chunk);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_runtime_start(Outlined function, void* data,
                                                         unsigned threads, long start, long end,
                                                         long step) {
  fork_start_with_loop(entry_of(__func__), kRuntime, function, data, threads, start, end, step);
}

NESTBIND_INTERPOSE void GOMP_parallel_end() {
  OpenFork* open = t_open;
  if (open == nullptr) {
    return;
  }
  t_open = open->outer;
  auto* next = reinterpret_cast<void (*)()>(open->runtime->entry[entry_of(__func__)]);
  next();
  if (open->team != nullptr) {
    nestbind::team::member_end(open->team, 0);
  }
  t_loop = open->before;
  free(open);
}
