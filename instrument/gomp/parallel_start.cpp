// SPDX-License-Identifier: BSD-3-Clause
// The entries of programs that GCC before 4.9 compiled: the fork returns to the master, which runs
// the outlined function itself and then calls GOMP_parallel_end.
#include <stdlib.h>

#include "instrument/gomp/region.hpp"
#include "interpose/lost_places.hpp"
#include "interpose/next_function.hpp"
#include "process/armed.hpp"

namespace nestbind::gomp {

namespace {

// The regions that this thread has forked and not yet ended.
constinit thread_local Region* t_open __attribute__((tls_model("initial-exec"))) = nullptr;

// Opens a region; null where there is no runtime to be found.
Region* open_region(int entry, Outlined function, void* data, unsigned threads) {
  const Runtime* runtime = runtime_of(reinterpret_cast<const void*>(function));
  auto* region = static_cast<Region*>(aligned_alloc(alignof(Region), sizeof(Region)));
  if (runtime == nullptr || runtime->entry[entry] == nullptr || region == nullptr) {
    free(region);
    return nullptr;
  }
  *region = {};
  region->runtime = runtime;
  region->outer = t_open;
  t_open = region;
  if (process::armed() && runtime->is_heard) {
    begin_region(*region, *runtime, function, data, threads);
  }
  return region;
}

// The runtime is told of a region; `arguments` are what is behind the number of threads.
template <typename... Arguments>
void fork_start(int entry, Outlined function, void* data, unsigned threads,
                Arguments... arguments) {
  Region* region = open_region(entry, function, data, threads);
  if (region == nullptr) {
    return;
  }
  const omp::Calls& calls = region->runtime->calls;
  auto* next = reinterpret_cast<void (*)(Outlined, void*, unsigned, Arguments...)>(
      region->runtime->entry[entry]);
  if (region->function == nullptr) {  // nobody wants to know of it
    next(function, data, threads, arguments...);
    return;
  }
  next(run_member, region, threads, arguments...);
  fork_is_done();
  placement::member_begin(region->parent, 0, calls.get_num_threads(), calls);
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
  fork_start(entry_of(__func__), function, data, threads, start, end, step, chunk);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_guided_start(Outlined function, void* data,
                                                        unsigned threads, long start, long end,
                                                        long step, long chunk) {
  fork_start(entry_of(__func__), function, data, threads, start, end, step, chunk);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_runtime_start(Outlined function, void* data,
                                                         unsigned threads, long start, long end,
                                                         long step) {
  fork_start(entry_of(__func__), function, data, threads, start, end, step);
}

NESTBIND_INTERPOSE void GOMP_parallel_end() {
  Region* region = t_open;
  if (region == nullptr) {
    // Begun before our place was taken.
    if (auto* next = reinterpret_cast<void (*)()>(nestbind::interpose::theirs(__func__))) {
      next();
    }
    return;
  }
  t_open = region->outer;
  auto* next = reinterpret_cast<void (*)()>(region->runtime->entry[entry_of(__func__)]);
  next();
  if (region->function != nullptr) {
    end_region(*region);
  }
  free(region);
}
