// SPDX-License-Identifier: BSD-3-Clause
// A shared library that records the calls of LLVM's entry points of loops and barriers. Each loop
// has one piece, from 1 to 2. The piece never has the last iteration. Like old versions of the
// runtime, the library has no __kmpc_dispatch_deinit.
#include "runtime_library.hpp"

#include <utility>

#include "helpers/fake_omp.hpp"

// The hooks use the same type, because a sanitizer checks calls through pointers.
namespace nestbind::kmpc {
struct Ident;
}
using nestbind::kmpc::Ident;

namespace {

std::vector<fake_kmpc::Call> g_calls;
bool g_has_more = false;

template <typename Value, typename Step>
void init(const char* name, int schedule, Value first, Value last, Step step, Step chunk) {
  g_calls.push_back({name,
                     schedule,
                     {static_cast<std::int64_t>(first), static_cast<std::int64_t>(last),
                      static_cast<std::int64_t>(step), static_cast<std::int64_t>(chunk)}});
  g_has_more = true;
}

template <typename Value, typename Step>
int next(const char* name, std::int32_t* has_last, Value* first, Value* last, Step* step) {
  g_calls.push_back({name, 0, {}});
  if (!g_has_more) {
    return 0;
  }
  g_has_more = false;
  *first = 1;
  *last = 2;
  *step = 1;
  *has_last = 0;
  return 1;
}

}  // namespace

namespace fake_kmpc {

std::vector<Call> calls() { return std::exchange(g_calls, {}); }

}  // namespace fake_kmpc

extern "C" {

int omp_get_thread_num() { return fake::calls(0).get_thread_num(); }
int omp_get_num_threads() { return fake::calls(0).get_num_threads(); }
int omp_get_max_threads() { return fake::calls(0).get_max_threads(); }
int omp_get_level() { return fake::calls(0).get_level(); }
int omp_get_ancestor_thread_num(int level) { return fake::calls(0).get_ancestor_thread_num(level); }
int omp_get_team_size(int level) { return fake::calls(0).get_team_size(level); }
int omp_get_max_active_levels() { return fake::calls(0).get_max_active_levels(); }
void omp_set_num_threads(int size) { fake::calls(0).set_num_threads(size); }
void omp_set_max_active_levels(int levels) { fake::calls(0).set_max_active_levels(levels); }

// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)
#define FAKE_LOOP(suffix, Value, Step)                                                         \
  void __kmpc_dispatch_init_##suffix(const Ident*, int, int schedule, Value first, Value last, \
                                     Step step, Step chunk) {                                  \
    init("dispatch_init_" #suffix, schedule, first, last, step, chunk);                        \
  }                                                                                            \
  int __kmpc_dispatch_next_##suffix(const Ident*, int, std::int32_t* has_last, Value* first,   \
                                    Value* last, Step* step) {                                 \
    return next("dispatch_next_" #suffix, has_last, first, last, step);                        \
  }                                                                                            \
  void __kmpc_dispatch_fini_##suffix(const Ident*, int) {                                      \
    g_calls.push_back({"dispatch_fini_" #suffix, 0, {}});                                      \
  }
FAKE_LOOP(4, std::int32_t, std::int32_t)
FAKE_LOOP(4u, std::uint32_t, std::int32_t)
FAKE_LOOP(8, std::int64_t, std::int64_t)
FAKE_LOOP(8u, std::uint64_t, std::int64_t)

void __kmpc_doacross_init(const Ident*, int, int levels, const void*) {
  g_calls.push_back({"doacross_init", 0, {levels}});
}
void __kmpc_doacross_fini(const Ident*, int) { g_calls.push_back({"doacross_fini", 0, {}}); }
void __kmpc_barrier(const Ident*, int) { g_calls.push_back({"barrier", 0, {}}); }
int __kmpc_cancel_barrier(const Ident*, int) {
  g_calls.push_back({"cancel_barrier", 0, {}});
  return 1;
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
}
