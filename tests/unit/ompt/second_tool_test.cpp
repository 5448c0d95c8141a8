// SPDX-License-Identifier: BSD-3-Clause
// A second tool must get the same events and data words as without our tool.
#include <algorithm>
#include <catch2/catch.hpp>
#include <mutex>
#include <vector>

#include "binding/thread.hpp"
#include "fake_runtime.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "instrument/ompt/ompt_runtimes.hpp"
#include "placement/questions.hpp"
#include "places/place.hpp"

using namespace nestbind;
using namespace fake_ompt;
using binding::t_thread;

namespace {

const fresh::Variables kBesideTool = {{"OMP_NESTING_TEAM_SIZE", "4,scatter,2,subcompact"},
                                      {"NESTBIND_MACHINE", fresh::machine("barcelona")}};

std::mutex g_lock;
Lookup g_lookup = nullptr;
bool g_wants_to_start = true;
bool g_finalized = false;
std::uint64_t g_regions = 0;
std::vector<std::uint64_t> g_begun;
std::vector<std::uint64_t> g_ended;
int g_members = 0;
int g_foreign = 0;  // words without a known region
int g_works = 0;

bool is_ours(const Data* word) { return word->value >= 1 && word->value <= g_regions; }

void on_begin(Data*, const Frame*, Data* region, unsigned, int, const void*) {
  const std::lock_guard lock(g_lock);
  g_foreign += region->value == 0 ? 0 : 1;
  region->value = ++g_regions;
  g_begun.push_back(region->value);
}

void on_end(Data* region, Data*, int, const void*) {
  const std::lock_guard lock(g_lock);
  g_ended.push_back(region->value);
}

void on_task(int endpoint, Data* region, Data*, unsigned, unsigned, int flags) {
  const std::lock_guard lock(g_lock);
  if ((flags & kTaskInitial) == 0 && endpoint == kScopeBegin) {
    ++g_members;
    g_foreign += is_ours(region) ? 0 : 1;
  }
}

void on_work(int, int, Data* region, Data*, std::uint64_t, const void*) {
  const std::lock_guard lock(g_lock);
  ++g_works;
  g_foreign += is_ours(region) ? 0 : 1;
}

void on_other() {}

SetCallback setter() { return reinterpret_cast<SetCallback>(g_lookup("ompt_set_callback")); }

template <typename F>
void set(Event event, F function) {
  setter()(event, reinterpret_cast<Function>(function));
}

int initialize(Lookup lookup, int, Data*) {
  g_lookup = lookup;
  set(kParallelBegin, on_begin);
  set(kParallelEnd, on_end);
  set(kImplicitTask, on_task);
  set(kWork, on_work);
  set(1, on_other);
  return g_wants_to_start ? 1 : 0;
}

StartToolResult g_second{initialize, [](Data*) { g_finalized = true; }, Data{}};

std::string second_rows(bool loses_word = false) {
  fake::Seen seen;
  parallel({.loses_word = loses_word}, [&](int) {
    parallel({.loses_word = loses_word}, [&](int) { seen.note(cpus::told()); });
  });
  return seen.rows();
}

}  // namespace

TEST_CASE("both tools have their own data words") {
  fresh::process(kBesideTool, [] {
    CHECK(start(&g_second) == 1);
    for (int round = 1; round <= 2; ++round) {
      CHECK(second_rows() == "0 1 / 4 5 / 8 9 / 12 13");
      CHECK(g_regions == static_cast<std::uint64_t>(5 * round));
      CHECK(g_members == 12 * round);
    }
    CHECK(g_foreign == 0);
    std::sort(g_ended.begin(), g_ended.end());
    CHECK(g_ended == g_begun);
    CHECK(placement::own_place() == nullptr);
    StartToolResult& ours = g_runtimes[0].result;
    ours.finalize(&ours.tool_data);
    CHECK(g_finalized);
  });
}

TEST_CASE("the second tool gets the right word even if the runtime has freed a word") {
  fresh::process(kBesideTool, [] {
    start(&g_second);
    CHECK(second_rows(true) == "0 1 / 4 5 / 8 9 / 12 13");
    std::sort(g_ended.begin(), g_ended.end());
    CHECK(g_ended == g_begun);
    CHECK(g_foreign == 0);
  });
}

