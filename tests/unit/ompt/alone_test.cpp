// SPDX-License-Identifier: BSD-3-Clause
// Tests our tool alone: when it registers, and what its callbacks report.
#include <dlfcn.h>

#include <catch2/catch.hpp>

#include "binding/thread.hpp"
#include "fake_runtime.hpp"
#include "helpers/captured.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "instrument/ompt/ompt_runtimes.hpp"
#include "instrument/ompt/tool_parts.hpp"
#include "omp/runtimes.hpp"
#include "omp/sources.hpp"
#include "owner/roots.hpp"
#include "placement/questions.hpp"
#include "places/place.hpp"

using namespace nestbind;
using namespace fake_ompt;
using binding::t_thread;

extern "C" StartToolResult* ompt_start_tool(unsigned, const char*);

namespace {

const fresh::Variables kDryRun = {{"OMP_NESTING_TEAM_SIZE", "4,scatter,2,subcompact"},
                                  {"NESTBIND_MACHINE", fresh::machine("barcelona")}};
const fresh::Variables kNothing = {{"NESTBIND_MACHINE", fresh::machine("barcelona")}};

bool is_registered() { return g_set[kParallelBegin] != nullptr && g_set[kImplicitTask] != nullptr; }

std::string rows() {
  fake::Seen seen;
  parallel({}, [&](int) { parallel({}, [&](int) { seen.note(cpus::told()); }); });
  return seen.rows();
}

int specify(const std::string& text) {
  return placement::set_specification(text.data(), text.size());
}

}  // namespace

TEST_CASE("teams that a runtime reports are placed") {
  fresh::process(kDryRun, [] {
    CHECK(start() == 1);
    CHECK(is_registered());
    CHECK(g_set[kParallelEnd] == nullptr);
    CHECK(fake::self(0).next_size == 4);
    CHECK(omp::started(0) == &g_runtimes[0].calls);
    initial_task(kScopeBegin);
    CHECK(team::t_here.told == nullptr);
    CHECK(rows() == "0 1 / 4 5 / 8 9 / 12 13");
    CHECK(rows() == "0 1 / 4 5 / 8 9 / 12 13");
    CHECK(placement::own_place() == nullptr);
    initial_task(kScopeEnd);
  });
}

TEST_CASE("callbacks are registered only after something is specified") {
  fresh::process(kNothing, [] {
    CHECK(start() == 1);
    CHECK(g_set_calls == 0);
    parallel({.size = 1}, [](int) {});
    REQUIRE(specify("4,scatter,2,subcompact") == NESTBIND_OK);
    CHECK(is_registered());
    CHECK(fake::self(0).next_size == 4);
    CHECK(rows() == "0 1 / 4 5 / 8 9 / 12 13");
  });
}

TEST_CASE("a runtime that starts after the specification registers at once") {
  fresh::process(kNothing, [] {
    REQUIRE(specify("4,scatter,2,subcompact") == NESTBIND_OK);
    CHECK(start() == 1);
    CHECK(rows() == "0 1 / 4 5 / 8 9 / 12 13");
  });
}

TEST_CASE("a region that began before the callbacks stays as it is") {
  fresh::process(kNothing, [] {
    start();
    fake::self(0).max_active_levels = 2;
    parallel({.size = 2}, [](int number) {
      if (number == 0) {
        specify("4,scatter,2,subcompact");
      }
    });
    // At the region's end, the runtime has passed a null data word.
    CHECK(placement::own_place() != nullptr);
    parallel({.size = 2}, [](int) {});
    CHECK(placement::own_place() == nullptr);
  });
}

TEST_CASE("a member of a region whose beginning was not reported stays as it is") {
  fresh::process(kNothing, [] {
    start();
    parallel({.size = 1, .begun = [](Data&) { specify("4,scatter,2,subcompact"); }}, [](int) {
      CHECK(is_registered());
      CHECK(team::t_here.told == nullptr);
    });
    CHECK(rows() == "0 1 / 4 5 / 8 9 / 12 13");
  });
}

