// SPDX-License-Identifier: BSD-3-Clause
// Tests nestbind_set_schedule, nestbind_get_schedule and omp_set_schedule.
#include <nestbind/nestbind.h>

#include <atomic>
#include <catch2/catch.hpp>

#include "helpers/captured.hpp"
#include "helpers/fresh_process.hpp"
#include "worksharing/regions.hpp"
#include "worksharing/schedule_in_force.hpp"
#include "worksharing/unseen_loops.hpp"

using namespace nestbind;
using worksharing::LoopKind;

namespace {

int set(const std::string& text) { return worksharing::set_schedule(text.data(), text.size()); }

std::string get() {
  char text[200] = "?";
  const std::size_t length = worksharing::get_schedule(text, sizeof text);
  return length == std::string(text).size() ? text : "wrong length";
}

int sharing_members(int size, LoopKind kind = LoopKind::kRuntime) {
  std::atomic<int> ours{0};
  fake::region(size, [&](int, fake::Region&) { ours += fake::is_shared(kind) ? 1 : 0; });
  return ours;
}

}  // namespace

TEST_CASE("without a schedule loops are native") {
  fresh::process({}, [] {
    CHECK(get() == "native");
    CHECK_FALSE(worksharing::is_wanted());
    CHECK(sharing_members(2) == 0);
    CHECK(worksharing::get_schedule(nullptr, 0) == 6);
  });
}

TEST_CASE("a schedule set outside of regions applies from the next fork on") {
  fresh::process({}, [] {
    sharing_members(3);
    REQUIRE(set(" Hybrid , F = 0.75,chunk=8") == NESTBIND_OK);
    CHECK(get() == "hybrid,f=0.75,chunk=8");
    CHECK(worksharing::is_wanted());
    CHECK(sharing_members(3) == 3);
    CHECK(sharing_members(3, LoopKind::kDynamic) == 0);
    REQUIRE(set("hybrid,loops=all") == NESTBIND_OK);
    CHECK(sharing_members(3, LoopKind::kDynamic) == 3);
    REQUIRE(set("native") == NESTBIND_OK);
    CHECK(get() == "native");
    CHECK(sharing_members(3) == 0);
    CHECK(worksharing::is_wanted());
    char little[4] = "abc";
    CHECK(worksharing::get_schedule(little, sizeof little) == 6);
    CHECK(std::string(little) == "nat");
  });
}

TEST_CASE("a schedule set by a call wins over the variable") {
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid,f=0.5"}}, [] {
    CHECK(get() == "hybrid,f=0.5");
    CHECK(sharing_members(2) == 2);
    REQUIRE(set("native") == NESTBIND_OK);
    CHECK(sharing_members(2) == 0);
  });
}

TEST_CASE("a bad schedule changes nothing and is reported") {
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid,f=0.5"}}, [] {
    const struct {
      const char* text;
      int error;
    } bad[] = {{"", NESTBIND_BAD_SCHEDULE},
               {"dynamic", NESTBIND_BAD_SCHEDULE},
               {"hybrid,g=1", NESTBIND_BAD_OPTION},
               {"hybrid,f=1,f=1", NESTBIND_BAD_OPTION},
               {"hybrid,f=2", NESTBIND_BAD_VALUE},
               {"hybrid,chunk=0", NESTBIND_BAD_VALUE},
               {"hybrid,queue=core", NESTBIND_BAD_VALUE},
               {"hybrid;f=1", NESTBIND_BAD_SEPARATOR}};
    for (const auto& [text, error] : bad) {
      INFO(text);
      const fresh::Captured said;
      CHECK(set(text) == error);
      CHECK(fresh::count(said.text(), "nestbind_set_schedule: column ") == 1);
      CHECK(get() == "hybrid,f=0.5");
    }
    CHECK(worksharing::set_schedule(nullptr, 0) == NESTBIND_BAD_ARGUMENT);
  });
}

TEST_CASE("a schedule set in a region applies to the caller's forks there") {
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid,f=0.5"}}, [] {
    std::atomic<int> inner[2] = {0, 0};
    std::atomic<int> outer{0};
    fake::region(2, [&](int number, fake::Region& region) {
      if (number == 1) {
        CHECK(set("native") == NESTBIND_OK);
        CHECK(get() == "native");
      }
      region.meet();
      outer += fake::is_shared(LoopKind::kRuntime) ? 1 : 0;
      inner[number] = sharing_members(2);
      CHECK(get() == (number == 1 ? "native" : "hybrid,f=0.5"));
    });
    CHECK(outer == 2);
    CHECK(inner[0] == 2);
    CHECK(inner[1] == 0);
    fake::region(2, [&](int, fake::Region&) { CHECK(sharing_members(2) == 2); });
    CHECK(get() == "hybrid,f=0.5");
  });
}

