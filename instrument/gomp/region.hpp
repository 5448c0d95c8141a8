// SPDX-License-Identifier: BSD-3-Clause
// A fork on its way through libgomp: the runtime runs our function, which runs the program's.
#pragma once

#include "instrument/gomp/display.hpp"
#include "instrument/gomp/runtime.hpp"
#include "placement/expected_workers.hpp"
#include "placement/fork.hpp"

namespace nestbind::gomp {

struct alignas(64) Region {
  // libgomp itself reads the first word of a region's data where task reductions are registered.
  void* first_word;
  Outlined function;
  void* data;
  const placement::Place* parent;
  const Runtime* runtime;
  workers::Crew* crew;
  Region* outer;  // for the entries that come in pairs
};

// The regions that the calling thread has forked and that still run, outermost first: always in the
// same place, so that a fork which repeats the last one writes nothing, and its members need not
// fetch what they read. Deeper ones are where the fork has room for them.
struct OpenRegions {
  static constexpr int kPlaces = 4;
  Region places[kPlaces];
  int count;
};
extern constinit thread_local OpenRegions t_open_regions __attribute__((tls_model("initial-exec")));

template <typename Value>
void write_if_other(Value& variable, Value value) {
  if (variable != value) {
    variable = value;
  }
}

// threads: of the num_threads clause; 0: none.
inline void begin_region(Region& region, const Runtime& runtime, Outlined function, void* data,
                         unsigned threads) {
  const placement::Place* parent =
      placement::fork_begin(runtime.calls, reinterpret_cast<const void*>(function));
  write_if_other(region.function, function);
  write_if_other(region.data, data);
  write_if_other(region.parent, parent);
  write_if_other(region.runtime, &runtime);
  workers::Crew* crew = nullptr;
  if (runtime.is_gnu) {  // it creates workers inside the fork; LLVM's runtime keeps its own
    const int size = threads > 0 ? static_cast<int>(threads) : runtime.calls.get_max_threads();
    crew = placement::expect_workers(parent, size, runtime.calls);
  }
  write_if_other(region.crew, crew);
  fork_begins(runtime);
}

// The fork has returned: behind the team's last barrier.
inline void end_region(const Region& region) {
  placement::member_end(region.parent, 0);
  placement::workers_return(region.crew);
}

// What each member runs in place of the outlined function; `region` is a Region.
inline void run_member(void* region) {
  fork_is_done();
  const Region& fork = *static_cast<Region*>(region);
  const placement::Place* parent = fork.parent;
  const Outlined function = fork.function;
  void* data = fork.data;
  const omp::Calls& calls = fork.runtime->calls;
  placement::member_begin(parent, calls.get_thread_num(), calls.get_num_threads(), calls);
  function(data);
  // The members still run explicit tasks in the last barrier: the master's end is reported behind
  // it, when the fork returns; a worker does nothing between that barrier and its next region.
}

}  // namespace nestbind::gomp
