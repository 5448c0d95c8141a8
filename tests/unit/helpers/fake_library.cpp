// SPDX-License-Identifier: BSD-3-Clause
// A shared library with GCC's entry points, which use runtime 0 of the program (fake_omp.hpp). Like
// an older libgomp, the library lacks some entry points.
#include "helpers/fake_library.hpp"

#include <mutex>
#include <utility>

#include "helpers/fake_omp.hpp"

namespace {

using Outlined = void (*)(void*);

fake::LastFork g_last;
std::function<void()> g_before_workers;

std::mutex g_calls_mutex;
std::vector<std::string> g_calls;

template <typename... Numbers>
void note(std::string call, Numbers... numbers) {
  ((call += " " + std::to_string(numbers)), ...);
  const std::lock_guard lock(g_calls_mutex);
  g_calls.push_back(call);
}

template <typename Value>
bool run_all(bool has_some, Value begin, Value end, Value* first, Value* behind) {
  *first = begin;
  *behind = end;
  return has_some && fake::calls(0).get_thread_num() == 0;
}

void fork(const char* entry, Outlined function, void* data, unsigned threads, unsigned flags,
          std::vector<long> loop = {}) {
  g_last = {entry, function, data, threads, flags, std::move(loop)};
  if (g_before_workers != nullptr) {
    g_before_workers();
  }
  fake::run_team(0, fake::Members::kNew, static_cast<int>(threads),
                 [=](int, int) { function(data); });
}

}  // namespace

namespace fake {

const LastFork& last_fork() { return g_last; }
void before_workers(std::function<void()> action) { g_before_workers = std::move(action); }

std::vector<std::string> loop_calls() {
  const std::lock_guard lock(g_calls_mutex);
  return std::exchange(g_calls, {});
}

}  // namespace fake

extern "C" {

#ifdef FAKE_LLVM
// nestbind knows LLVM's runtime by this name.
void __kmpc_fork_call() {}  // NOLINT(bugprone-reserved-identifier)
#endif

int omp_get_thread_num() { return fake::calls(0).get_thread_num(); }
int omp_get_num_threads() { return fake::calls(0).get_num_threads(); }
int omp_get_max_threads() { return fake::calls(0).get_max_threads(); }
int omp_get_level() { return fake::calls(0).get_level(); }
int omp_get_ancestor_thread_num(int level) { return fake::calls(0).get_ancestor_thread_num(level); }
int omp_get_team_size(int level) { return fake::calls(0).get_team_size(level); }
int omp_get_max_active_levels() { return fake::calls(0).get_max_active_levels(); }
void omp_set_num_threads(int size) { fake::calls(0).set_num_threads(size); }
void omp_set_max_active_levels(int levels) { fake::calls(0).set_max_active_levels(levels); }

void GOMP_parallel(Outlined function, void* data, unsigned threads, unsigned flags) {
  fork("parallel", function, data, threads, flags);
}

void GOMP_parallel_sections(Outlined function, void* data, unsigned threads, unsigned count,
                            unsigned flags) {
  fork("sections", function, data, threads, flags, {static_cast<long>(count)});
}

unsigned GOMP_parallel_reductions(Outlined function, void* data, unsigned threads, unsigned flags) {
  fork("reductions", function, data, threads, flags, {**static_cast<long**>(data)});
  return 42;
}

void GOMP_parallel_loop_dynamic(Outlined function, void* data, unsigned threads, long start,
                                long end, long step, long chunk, unsigned flags) {
  fork("dynamic", function, data, threads, flags, {start, end, step, chunk});
}

void GOMP_parallel_loop_runtime(Outlined function, void* data, unsigned threads, long start,
                                long end, long step, unsigned flags) {
  fork("runtime", function, data, threads, flags, {start, end, step});
}

bool GOMP_loop_maybe_nonmonotonic_runtime_start(long begin, long end, long step, long* first,
                                                long* behind) {
  note("loop_maybe_nonmonotonic_runtime_start", begin, end, step);
  return run_all(begin != end, begin, end, first, behind);
}
bool GOMP_loop_maybe_nonmonotonic_runtime_next(long*, long*) {
  note("loop_maybe_nonmonotonic_runtime_next");
  return false;
}

bool GOMP_loop_runtime_start(long begin, long end, long step, long* first, long* behind) {
  note("loop_runtime_start", begin, end, step);
  return run_all(begin != end, begin, end, first, behind);
}
bool GOMP_loop_runtime_next(long*, long*) {
  note("loop_runtime_next");
  return false;
}

bool GOMP_loop_nonmonotonic_dynamic_start(long begin, long end, long step, long chunk, long* first,
                                          long* behind) {
  note("loop_nonmonotonic_dynamic_start", begin, end, step, chunk);
  return run_all(begin != end, begin, end, first, behind);
}
bool GOMP_loop_nonmonotonic_dynamic_next(long*, long*) {
  note("loop_nonmonotonic_dynamic_next");
  return false;
}

using Unsigned = unsigned long long;
bool GOMP_loop_ull_nonmonotonic_runtime_start(bool up, Unsigned begin, Unsigned end, Unsigned step,
                                              Unsigned* first, Unsigned* behind) {
  note("loop_ull_nonmonotonic_runtime_start", up, begin, end, step);
  return run_all(begin != end, begin, end, first, behind);
}
bool GOMP_loop_ull_nonmonotonic_runtime_next(Unsigned*, Unsigned*) {
  note("loop_ull_nonmonotonic_runtime_next");
  return false;
}

void GOMP_loop_end() { note("loop_end"); }
void GOMP_loop_end_nowait() { note("loop_end_nowait"); }
bool GOMP_loop_end_cancel() {
  note("loop_end_cancel");
  return false;
}
void GOMP_barrier() { note("barrier"); }
bool GOMP_barrier_cancel() {
  note("barrier_cancel");
  return true;
}

// Between these two calls the primary thread runs the function itself.
void GOMP_parallel_start(Outlined function, void* data, unsigned threads) {
  g_last = {"start", function, data, threads, 0, {}};
  fake::self(0).path.push_back({0, 1});
}

void GOMP_parallel_end() {
  g_last.entry = "end";
  fake::self(0).path.pop_back();
}
}