TEST_CASE("omp_set_schedule outside of regions wins for the thread's forks") {
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid,loops=dynamic"}}, [] {
    worksharing::runtime_is_chosen();
    CHECK(worksharing::was_runtime_chosen());
    CHECK(sharing_members(2) == 0);
    CHECK(sharing_members(2, LoopKind::kDynamic) == 2);
    CHECK(get() == "hybrid,loops=dynamic");
    fake::region(2, [](int, fake::Region&) { CHECK(sharing_members(2) == 0); });
    fake::on_new_thread([] { CHECK(sharing_members(2) == 2); });
    REQUIRE(set("hybrid") == NESTBIND_OK);
    CHECK(sharing_members(2) == 2);
    worksharing::runtime_is_chosen();
    CHECK(sharing_members(2) == 0);
    CHECK(get() == "native");
  });
}

TEST_CASE("a schedule is native if no team is known") {
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid"}}, [] {
    CHECK(get() == "hybrid");
    const fresh::Captured said;
    worksharing::tell_unknown_team();
    worksharing::tell_unknown_team();
    CHECK(fresh::count(said.text(), "the runtime schedules its loops") == 1);
    CHECK(get() == "native");
    CHECK(sharing_members(2) == 2);
    CHECK(get() == "hybrid");
  });
}

TEST_CASE("a team with another size than requested still shares its loops") {
  fresh::process({}, [] {
    REQUIRE(set("hybrid") == NESTBIND_OK);
    for (int round = 0; round < 2; ++round) {
      team::Team* const team = team::fork_begin(fake::calls(0), nullptr, 3);
      fake::run_team(0, fake::Members::kKept, 2, [&](int number, int granted) {
        team::member_begin(team, number, granted);
        CHECK(set("hybrid,f=0.5") == NESTBIND_OK);
        CHECK(fake::is_shared(LoopKind::kRuntime));
        team::member_end(team, number);
      });
    }
  });
}

TEST_CASE("queues of near threads need a specification") {
  const std::string told =
      "hybrid,queue=l3: without a specification the near threads are not known, so each thread "
      "has its own queue";
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid,queue=l3"}},
                 [] { CHECK(get() == "hybrid,queue=l3"); }, {0, told});
  fresh::process({}, [&] {
    const fresh::Captured said;
    REQUIRE(set("hybrid,queue=l3") == NESTBIND_OK);
    REQUIRE(set("hybrid,queue=l3,taper") == NESTBIND_OK);
    CHECK(fresh::count(said.text(), told) == 1);
  });
  for (const char* others : {"hybrid,queue=all", "hybrid,queue=thread", "native"}) {
    fresh::process({}, [&] {
      const fresh::Captured said;
      REQUIRE(set(others) == NESTBIND_OK);
      CHECK(said.text().empty());
    });
  }
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "2,scatter"}}, [] {
    const fresh::Captured said;
    REQUIRE(set("hybrid,queue=l3") == NESTBIND_OK);
    CHECK(said.text().empty());
  });
}

TEST_CASE("omp_set_schedule has no effect if nestbind has no schedule") {
  fresh::process({}, [] {
    worksharing::runtime_is_chosen();
    CHECK_FALSE(worksharing::was_runtime_chosen());
    REQUIRE(set("hybrid") == NESTBIND_OK);
    CHECK(sharing_members(2) == 2);
  });
}

TEST_CASE("omp_set_schedule by one member applies to all members after the next barrier") {
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid"}}, [] {
    std::atomic<int> before{0};
    std::atomic<int> behind{0};
    std::atomic<int> inner[3] = {0, 0, 0};
    fake::region(3, [&](int number, fake::Region& region) {
      region.barrier();
      if (number == 1) {
        worksharing::runtime_is_chosen();
        inner[number] = sharing_members(2);
      }
      region.meet();
      before += fake::is_shared(LoopKind::kRuntime) ? 1 : 0;
      if (number != 1) {
        inner[number] = sharing_members(2);
      }
      region.barrier();
      behind += fake::is_shared(LoopKind::kRuntime) ? 1 : 0;
      CHECK(fake::is_shared(LoopKind::kDynamic) == false);
    });
    CHECK(before == 3);
    CHECK(behind == 0);
    CHECK(inner[0] == 2);
    CHECK(inner[1] == 0);
    CHECK(inner[2] == 2);
    CHECK(sharing_members(3) == 3);
  });
}

TEST_CASE("a member that is late at a barrier ignores a call after the barrier") {
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid"}}, [] {
    std::atomic<int> first{0};
    std::atomic<int> second{0};
    fake::region(2, [&](int number, fake::Region& region) {
      region.meet();
      if (number == 1) {
        region.meet();  // this member is late
      }
      worksharing::pass_barrier(fake::calls(0));
      first += fake::is_shared(LoopKind::kRuntime) ? 1 : 0;  // this loop has no barrier at its end
      worksharing::runtime_is_chosen();
      if (number == 0) {
        region.meet();
      }
      second += fake::is_shared(LoopKind::kRuntime, 2) ? 1 : 0;
      region.barrier();
      CHECK_FALSE(fake::is_shared(LoopKind::kRuntime, 3));
    });
    CHECK(first == 2);
    CHECK(second == 2);
  });
}
