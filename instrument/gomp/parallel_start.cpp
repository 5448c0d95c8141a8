// SPDX-License-Identifier: BSD-3-Clause
// The entries of programs that GCC before 4.9 compiled: the fork returns to the master, which runs
// the outlined function itself and then calls GOMP_parallel_end.
#include <stdlib.h>

#include "instrument/gomp/forked_loop.hpp"
#include "instrument/gomp/region.hpp"
#include "interpose/lost_places.hpp"
#include "interpose/next_function.hpp"
#include "process/armed.hpp"

namespace nestbind::gomp {

namespace {

// A region that this thread has forked and not yet ended.
struct OpenFork {
  LoopRegion fork;
  OpenFork* outer;
  Here before;  // where the fork began
};
constinit thread_local OpenFork* t_open __attribute__((tls_model("initial-exec"))) = nullptr;

// Opens a region; null where there is no runtime to be found.
OpenFork* open_fork(int entry, Outlined function) {
  const Runtime* runtime = runtime_of(reinterpret_cast<const void*>(function));
  auto* open = static_cast<OpenFork*>(aligned_alloc(alignof(OpenFork), sizeof(OpenFork)));
  if (runtime == nullptr || runtime->entry[entry] == nullptr || open == nullptr) {
    free(open);
    return nullptr;
  }
  *open = {};
  open->fork.region.runtime = runtime;
  open->outer = t_open;
  open->before = t_here;
  t_open = open;
  return open;
}

// The master is in its region.
void begin_master(OpenFork& open, const ForkedLoop* loop) {
  fork_is_done();
  begin_member(open.fork.region);
  t_here.forked = loop;
}

// The runtime is told of a region; `arguments` are what is behind the number of threads.
template <typename... Arguments>
void fork_start(int entry, Outlined function, void* data, unsigned threads,
                Arguments... arguments) {
  OpenFork* open = open_fork(entry, function);
  if (open == nullptr) {
    return;
  }
  Region& region = open->fork.region;
  const Runtime& runtime = *region.runtime;
  auto* next =
      reinterpret_cast<void (*)(Outlined, void*, unsigned, Arguments...)>(runtime.entry[entry]);
  const Told told{process::armed(), sharing::is_wanted()};
  if (told.nobody() || !runtime.is_heard) {
    next(function, data, threads, arguments...);
    return;
  }
  begin_region<true>(region, runtime, function, data, threads, told);
  next(run_member<true>, &region, threads, arguments...);
  begin_master(*open, nullptr);
}

// The same of a fork that is one with its loop, if that is taken: the runtime forks without it.
template <typename... Chunk>
void fork_start_with_loop(int entry, const LoopClause& clause, Outlined function, void* data,
                          unsigned threads, long first, long behind, long step, Chunk... chunk) {
  constexpr int kStart = entry_of("GOMP_parallel_start");
  OpenFork* open = is_begun_by_members(clause, step) ? open_fork(kStart, function) : nullptr;
  if (open == nullptr) {
    fork_start(entry, function, data, threads, first, behind, step, chunk...);
    return;
  }
  Region& region = open->fork.region;
  const Runtime& runtime = *region.runtime;
  const Told told{runtime.is_heard && process::armed(), runtime.is_heard};
  open->fork.loop = forked_loop(clause, function, first, behind, step, chunk...);
  begin_region<true>(region, runtime, function, data, threads, told);
  auto* next = reinterpret_cast<void (*)(Outlined, void*, unsigned)>(runtime.entry[kStart]);
  next(run_member_with_loop, &open->fork, threads);
  begin_master(*open, &open->fork.loop);
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
    // Begun before our place was taken.
    if (auto* next = reinterpret_cast<void (*)()>(nestbind::interpose::theirs(__func__))) {
      next();
    }
    return;
  }
  t_open = open->outer;
  const Region& region = open->fork.region;
  auto* next = reinterpret_cast<void (*)()>(region.runtime->entry[entry_of(__func__)]);
  next();
  if (region.function != nullptr) {
    end_region<true>(region);
  }
  t_here = open->before;
  free(open);
}