TEST_CASE(
    "the end of a region counts for the innermost one even if the runtime names another task") {
  fresh::process(kDryRun, [] {
    start();
    const auto level = [] {
      const placement::Place* const own = placement::own_place();
      return own == nullptr ? 0 : own->level;
    };
    for (int again = 0; again < 3; ++again) {
      parallel({.size = 1}, [&](int) {
        parallel({.size = 1, .names_outermost = true}, [&](int) {
          parallel({.size = 1}, [&](int) { CHECK(level() == 3); });
          CHECK(level() == 2);
        });
        CHECK(level() == 1);
      });
      CHECK(level() == 0);
    }
    CHECK(rows() == "0 1 / 4 5 / 8 9 / 12 13");
  });
}

TEST_CASE("a team that is not planned also has a record") {
  fresh::process(kDryRun, [] {
    start();
    rows();
    fake::on_new_thread([] {
      const fresh::Captured said;
      Data kept{};
      fake::Seen seen;
      parallel({.size = 2, .begun = [&](Data& word) { kept = word; }}, [&](int) {
        seen.note(placement::is_unmanaged(placement::own_place()) ? "apart" : "placed");
      });
      CHECK(seen.rows() == "apart apart");
      CHECK(static_cast<team::Team*>(kept.ptr)->parent->is_loose);
      CHECK(placement::own_place() == nullptr);
    });
  });
}

TEST_CASE("a league is not a region of the specification") {
  fresh::process(kDryRun, [] {
    start();
    Frame frame{};
    // GCC's code makes the same call for a task reduction as for a league.
    CHECK_FALSE(is_league(&frame, 0, nullptr));
    Data word{};
    parallel({.size = 1, .flags = kParallelLeague, .begun = [&](Data& region) { word = region; }},
             [](int) { CHECK(placement::own_place() == nullptr); });
    CHECK(word.ptr == nullptr);
    CHECK((placement::owner() != nullptr));
    parallel({.size = 1, .code = nullptr, .has_frame = false},
             [](int) { CHECK(placement::own_place() == nullptr); });
    CHECK_FALSE(is_league(&frame, 0, &frame));
    CHECK_FALSE(is_league(nullptr, 0, nullptr));
    CHECK(rows() == "0 1 / 4 5 / 8 9 / 12 13");
  });
}

TEST_CASE("the tool interface is not used if the entries report all forks") {
  fresh::process(kDryRun, [] {
    REQUIRE(omp::tell_by_entries(*[] {
      static omp::Calls calls;
      omp::find_calls(calls, [](const char* name) { return dlsym(RTLD_DEFAULT, name); });
      return &calls;
    }()));
    CHECK(start() == 0);
    CHECK(g_set_calls == 0);
    CHECK(fake::self(0).next_size == 4);
  });
}

TEST_CASE("a runtime that cannot be called is not used") {
  fresh::process(kDryRun, [] {
    g_has_set_callback = false;
    CHECK(start() == 0);
    CHECK(g_set_calls == 0);
    CHECK(omp::started(0) == nullptr);
    CHECK(fake::self(0).next_size == 7);
  });
}

TEST_CASE("a runtime that refuses a callback gets one warning") {
  for (const int refused : {0, 1, 2}) {
    fresh::process(kDryRun, [refused] {
      const fresh::Captured captured;
      g_set_result = refused;
      start();
      CHECK(fresh::count(captured.text(), "warning") == 1);
      CHECK(fresh::count(captured.text(), "ompt_set_callback") == 1);
    });
  }
  fresh::process(kDryRun, [] {
    const fresh::Captured captured;
    g_set_result = 3;  // "sometimes"
    start();
    CHECK(captured.text().empty());
  });
}

TEST_CASE("each of up to four runtimes has its own callbacks") {
  fresh::process(kDryRun, [] {
    std::array<Function, kMaxRuntimes> begins{};
    for (int r = 0; r < kMaxRuntimes; ++r) {
      StartToolResult* tool = ompt_start_tool(202011, "fake");
      REQUIRE(tool != nullptr);
      CHECK(tool == &g_runtimes[r].result);
      CHECK(tool->initialize(lookup, 0, &tool->tool_data) == 1);
      begins[r] = g_set[kParallelBegin];
      for (int before = 0; before < r; ++before) {
        CHECK(begins[before] != begins[r]);
      }
      tool->finalize(&tool->tool_data);
    }
    CHECK(ompt_start_tool(202011, "fake") == nullptr);
  });
}
