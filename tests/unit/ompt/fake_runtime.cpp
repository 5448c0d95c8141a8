// SPDX-License-Identifier: BSD-3-Clause
#include "fake_runtime.hpp"

#include <vector>

#include "helpers/fake_omp.hpp"
#include "instrument/ompt/ompt_runtimes.hpp"

extern "C" nestbind::ompt::StartToolResult* ompt_start_tool(unsigned, const char*);

// The runtime's functions must be in this program, which looks them up.
#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))
FAKE_EXPORT int omp_get_thread_num() { return fake::calls(0).get_thread_num(); }
FAKE_EXPORT int omp_get_num_threads() { return fake::calls(0).get_num_threads(); }
FAKE_EXPORT int omp_get_max_threads() { return fake::calls(0).get_max_threads(); }
FAKE_EXPORT int omp_get_level() { return fake::calls(0).get_level(); }
FAKE_EXPORT int omp_get_ancestor_thread_num(int level) {
  return fake::calls(0).get_ancestor_thread_num(level);
}
FAKE_EXPORT int omp_get_team_size(int level) { return fake::calls(0).get_team_size(level); }
FAKE_EXPORT int omp_get_max_active_levels() { return fake::calls(0).get_max_active_levels(); }
FAKE_EXPORT void omp_set_num_threads(int size) { fake::calls(0).set_num_threads(size); }
FAKE_EXPORT void omp_set_max_active_levels(int n) { fake::calls(0).set_max_active_levels(n); }

namespace fake_ompt {

std::array<Function, kEvents> g_set{};
int g_set_calls = 0;
int g_set_result = kSetAlways;
Data* g_region = nullptr;
bool g_has_set_callback = true;

namespace {

int set_callback(int event, Function callback) {
  ++g_set_calls;
  g_set.at(static_cast<std::size_t>(event)) = callback;
  return g_set_result;
}

int get_callback(int event, Function* callback) {
  *callback = g_set.at(static_cast<std::size_t>(event));
  return *callback != nullptr ? 1 : 0;
}

int get_parallel_info(int, Data** region, int* size) {
  *region = g_region;
  *size = 2;
  return 2;
}

int get_task_info(int, int*, Data**, Frame**, Data** region, int*) {
  *region = g_region;
  return 2;
}

std::uint64_t get_unique_id() { return 1; }

}  // namespace

Function lookup(const char* name) {
  const struct {
    const char* name;
    Function function;
  } known[] = {{"ompt_get_callback", reinterpret_cast<Function>(get_callback)},
               {"ompt_get_parallel_info", reinterpret_cast<Function>(get_parallel_info)},
               {"ompt_get_task_info", reinterpret_cast<Function>(get_task_info)},
               {"ompt_get_unique_id", reinterpret_cast<Function>(get_unique_id)}};
  if (g_has_set_callback && std::string(name) == "ompt_set_callback") {
    return reinterpret_cast<Function>(set_callback);
  }
  for (const auto& entry : known) {
    if (std::string(name) == entry.name) {
      return entry.function;
    }
  }
  return nullptr;
}

int start(StartToolResult* second) {
  StartToolResult* tool = ompt_start_tool(202011, "fake");
  if (second != nullptr) {
    g_runtimes[0].next = second;
  }
  return tool->initialize(lookup, 0, &tool->tool_data);
}

void parallel(const Region& region, const std::function<void(int)>& body) {
  const auto begin = reinterpret_cast<ParallelBegin>(g_set[kParallelBegin]);
  const auto end = reinterpret_cast<ParallelEnd>(g_set[kParallelEnd]);
  Data task{};
  Data word{};
  Frame frame{};
  frame.enter_frame.ptr = region.has_frame ? &frame : nullptr;
  if (begin != nullptr) {
    begin(&task, &frame, &word, region.size, region.flags, region.code);
  }
  if (region.begun != nullptr) {
    region.begun(word);
  }
  fake::run_team(0, fake::Members::kKept, static_cast<int>(region.size), [&](int number, int size) {
    const auto of = [](int event) { return reinterpret_cast<ImplicitTask>(g_set[event]); };
    Data own{};
    static thread_local std::vector<Data*> s_tasks;
    s_tasks.push_back(&own);
    const auto team = static_cast<unsigned>(size);
    const auto index = static_cast<unsigned>(number);
    if (of(kImplicitTask) != nullptr) {
      of(kImplicitTask)(kScopeBegin, &word, &own, team, index, 0);
    }
    body(number);
    if (of(kImplicitTask) != nullptr) {
      of(kImplicitTask)(kScopeEnd, number == 0 ? &word : nullptr,
                        region.names_outermost ? s_tasks.front() : &own, 0, index, 0);
    }
    s_tasks.pop_back();
  });
  if (end != nullptr) {
    Data freed{};
    freed.value = 0xefefefefefefefefU;
    end(region.loses_word ? &freed : &word, &task, region.flags, region.code);
  }
}

void initial_task(int endpoint, unsigned number) {
  if (const auto task = reinterpret_cast<ImplicitTask>(g_set[kImplicitTask])) {
    Data region{};
    Data own{};
    task(endpoint, &region, &own, 1, number, kTaskInitial);
  }
}

}  // namespace fake_ompt
