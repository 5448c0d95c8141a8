// SPDX-License-Identifier: BSD-3-Clause
// Tests that the primary thread stays on its place, whatever it forks.
#include <catch2/catch.hpp>

#include "binding/thread.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "places/place.hpp"

using nestbind::binding::t_thread;

namespace {

fresh::Variables dry_run(const char* spec) {
  return {{"OMP_NESTING_TEAM_SIZE", spec},
          {"NESTBIND_MACHINE", fresh::machine("barcelona")},
          {"NESTBIND_QUIET", "1"}};
}

constexpr char kEverything[] = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15";

}  // namespace

TEST_CASE("primary threads never move") {
  fresh::process(dry_run("4,scatter,4,scatter,2,scatter"), [] {
    fake::Seen moved;
    const auto fork = [&](const auto& again, int levels) -> void {
      const std::string before = cpus::told();
      const bool is_bound = t_thread.bound.bits != nullptr;
      fake::parallel({}, [&](int number) {
        if (number == 0 && is_bound) {
          moved.note(cpus::told() == before ? "." : "!");
        }
        if (levels > 1) {
          again(again, levels - 1);
        }
      });
      if (is_bound) {
        moved.note(cpus::told() == before ? "." : "!");
      }
    };
    fake::parallel({}, [&](int) { fork(fork, 2); });
    CHECK(moved.rows().find('!') == std::string::npos);
    CHECK(moved.rows().find('.') != std::string::npos);
    CHECK(cpus::told() == "0");
  });
}

TEST_CASE("a team of one thread changes nothing") {
  fresh::process(dry_run("4,scatter,4,subscatter"), [] {
    CHECK(fake::rows(1, {.size = 1}).size() > 0);
    CHECK(fake::rows(2) == "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15");
    fake::Seen seen;
    fake::parallel({}, [&](int) {
      const std::string before = cpus::told();
      fake::parallel({.size = 1}, [&](int) {
        seen.note(cpus::told() == before && nestbind::placement::own_place()->level == 2 ? "same"
                                                                                         : "moved");
      });
    });
    CHECK(seen.rows() == "same / same / same / same");
  });
}

TEST_CASE("a thread is bound from its first team on") {
  fresh::process(dry_run("2,scatter"), [] {
    CHECK(cpus::told() == kEverything);
    CHECK(nestbind::placement::own_place() == nullptr);
    fake::Seen seen;
    fake::parallel(
        {}, [&](int) { seen.note(std::to_string(nestbind::placement::own_place()->level)); });
    CHECK(seen.rows() == "1 1");
    CHECK(cpus::told() == "0");
    CHECK(nestbind::placement::own_place() == nullptr);
  });
}

TEST_CASE("threads beyond the specification stay in their primary thread's partition") {
  fresh::process(dry_run("4,scatter,4,subscatter"), [] {
    fake::Seen seen;
    fake::parallel({}, [&](int outer) {
      fake::self(0).max_active_levels = 3;
      fake::parallel({}, [&](int inner) {
        if (outer == 1 && inner == 2) {
          fake::parallel({.size = 2}, [&](int) { seen.note(cpus::told()); });
        }
      });
    });
    CHECK(seen.rows() == "6 {4,5,6,7}");
  });
}

TEST_CASE("a team is placed by its real size and not by the specified size") {
  fresh::process(dry_run("4,scatter,4,subscatter"), [] {
    CHECK(fake::rows(1, {.size = 2}) == "0 8");
    CHECK(fake::rows(1, {.size = 3}) == "0 8 12");
    CHECK(fake::rows(1) == "0 4 8 12");
  });
}

TEST_CASE("an explicit task in the last barrier forks from the place of its thread") {
  fresh::process(dry_run("2,scatter,2,subscatter"), [] {
    for (const auto members : {fake::Members::kNew, fake::Members::kKept}) {
      std::string inner;
      fake::parallel({.members = members,
                      .at_the_end =
                          [&] {
                            inner = std::to_string(nestbind::placement::own_place()->level) + ": " +
                                    fake::rows(1);
                          }},
                     [](int) {});
      CHECK(inner == "1: 0 2");
      CHECK(nestbind::placement::own_place() == nullptr);
    }
  });
}

TEST_CASE("the primary thread returns to the outer region after an inner region") {
  fresh::process(dry_run("2,scatter,2,subscatter"), [] {
    for (const auto members : {fake::Members::kNew, fake::Members::kKept}) {
      fake::Seen seen;
      fake::parallel({.members = members}, [&](int) {
        const auto* place = nestbind::placement::own_place();
        fake::rows(1, {.members = members});
        seen.note(nestbind::placement::own_place() == place ? "back" : "lost");
      });
      CHECK(seen.rows() == "back back");
    }
  });
}

TEST_CASE("the program can ask for its place") {
  fresh::process(dry_run("4,scatter,2,subcompact"), [] {
    nestbind_place place{};
    CHECK(nestbind::placement::get_place(nullptr) == NESTBIND_BAD_ARGUMENT);
    CHECK(nestbind::placement::get_place(&place) == NESTBIND_NOT_PLACED);
    fake::Seen seen;
    fake::parallel({}, [&](int) {
      fake::parallel({}, [&](int) {
        nestbind_place here{};
        nestbind::placement::get_place(&here);
        seen.note(std::to_string(here.path[0]) + "." + std::to_string(here.path[1]) + "@" +
                  std::to_string(here.level) + (here.pinned != 0 ? "p" : "") +
                  std::to_string(here.package));
      });
    });
    CHECK(seen.rows() == "0.0@2p0 0.1@2p0 / 1.0@2p1 1.1@2p1 / 2.0@2p2 2.1@2p2 / 3.0@2p3 3.1@2p3");
  });
}
