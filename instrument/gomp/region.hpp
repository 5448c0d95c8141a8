// SPDX-License-Identifier: BSD-3-Clause
// A fork on its way through libgomp: the runtime runs our function, which runs the program's.
#pragma once

#include "instrument/gomp/display.hpp"
#include "instrument/gomp/here.hpp"
#include "instrument/gomp/known_modules.hpp"
#include "instrument/gomp/runtime.hpp"
#include "placement/expected_workers.hpp"
#include "placement/fork.hpp"
#include "sharing/fork.hpp"

namespace nestbind::gomp {

struct alignas(64) Region {
  // libgomp itself reads the first word of a region's data where task reductions are registered.
  void* first_word;
  Outlined function;
  void* data;
  const placement::Place* parent;
  const Runtime* runtime;
  workers::Crew* crew;
  // Only where it is followed (below).
  sharing::Team* team;  // null: nobody wants its loops to be shared
  bool is_placed;       // lib/placement has been told of it
};

// Of a fork that is one with its loop.
struct LoopRegion {
  Region region;
  ForkedLoop loop;
};

// The regions that the calling thread has forked and that still run, outermost first: always in the
// same place, so that a fork which repeats the last one writes nothing, and its members need not
// fetch what they read. Only the outermost one has room for a loop, for such memory is scarce;
// those that are deeper still are where the fork has room for them.
struct OpenRegions {
  static constexpr int kDeeper = 3;
  LoopRegion outermost;
  Region deeper[kDeeper];
  int count;
};
extern constinit thread_local OpenRegions t_open_regions __attribute__((tls_model("initial-exec")));

// Who wants to be told of a fork.
struct Told {
  bool placement;
  bool sharing;
  bool nobody() const { return !placement && !sharing; }
};

template <typename Value>
void write_if_other(Value& variable, Value value) {
  if (variable != value) {
    variable = value;
  }
}

// Whether somebody looks at what a thread is in (here.hpp): where loops are shared, or the hooks of
// loops have to tell copies of the runtime apart. Other forks do without that, and cost less.
inline bool is_followed(Told told) { return told.sharing || some_modules_are_known(); }

// threads: of the num_threads clause; 0: none. kIsFollowed: is_followed(told); what is not is told
// to lib/placement.
template <bool kIsFollowed>
[[gnu::always_inline]] inline void begin_region(Region& region, const Runtime& runtime,
                                                Outlined function, void* data, unsigned threads,
                                                Told told) {
  const placement::Place* parent = nullptr;
  workers::Crew* crew = nullptr;
  sharing::Team* team = nullptr;
  if (told.placement) {
    parent = placement::fork_begin(runtime.calls, reinterpret_cast<const void*>(function), threads);
  }
  write_if_other(region.function, function);
  write_if_other(region.data, data);
  write_if_other(region.parent, parent);
  write_if_other(region.runtime, &runtime);
  const bool is_expected =
      told.placement && runtime.is_gnu;  // LLVM's runtime keeps its own workers
  const int size = threads > 0                   ? static_cast<int>(threads)
                   : is_expected || told.sharing ? runtime.calls.get_max_threads()
                                                 : 0;
  if (told.sharing) {
    team = sharing::fork_begin(runtime.calls, parent, size);
  }
  if (is_expected) {  // it creates workers inside the fork
    crew = placement::expect_workers(parent, size, runtime.calls);
  }
  if constexpr (kIsFollowed) {
    write_if_other(region.team, team);
    write_if_other(region.is_placed, told.placement);
  }
  write_if_other(region.crew, crew);
  if (told.placement) {
    fork_begins(runtime);
  }
}

// The fork has returned: behind the team's last barrier.
template <bool kIsFollowed>
void end_region(const Region& region) {
  if (kIsFollowed && region.team != nullptr) {
    sharing::member_end(region.team, 0);
  }
  if (!kIsFollowed || region.is_placed) {
    placement::member_end(region.parent, 0);
    placement::workers_return(region.crew);
  }
}

// A member of a region that is followed begins. Returns its number.
inline int begin_member(const Region& region) {
  const omp::Calls& calls = region.runtime->calls;
  const int number = calls.get_thread_num();
  const int size = calls.get_num_threads();
  if (region.is_placed) {
    placement::member_begin(region.parent, number, size, calls);
  }
  if (region.team != nullptr) {
    sharing::member_begin(region.team, number, size);
  }
  t_here = {region.runtime, nullptr, nullptr};
  return number;
}

// The members still run explicit tasks in the last barrier: the master's end is reported behind it,
// when the fork returns; a worker does nothing between that barrier and its next region but these.
// Teams that it forks there are kept as those of a thread outside of regions.
inline void end_worker(sharing::Team* team, int number) {
  if (team != nullptr && number != 0) {
    sharing::member_end(team, number);
  }
}

// What each member runs in place of the outlined function; `region` is a Region.
template <bool kIsFollowed>
void run_member(void* region) {
  fork_is_done();
  const Region& fork = *static_cast<Region*>(region);
  const Outlined function = fork.function;
  void* data = fork.data;
  if constexpr (kIsFollowed) {
    sharing::Team* team = fork.team;
    const int number = begin_member(fork);
    function(data);
    end_worker(team, number);
  } else {
    const omp::Calls& calls = fork.runtime->calls;
    placement::member_begin(fork.parent, calls.get_thread_num(), calls.get_num_threads(), calls);
    function(data);
  }
}

// The same where the members begin the fork's loop; `region` is a LoopRegion.
inline void run_member_with_loop(void* region) {
  fork_is_done();
  const LoopRegion& fork = *static_cast<LoopRegion*>(region);
  const Outlined function = fork.region.function;
  void* data = fork.region.data;
  sharing::Team* team = fork.region.team;
  const int number = begin_member(fork.region);
  t_here.forked = &fork.loop;
  function(data);
  t_here.forked = nullptr;
  end_worker(team, number);
}

}  // namespace nestbind::gomp
