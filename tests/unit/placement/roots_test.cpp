// SPDX-License-Identifier: BSD-3-Clause
// Tests threads that fork outside of regions: one owns the plan, the others are not managed.
#include "owner/roots.hpp"

#include <catch2/catch.hpp>

#include "binding/thread.hpp"
#include "helpers/captured.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"

using namespace nestbind;
using binding::t_thread;

namespace {

const fresh::Variables kDryRun = {{"OMP_NESTING_TEAM_SIZE", "4,scatter,2,subcompact"},
                                  {"NESTBIND_MACHINE", fresh::machine("barcelona")}};

constexpr char kWholeMachine[] = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15";

constexpr char kUnmanaged[] =
    "nestbind: warning: a second thread outside of OpenMP's teams opens parallel regions; its "
    "teams "
    "are not bound (NESTBIND_ROOTS=divide)\n";

std::string unmanaged() {
  return placement::is_unmanaged(placement::own_place()) && cpus::told() == kWholeMachine
             ? "apart"
             : "placed";
}

}  // namespace

TEST_CASE("the first thread that forks owns the plan") {
  fresh::process(kDryRun, [] {
    CHECK_FALSE((placement::owner() != nullptr));
    fake::rows(1);
    CHECK((placement::owner() != nullptr));
    const fresh::Captured said;
    fake::on_new_thread([] {
      CHECK(fake::rows(1, {.size = 3}, unmanaged) == "apart apart apart");
      CHECK(placement::own_place() == nullptr);
    });
    fake::on_new_thread([] { fake::rows(1, {.size = 3}); });
    CHECK(said.text() == kUnmanaged);
    CHECK(fake::rows(1) == "0 4 8 12");
  });
}

TEST_CASE("a team inside an unmanaged team is unmanaged") {
  fresh::process(kDryRun, [] {
    fake::rows(1);
    fake::on_new_thread([] {
      fake::self(0).next_size = 2;
      fake::self(0).max_active_levels = 2;
      fake::Seen behind;
      fake::parallel({}, [&](int) {
        std::string inner;
        fake::parallel({}, [&](int number) {
          if (number == 0) {
            inner = unmanaged();
          }
        });
        behind.note(inner + unmanaged());
      });
      CHECK(behind.rows() == "apartapart apartapart");
    });
  });
}

TEST_CASE("the plan has no owner after its owner ends") {
  fresh::process(kDryRun, [] {
    fake::on_new_thread([] {
      CHECK(fake::rows(1) == "0 4 8 12");
      CHECK(fake::self(0).next_size == 4);
    });
    CHECK_FALSE((placement::owner() != nullptr));
    const fresh::Captured said;
    CHECK(fake::rows(2) == "0 1 / 4 5 / 8 9 / 12 13");
    CHECK(said.text().empty());
  });
}

TEST_CASE("a kept thread that was placed gets all processors in an unmanaged team") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "2,scatter"}, {"NESTBIND_QUIET", "1"}}, [] {
    const std::string everything = cpus::in_kernel();
    fake::rows(1, {.members = fake::Members::kKept});
    fake::on_new_thread([&] {
      const fake::How kept{.members = fake::Members::kKept, .size = 2};
      fake::self(0).max_active_levels = 1;
      std::string worker;
      fake::parallel(kept, [&](int number) {
        if (number == 1) {
          worker = cpus::in_kernel();
        }
      });
      CHECK(worker == everything);
    });
  });
}

TEST_CASE("a second runtime's teams have places inside the first runtime's teams") {
  fresh::process(kDryRun, [] {
    fake::Seen seen;
    fake::parallel({.runtime = 0}, [&](int outer) {
      fake::self(1).max_active_levels = 1;
      fake::parallel({.runtime = 1, .size = 2}, [&](int inner) {
        fake::self(2).path = {{outer, 4}, {inner, 2}};
        seen.note(cpus::told(), 2);
        fake::self(2).path.clear();
      });
    });
    CHECK(seen.rows() == "0 1 / 4 5 / 8 9 / 12 13");
  });
}

TEST_CASE("a second runtime also gets the sizes at its own first fork") {
  fresh::process(kDryRun, [] {
    fake::rows(1);
    CHECK(fake::self(1).next_size == 7);
    CHECK(fake::rows(1, {.runtime = 1}) == "0 4 8 12");
    CHECK(fake::self(1).next_size == 4);
    CHECK(fake::self(1).max_active_levels == 2);
  });
}

TEST_CASE("the thread that begins a league owns the plan") {
  fresh::process(kDryRun, [] {
    team::league_begin(fake::calls(0));
    CHECK((placement::owner() != nullptr));
    CHECK(fake::self(0).next_size == 4);
    const fresh::Captured said;
    fake::on_new_thread([] { CHECK(fake::rows(1, {.size = 2}, unmanaged) == "apart apart"); });
    CHECK(fake::rows(1) == "0 4 8 12");
    CHECK(said.text() == kUnmanaged);
    team::league_begin(fake::calls(0));  // the league's end is not reported
    CHECK(said.text() == kUnmanaged);
  });
}

TEST_CASE("a league of another thread than the owner changes nothing") {
  fresh::process(kDryRun, [] {
    fake::rows(1);
    fake::on_new_thread([] {
      const fresh::Captured said;
      team::league_begin(fake::calls(0));
      CHECK(said.text().empty());
      CHECK(fake::self(0).next_size == 7);
    });
  });
}

TEST_CASE("members without a record find their team by their path") {
  fresh::process(kDryRun, [] {
    fake::rows(2);
    fake::Seen seen;
    fake::parallel({}, [&](int) {
      const auto* const place = placement::own_place();
      const bool is_own = team::team_by_path(fake::calls(0)) == team::own_team();
      std::string inner = "?";
      fake::parallel({}, [&](int number) {
        if (number == 0) {
          const team::Team* const found = team::team_by_path(fake::calls(0));
          inner = found == team::own_team() && found->from->place == place ? "found" : "lost";
        }
      });
      seen.note(is_own ? inner : "lost");
    });
    CHECK(seen.rows() == "found found found found");
  });
  fresh::process({}, [] { CHECK(team::team_by_path(fake::calls(0)) == nullptr); });
}

TEST_CASE("a region's source is known to the other sources") {
  fresh::process(kDryRun, [] {
    CHECK_FALSE(team::told_by_other(fake::calls(1)));
    fake::parallel({.size = 2}, [](int number) {
      if (number == 0) {
        CHECK(team::told_by_other(fake::calls(1)));
        CHECK_FALSE(team::told_by_other(fake::calls(0)));
      }
    });
  });
}
