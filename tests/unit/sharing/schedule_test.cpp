// SPDX-License-Identifier: BSD-3-Clause
// The schedule of the environment, with or without a specification.
#include "sharing/schedule.hpp"

#include <nestbind/nestbind.h>

#include <catch2/catch.hpp>

#include "helpers/fresh_process.hpp"
#include "process/armed.hpp"

using namespace nestbind;

TEST_CASE("nobody wants loops to be shared unless a schedule says so") {
  for (const fresh::Variables& variables :
       {fresh::Variables{}, {{"NESTBIND_SCHEDULE", ""}}, {{"NESTBIND_SCHEDULE", "native"}}}) {
    fresh::process(variables, [] {
      CHECK_FALSE(sharing::is_wanted());
      CHECK(sharing::schedule_for_fork() == nullptr);
    });
  }
}

TEST_CASE("a schedule holds without a specification and binds nothing") {
  fresh::process({{"NESTBIND_SCHEDULE", " Hybrid , f=0.75 , chunk=8 "}}, [] {
    CHECK(sharing::is_wanted());
    CHECK_FALSE(process::armed());
    const sharing::InForce* in_force = sharing::schedule_for_fork();
    REQUIRE(in_force != nullptr);
    CHECK(in_force->settings.schedule.fraction == 7500);
    CHECK(in_force->settings.schedule.chunk == 8);
    CHECK(in_force->settings.take > 0);
    CHECK_FALSE(in_force->settings.is_reported);
  });
}

TEST_CASE("a bad schedule is told and the loops stay the runtime's") {
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid,f=2"}}, [] { CHECK_FALSE(sharing::is_wanted()); },
                 {0, "nestbind: NESTBIND_SCHEDULE: column 10: "});
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid,f=2"}}, [] { CHECK_FALSE(sharing::is_wanted()); },
                 {0, "\n  it is ignored: loops are the runtime's own\n"});
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid,f=2"}, {"NESTBIND_STRICT", "1"}},
                 [] { FAIL("main is reached"); },
                 {NESTBIND_STRICT_STATUS, "the program is stopped (NESTBIND_STRICT=1)"});
}

TEST_CASE("which loops a schedule takes") {
  using sharing::LoopKind;
  using sharing::takes;
  loops::Schedule schedule;
  CHECK_FALSE(takes(schedule, LoopKind::kRuntime));
  schedule.kind = loops::Kind::kHybrid;
  CHECK(takes(schedule, LoopKind::kRuntime));
  CHECK_FALSE(takes(schedule, LoopKind::kDynamic));
  CHECK_FALSE(takes(schedule, LoopKind::kGuided));
  schedule.taken = loops::Taken::kDynamic;
  CHECK(takes(schedule, LoopKind::kDynamic));
  CHECK(takes(schedule, LoopKind::kGuided));
}

TEST_CASE("a listener is told when loops begin to be taken") {
  static int told = 0;
  static constinit sharing::Listener listener{[](bool is_wanted) { told += is_wanted ? 1 : 10; }};
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid"}}, [] {
    sharing::add(listener);
    CHECK(told == 1);
  });
  fresh::process({}, [] {
    sharing::add(listener);
    CHECK(told == 0);
  });
}
