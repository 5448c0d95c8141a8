// SPDX-License-Identifier: BSD-3-Clause
// The entries by which programs of GCC 4.9 and later fork a team.
#include <new>

#include "instrument/gomp/forked_loop.hpp"
#include "instrument/gomp/region.hpp"
#include "interpose/next_function.hpp"
#include "process/armed.hpp"

namespace nestbind::gomp {

constinit thread_local OpenRegions t_open_regions __attribute__((tls_model("initial-exec"))) = {};

namespace {

// When the runtime's fork has returned.
template <bool kIsFollowed>
struct Ending {
  const Region& region;
  ~Ending() { end_region<false>(region); }
};
template <>
struct Ending<true> {
  const Region& region;
  const Here before = t_here;
  ~Ending() {
    end_region<true>(region);
    t_here = before;
  }
};

// A place for a region that the calling thread forks.
class OpenRegion {
 public:
  OpenRegion() { ++open_.count; }
  ~OpenRegion() { --open_.count; }
  OpenRegion(const OpenRegion&) = delete;
  OpenRegion& operator=(const OpenRegion&) = delete;

  Region& region() {
    return open_.count == 1                         ? open_.outermost.region
           : open_.count - 2 < OpenRegions::kDeeper ? open_.deeper[open_.count - 2]
                                                    : *new (deep_) Region{};
  }
  // memory: for one where there is no place.
  LoopRegion& loop_region(void* memory) {
    return open_.count == 1 ? open_.outermost : *new (memory) LoopRegion{};
  }

 private:
  OpenRegions& open_ = t_open_regions;
  alignas(Region) unsigned char deep_[sizeof(Region)];  // only written where it is used
};

// Null where no runtime is to be found, or it does not have the entry: then the region is run by
// the thread that is there.
inline const Runtime* runtime_with(int entry, Outlined function) {
  const Runtime* runtime = runtime_of(reinterpret_cast<const void*>(function));
  return runtime == nullptr || runtime->entry[entry] == nullptr ? nullptr : runtime;
}

// Hands a fork on that somebody is told of.
template <bool kIsFollowed, typename Next, typename... Arguments>
[[gnu::always_inline]] inline auto fork_told(Next* next, int entry, const Runtime& runtime,
                                             Told told, Outlined function, void* data,
                                             unsigned threads, Arguments... arguments) {
  OpenRegion open;
  Region& region = open.region();
  begin_region<kIsFollowed>(region, runtime, function, data, threads, told);
  if (entry == entry_of("GOMP_parallel_reductions")) {
    region.first_word = *static_cast<void**>(data);
  }
  const Ending<kIsFollowed> ending{region};
  return next(run_member<kIsFollowed>, &region, threads, arguments...);
}

// Hands a fork on, with our function in place of the program's.
template <typename Result = void, typename... Arguments>
Result fork(int entry, Outlined function, void* data, unsigned threads, Arguments... arguments) {
  const Runtime* runtime = runtime_with(entry, function);
  if (runtime == nullptr) {
    function(data);
    return Result();
  }
  auto* next =
      reinterpret_cast<Result (*)(Outlined, void*, unsigned, Arguments...)>(runtime->entry[entry]);
  const Told told{process::armed(), sharing::is_wanted()};
  if (told.nobody() || !runtime->is_heard) {
    return next(function, data, threads, arguments...);
  }
  if (is_followed(told)) {
    return fork_told<true>(next, entry, *runtime, told, function, data, threads, arguments...);
  }
  constexpr Told kOnlyPlaced{true, false};
  return fork_told<false>(next, entry, *runtime, kOnlyPlaced, function, data, threads,
                          arguments...);
}

// The same of a fork that is one with its loop, if that is taken: the runtime forks without it.
template <typename... Chunk>
void fork_with_loop(int entry, const LoopClause& clause, Outlined function, void* data,
                    unsigned threads, unsigned flags, long first, long behind, long step,
                    Chunk... chunk) {
  const Runtime* runtime =
      is_begun_by_members(clause, step) ? runtime_with(kParallel, function) : nullptr;
  if (runtime == nullptr) {
    fork(entry, function, data, threads, first, behind, step, chunk..., flags);
    return;
  }
  OpenRegion open;
  alignas(LoopRegion) unsigned char deep[sizeof(LoopRegion)];  // only written where it is used
  LoopRegion& fork = open.loop_region(deep);
  write_if_other(fork.loop, forked_loop(clause, function, first, behind, step, chunk...));
  const Told told{process::armed(), true};
  begin_region<true>(fork.region, *runtime, function, data, threads,
                     runtime->is_heard ? told : Told{false, false});
  const Ending<true> ending{fork.region};
  auto* next =
      reinterpret_cast<void (*)(Outlined, void*, unsigned, unsigned)>(runtime->entry[kParallel]);
  next(run_member_with_loop, &fork, threads, flags);
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
  fork_with_loop(entry_of(__func__), kDynamic, function, data, threads, flags, start, end, step,
                 chunk);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_guided(Outlined function, void* data, unsigned threads,
                                                  long start, long end, long step, long chunk,
                                                  unsigned flags) {
  fork_with_loop(entry_of(__func__), kGuided, function, data, threads, flags, start, end, step,
                 chunk);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_runtime(Outlined function, void* data, unsigned threads,
                                                   long start, long end, long step,
                                                   unsigned flags) {
  fork_with_loop(entry_of(__func__), kRuntime, function, data, threads, flags, start, end, step);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_nonmonotonic_dynamic(Outlined function, void* data,
                                                                unsigned threads, long start,
                                                                long end, long step, long chunk,
                                                                unsigned flags) {
  fork_with_loop(entry_of(__func__), kNonmonotonicDynamic, function, data, threads, flags, start,
                 end, step, chunk);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_nonmonotonic_guided(Outlined function, void* data,
                                                               unsigned threads, long start,
                                                               long end, long step, long chunk,
                                                               unsigned flags) {
  fork_with_loop(entry_of(__func__), kNonmonotonicGuided, function, data, threads, flags, start,
                 end, step, chunk);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_nonmonotonic_runtime(Outlined function, void* data,
                                                                unsigned threads, long start,
                                                                long end, long step,
                                                                unsigned flags) {
  fork_with_loop(entry_of(__func__), kNonmonotonicRuntime, function, data, threads, flags, start,
                 end, step);
}

NESTBIND_INTERPOSE void GOMP_parallel_loop_maybe_nonmonotonic_runtime(Outlined function, void* data,
                                                                      unsigned threads, long start,
                                                                      long end, long step,
                                                                      unsigned flags) {
  fork_with_loop(entry_of(__func__), kMaybeNonmonotonicRuntime, function, data, threads, flags,
                 start, end, step);
}
