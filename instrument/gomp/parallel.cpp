// SPDX-License-Identifier: BSD-3-Clause
// The entries by which programs of GCC 4.9 and later fork a team.
#include "instrument/gomp/region.hpp"
#include "interpose/next_function.hpp"
#include "process/armed.hpp"

namespace nestbind::gomp {

constinit thread_local OpenRegions t_open_regions __attribute__((tls_model("initial-exec"))) = {};

namespace {

// When the runtime's fork has returned.
struct Ending {
  OpenRegions& open;
  const Region& region;
  ~Ending() {
    end_region(region);
    --open.count;
  }
};

// Hands a fork on, with our function in place of the program's.
template <typename Result = void, typename... Arguments>
Result fork(int entry, Outlined function, void* data, unsigned threads, Arguments... arguments) {
  const Runtime* runtime = runtime_of(reinterpret_cast<const void*>(function));
  if (runtime == nullptr || runtime->entry[entry] == nullptr) {
    // No runtime is to be found: the region is run by the thread that is there.
    function(data);
    return Result();
  }
  auto* next =
      reinterpret_cast<Result (*)(Outlined, void*, unsigned, Arguments...)>(runtime->entry[entry]);
  if (!process::armed() || !runtime->is_heard) {
    return next(function, data, threads, arguments...);
  }
  OpenRegions& open = t_open_regions;
  Region deep;
  const bool is_deep = open.count >= OpenRegions::kPlaces;
  if (is_deep) {
    deep = {};
  }
  Region& region = is_deep ? deep : open.places[open.count];
  ++open.count;
  begin_region(region, *runtime, function, data, threads);
  if (entry == entry_of("GOMP_parallel_reductions")) {
    region.first_word = *static_cast<void**>(data);
  }
  const Ending ending{open, region};
  return next(run_member, &region, threads, arguments...);
}

}  // namespace

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

NESTBIND_INTERPOSE void GOMP_parallel_loop_dynamic(Outlined function, void* data, unsigned threads,
                                                   long start, long end, long step, long chunk,
                                                   unsigned flags) {
  fork(entry_of(__func__), function, data, threads, start, end, step, chunk, flags);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_guided(Outlined function, void* data, unsigned threads,
                                                  long start, long end, long step, long chunk,
                                                  unsigned flags) {
  fork(entry_of(__func__), function, data, threads, start, end, step, chunk, flags);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_runtime(Outlined function, void* data, unsigned threads,
                                                   long start, long end, long step,
                                                   unsigned flags) {
  fork(entry_of(__func__), function, data, threads, start, end, step, flags);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_nonmonotonic_dynamic(Outlined function, void* data,
                                                                unsigned threads, long start,
                                                                long end, long step, long chunk,
                                                                unsigned flags) {
  fork(entry_of(__func__), function, data, threads, start, end, step, chunk, flags);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_nonmonotonic_guided(Outlined function, void* data,
                                                               unsigned threads, long start,
                                                               long end, long step, long chunk,
                                                               unsigned flags) {
  fork(entry_of(__func__), function, data, threads, start, end, step, chunk, flags);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_nonmonotonic_runtime(Outlined function, void* data,
                                                                unsigned threads, long start,
                                                                long end, long step,
                                                                unsigned flags) {
  fork(entry_of(__func__), function, data, threads, start, end, step, flags);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_maybe_nonmonotonic_runtime(Outlined function, void* data,
                                                                      unsigned threads, long start,
                                                                      long end, long step,
                                                                      unsigned flags) {
  fork(entry_of(__func__), function, data, threads, start, end, step, flags);
}
