// SPDX-License-Identifier: BSD-3-Clause
// The entries by which programs of GCC 4.9 and later fork a team.
#include <stdio.h>
#include <stdlib.h>

#include "instrument/gomp/forked_loop.hpp"
#include "instrument/gomp/region.hpp"
#include "interpose/next_function.hpp"
#include "interpose/redirect.hpp"

namespace nestbind::gomp {

namespace {

// Runs when the runtime's fork returns, after the team's last barrier.
struct Ending {
  team::Team* team;
  const Loop before = t_loop;
  ~Ending() {
    end_region(*team);
    t_loop = before;
  }
};

// Returns null if no runtime has this entry. Then the calling thread runs the region alone.
inline const Runtime* runtime_that_forks(int entry, Outlined function) {
  const Runtime* runtime = runtime_of(reinterpret_cast<const void*>(function));
  return runtime == nullptr || runtime->entry[entry] == nullptr ? nullptr : runtime;
}

template <typename Result = void, typename... Arguments>
Result fork(int entry, Outlined function, void* data, unsigned threads, Arguments... arguments) {
  const Runtime* runtime = runtime_that_forks(entry, function);
  if (runtime == nullptr) {
    function(data);
    return Result();
  }
  auto* next =
      reinterpret_cast<Result (*)(Outlined, void*, unsigned, Arguments...)>(runtime->entry[entry]);
  worksharing::start();
  team::Team* const team = team::is_followed() && runtime->is_heard
                               ? begin_region(*runtime, function, data, threads, nullptr)
                               : nullptr;
  if (team == nullptr) {
    note_function(function);
    return next(function, data, threads, arguments...);
  }
  if (entry == entry_of("GOMP_parallel_reductions")) {
    team->first_word = *static_cast<void**>(data);
  }
  const Ending ending{team};
  return next(run_member, team, size_of(*team, threads), arguments...);
}

// If we may share the loop, the runtime only forks.
template <typename... Chunk>
void fork_with_loop(int entry, const LoopClause& clause, Outlined function, void* data,
                    unsigned threads, unsigned flags, long first, long behind, long step,
                    Chunk... chunk) {
  const Runtime* runtime =
      is_begun_by_members(clause, step) ? runtime_that_forks(kParallel, function) : nullptr;
  if (runtime == nullptr) {
    fork(entry, function, data, threads, first, behind, step, chunk..., flags);
    return;
  }
  LoopFork alone{nullptr, function, data,
                 forked_loop(*runtime, clause, function, first, behind, step, chunk...)};
  team::Team* const team =
      runtime->is_heard ? begin_region(*runtime, function, data, threads, &alone.loop) : nullptr;
  auto* next =
      reinterpret_cast<void (*)(Outlined, void*, unsigned, unsigned)>(runtime->entry[kParallel]);
  if (team == nullptr) {
    note_function(function);
    const Loop before = t_loop;
    next(run_with_loop, &alone, threads, flags);
    t_loop = before;
    return;
  }
  const Ending ending{team};
  next(run_member, team, size_of(*team, threads), flags);
}

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

constinit thread_local bool t_forks __attribute__((tls_model("initial-exec"))) = false;

// Replaces libgomp's fwrite. Does not print the lines that a thread writes while it forks a team.
std::size_t write_others(const void* text, std::size_t size, std::size_t count, FILE* file) {
  const bool is_line = size == 1 && count > 0 && static_cast<const char*>(text)[count - 1] == '\n';
  return t_forks && file == stderr && is_line ? count : fwrite(text, size, count, file);
}

}  // namespace

void keep_lines_back(const Runtime& runtime) {
  if (!omp::lines_are_taken(runtime.calls)) {
    if (!interpose::redirect(reinterpret_cast<const void*>(runtime.calls.get_level), "fwrite",
                             reinterpret_cast<void*>(write_others))) {
      omp::tell_false_lines();
      return;
    }
    omp::take_lines(runtime.calls);
  }
  t_forks = true;
}

void keep_no_more() { t_forks = false; }

}  // namespace nestbind::gomp

using namespace nestbind::gomp;

NESTBIND_INTERPOSE void GOMP_parallel(Outlined function, void* data, unsigned threads,
                                      unsigned flags) {
  fork(entry_of(__func__), function, data, threads, flags);
}

NESTBIND_INTERPOSE void GOMP_parallel_sections(Outlined function, void* data, unsigned threads,
                                               unsigned count, unsigned flags) {
  fork(entry_of(__func__), function, data, threads, count, flags);
}

NESTBIND_INTERPOSE unsigned GOMP_parallel_reductions(Outlined function, void* data,
                                                     unsigned threads, unsigned flags) {
  return fork<unsigned>(entry_of(__func__), function, data, threads, flags);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_static(Outlined function, void* data, unsigned threads,
                                                  long start, long end, long step, long chunk,
                                                  unsigned flags) {
  fork(entry_of(__func__), function, data, threads, start, end, step, chunk, flags);
}

#define NESTBIND_PARALLEL_LOOP(name, clause)                                                      \
  NESTBIND_INTERPOSE void GOMP_parallel_loop_##name(Outlined function, void* data,                \
                                                    unsigned threads, long start, long end,       \
                                                    long step, unsigned flags) {                  \
    fork_with_loop(entry_of(__func__), clause, function, data, threads, flags, start, end, step); \
  }
#define NESTBIND_PARALLEL_LOOP_OF_CHUNKS(name, clause)                                           \
  NESTBIND_INTERPOSE void GOMP_parallel_loop_##name(Outlined function, void* data,               \
                                                    unsigned threads, long start, long end,      \
                                                    long step, long chunk, unsigned flags) {     \
    fork_with_loop(entry_of(__func__), clause, function, data, threads, flags, start, end, step, \
                   chunk);                                                                       \
  }

NESTBIND_PARALLEL_LOOP(runtime, kRuntime)
NESTBIND_PARALLEL_LOOP(nonmonotonic_runtime, kNonmonotonicRuntime)
NESTBIND_PARALLEL_LOOP(maybe_nonmonotonic_runtime, kMaybeNonmonotonicRuntime)
NESTBIND_PARALLEL_LOOP_OF_CHUNKS(dynamic, kDynamic)
NESTBIND_PARALLEL_LOOP_OF_CHUNKS(nonmonotonic_dynamic, kNonmonotonicDynamic)
NESTBIND_PARALLEL_LOOP_OF_CHUNKS(guided, kGuided)
NESTBIND_PARALLEL_LOOP_OF_CHUNKS(nonmonotonic_guided, kNonmonotonicGuided)

// Hooks for code of GCC before 4.9. This code calls GOMP_parallel_start, then the region's
// function, then GOMP_parallel_end.

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
    end_region(*open->team);
  }
  t_loop = open->before;
  free(open);
}