TEST_CASE("other events of a region have the second tool's word") {
  fresh::process(kBesideTool, [] {
    start(&g_second);
    CHECK(g_set[1] == on_other);
    CHECK(g_set[kWork] != reinterpret_cast<Function>(on_work));
    CHECK(g_set[kMasked] == nullptr);  // no tool wants this event
    parallel({.size = 1, .begun = [](Data& word) { g_region = &word; }}, [](int) {
      Data task{};
      reinterpret_cast<Scope<std::uint64_t, const void*>>(g_set[kWork])(1, kScopeBegin, g_region,
                                                                        &task, 10, nullptr);
      Data* region = nullptr;
      int size = 0;
      const auto info = reinterpret_cast<GetParallelInfo>(g_lookup("ompt_get_parallel_info"));
      CHECK(info(0, &region, &size) == 2);
      CHECK(region->value == 1);
      Data* of_task = nullptr;
      reinterpret_cast<GetTaskInfo>(g_lookup("ompt_get_task_info"))(0, nullptr, nullptr, nullptr,
                                                                    &of_task, nullptr);
      CHECK(of_task == region);
    });
    CHECK(g_works == 1);
    CHECK(g_foreign == 0);
    CHECK(g_lookup("nobody_has_it") == nullptr);
  });
}

TEST_CASE("the second tool can ask for its own callbacks and remove them") {
  fresh::process(kBesideTool, [] {
    start(&g_second);
    const auto get = reinterpret_cast<GetCallback>(g_lookup("ompt_get_callback"));
    Function found = nullptr;
    for (const auto& [event, function] :
         {std::pair{kParallelBegin, reinterpret_cast<Function>(on_begin)},
          std::pair{kWork, reinterpret_cast<Function>(on_work)}, std::pair{1, &on_other}}) {
      CHECK(get(event, &found) == 1);
      CHECK(found == function);
    }
    CHECK(get(kDispatch, &found) == 0);
    CHECK(setter()(kParallelBegin, nullptr) == kSetAlways);
    setter()(kWork, nullptr);
    CHECK(get(kParallelBegin, &found) == 0);
    CHECK(g_set[kParallelBegin] != nullptr);
    CHECK(g_set[kWork] == nullptr);
    const auto before = g_regions;
    parallel({.size = 1}, [](int) { CHECK(placement::own_place() != nullptr); });
    CHECK(g_regions == before);
  });
}

TEST_CASE("a second tool that does not start does not disturb ours") {
  fresh::process(kBesideTool, [] {
    g_wants_to_start = false;
    CHECK(start(&g_second) == 1);
    CHECK(g_set[kWork] == nullptr);
    CHECK(g_runtimes[0].next == nullptr);
    CHECK(second_rows() == "0 1 / 4 5 / 8 9 / 12 13");
    CHECK(g_regions == 0);
  });
}

TEST_CASE("the second tool works without a specification") {
  fresh::process({{"NESTBIND_MACHINE", fresh::machine("barcelona")}}, [] {
    CHECK(start(&g_second) == 1);
    parallel({.size = 2}, [](int) {});
    CHECK(g_members == 2);
    CHECK(team::t_here.told == nullptr);
    const std::string text = "4,scatter,2,subcompact";
    REQUIRE(placement::set_specification(text.data(), text.size()) == NESTBIND_OK);
    CHECK(second_rows() == "0 1 / 4 5 / 8 9 / 12 13");
    CHECK(g_foreign == 0);
  });
}

TEST_CASE("the second tool is told of a league and our tool ignores it") {
  fresh::process(kBesideTool, [] {
    start(&g_second);
    parallel({.size = 1, .flags = kParallelLeague},
             [](int) { CHECK(placement::own_place() == nullptr); });
    CHECK(g_regions == 1);
    CHECK(g_members == 1);
    CHECK(g_ended == g_begun);
    CHECK(second_rows() == "0 1 / 4 5 / 8 9 / 12 13");
  });
}
