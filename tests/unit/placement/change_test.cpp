// SPDX-License-Identifier: BSD-3-Clause
// Tests omp_set_nesting_info and omp_get_nesting_info.
#include <nestbind/nestbind.h>

#include <atomic>
#include <catch2/catch.hpp>

#include "binding/thread.hpp"
#include "helpers/captured.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "omp/runtimes.hpp"
#include "placement/questions.hpp"
#include "places/place.hpp"
#include "process/armed.hpp"
#include "sizes/told_sizes.hpp"
#include "team/fork.hpp"

using namespace nestbind;
using binding::t_thread;

namespace {

fresh::Variables on_barcelona(const char* spec = nullptr) {
  fresh::Variables variables = {{"NESTBIND_MACHINE", fresh::machine("barcelona")}};
  if (spec != nullptr) {
    variables.emplace_back("OMP_NESTING_TEAM_SIZE", spec);
  }
  return variables;
}

// Returns the place of the thread that forked the calling member's team.
const placement::Place* parent_by_path() {
  const team::Team* const team = team::team_by_path(fake::calls(0));
  return team == nullptr ? nullptr : team->from->place;
}

int set(const std::string& text) { return placement::set_specification(text.data(), text.size()); }

std::string get() {
  char text[200] = "?";
  const std::size_t length = placement::get_specification(text, sizeof text);
  return length == std::string(text).size() ? text : "wrong length";
}

}  // namespace

TEST_CASE("without a specification the specification is empty") {
  fresh::process(on_barcelona(), [] {
    CHECK_FALSE(process::armed());
    CHECK(get().empty());
    CHECK(placement::get_specification(nullptr, 0) == 0);
  });
}

TEST_CASE("a specification set outside of regions applies from the next fork on") {
  fresh::process(on_barcelona(), [] {
    fake::rows(1, {.size = 2});
    REQUIRE(set(" 4, Scatter ,2,subcompact") == NESTBIND_OK);
    CHECK(process::armed());
    CHECK(get() == "4,scatter,2,subcompact");
    CHECK(fake::rows(2) == "0 1 / 4 5 / 8 9 / 12 13");
    REQUIRE(set("3,compact") == NESTBIND_OK);
    CHECK(fake::rows(1) == "0 1 2");
    CHECK(fake::self(0).max_active_levels == 1);
    char little[4] = "abc";
    CHECK(placement::get_specification(little, sizeof little) == 9);
    CHECK(std::string(little) == "3,c");
  });
}

TEST_CASE("runtimes that have started get new sizes at once") {
  fresh::process(on_barcelona("2,scatter"), [] {
    fake::rows(1);
    REQUIRE(set("5,scatter,3,subscatter") == NESTBIND_OK);
    CHECK(fake::self(0).next_size == 2);  // no start was reported
    CHECK(fake::rows(1) == "0 3 6 9 12");
  });
}

TEST_CASE("a bad specification changes nothing and its fault has a position") {
  fresh::process(on_barcelona("4,scatter"), [] {
    const struct {
      const char* text;
      int error;
    } faults[] = {{"", NESTBIND_EMPTY},
                  {"four,scatter", NESTBIND_BAD_SIZE},
                  {"0,scatter", NESTBIND_SIZE_NOT_POSITIVE},
                  {"9999999,scatter", NESTBIND_SIZE_TOO_LARGE},
                  {"4,around", NESTBIND_BAD_STRATEGY},
                  {"4,scatter@numa", NESTBIND_DOMAIN_ON_PLAIN},
                  {"4,subscatter@moon", NESTBIND_BAD_DOMAIN},
                  {"4;scatter", NESTBIND_BAD_SEPARATOR}};
    for (const auto& [text, error] : faults) {
      INFO(text);
      const fresh::Captured said;
      CHECK(set(text) == error);
      CHECK(said.text().rfind("nestbind: omp_set_nesting_info: ", 0) == 0);
      CHECK(fresh::count(said.text(), "^") == 1);
    }
    CHECK(placement::set_specification(nullptr, 0) == NESTBIND_BAD_ARGUMENT);
    CHECK(get() == "4,scatter");
    CHECK(fake::rows(1) == "0 4 8 12");
  });
}

TEST_CASE("a change inside a region applies to the caller's forks until the region ends") {
  fresh::process(on_barcelona("4,scatter,4,subscatter"), [] {
    fake::Seen seen;
    fake::Seen texts;
    std::atomic<bool> moved{false};
    fake::parallel({}, [&](int number) {
      const std::string mine = cpus::told();
      if (number == 1) {
        REQUIRE(set("4,scatter,2,subscatter") == NESTBIND_OK);
        CHECK(cpus::told() == mine);
        CHECK(fake::self(0).next_size == 2);
      }
      texts.note(get() == "4,scatter,2,subscatter" ? "new" : "old");
      fake::parallel({}, [&](int) { seen.note(cpus::told()); });
      fake::parallel({}, [&](int) { seen.note(cpus::told()); });
      moved = moved || cpus::told() != mine;
    });
    CHECK_FALSE(moved);
    CHECK(texts.rows() == "old new old old");
    CHECK(seen.rows() == "0 1 2 3 / 4 6 / 8 9 10 11 / 12 13 14 15");
    CHECK(get() == "4,scatter,4,subscatter");
    CHECK(fake::rows(2) == "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15");
  });
}

TEST_CASE("members that find their team by path see a change until the region ends") {
  fresh::process(on_barcelona("2,scatter,2,subscatter"), [] {
    fake::parallel({}, [](int number) {
      if (number == 0) {
        REQUIRE(set("2,scatter,4,subscatter") == NESTBIND_OK);
        const auto* const changed = placement::own_place();
        fake::parallel({.size = 1}, [&](int) { CHECK(parent_by_path() == changed); });
      }
    });
    fake::parallel({}, [](int number) {
      if (number == 0) {
        const auto* const place = placement::own_place();
        fake::parallel({.size = 1}, [&](int) { CHECK(parent_by_path() == place); });
      }
    });
  });
}

TEST_CASE("a change by a primary thread ends with its region") {
  for (const auto members : {fake::Members::kNew, fake::Members::kKept}) {
    fresh::process(on_barcelona("2,scatter,2,subscatter"), [members] {
      const fake::How how{.members = members};
      fake::parallel(how, [&](int number) {
        if (number == 0) {
          REQUIRE(set("2,scatter,4,subscatter") == NESTBIND_OK);
          CHECK(placement::own_place()->original != nullptr);
        }
      });
      CHECK(get() == "2,scatter,2,subscatter");
      CHECK(fake::rows(2, how) == "0 2 / 8 10");
    });
  }
}

TEST_CASE("off ends binding at the next fork and restores the sizes") {
  for (const auto members : {fake::Members::kNew, fake::Members::kKept}) {
    fresh::process(on_barcelona("2,scatter,2,subscatter"), [members] {
      const fake::How how{.members = members};
      placement::runtime_found(fake::calls(0));
      CHECK(fake::rows(2, how) == "0 2 / 8 10");
      REQUIRE(set(" oFF\t") == NESTBIND_OK);
      CHECK(get() == "off");
      CHECK(cpus::told() == "0");
      CHECK(fake::self(0).next_size == 7);
      CHECK(fake::self(0).max_active_levels == 1);
      const auto bound = [] { return std::to_string(t_thread.bound.bits != nullptr); };
      CHECK(fake::rows(1, {.members = members, .size = 3}, bound) == "0 0 0");
      CHECK(t_thread.bound.bits == nullptr);
      nestbind_place place;
      CHECK(placement::get_place(&place) == NESTBIND_NOT_PLACED);
      REQUIRE(set("2,scatter,4,subscatter") == NESTBIND_OK);
      CHECK(fake::rows(2, how) == "0 1 2 3 / 8 9 10 11");
    });
  }
}

TEST_CASE("off restores earlier choices of the program and keeps later choices") {
  fresh::process(on_barcelona(), [] {
    placement::runtime_found(fake::calls(0));
    fake::self(0).next_size = 5;
    REQUIRE(set("4,scatter,2,subscatter") == NESTBIND_OK);
    REQUIRE(set("2,scatter") == NESTBIND_OK);
    REQUIRE(set("off") == NESTBIND_OK);
    CHECK(fake::self(0).next_size == 5);
    REQUIRE(set("2,scatter,2,subscatter") == NESTBIND_OK);
    fake::self(0).next_size = 3;
    REQUIRE(set("off") == NESTBIND_OK);
    CHECK(fake::self(0).next_size == 3);
    CHECK(fake::self(0).max_active_levels == 1);
  });
}

TEST_CASE("an owner's sizes are restored at its next fork if another thread sets off") {
  fresh::process(on_barcelona("4,scatter,2,subscatter"), [] {
    fake::rows(1);
    fake::on_new_thread([] { REQUIRE(set("off") == NESTBIND_OK); });
    CHECK(fake::self(0).next_size == 4);
    fake::rows(1);
    CHECK(fake::self(0).next_size == 7);
    CHECK(fake::self(0).max_active_levels == 1);
  });
}

TEST_CASE("off inside a region applies to the caller's forks until the region ends") {
  fresh::process(on_barcelona("2,scatter,2,subscatter"), [] {
    fake::Seen seen;
    fake::Seen texts;
    fake::Seen again;
    fake::parallel({}, [&](int number) {
      if (number == 1) {
        REQUIRE(set("off") == NESTBIND_OK);
        REQUIRE(set("off") == NESTBIND_OK);
        CHECK(cpus::told() == "8");
        CHECK(fake::self(0).next_size == 7);
        fake::self(0).max_active_levels = 3;
        fake::parallel({.size = 2}, [&](int inner) {
          if (inner == 0) {
            CHECK(set("off") == NESTBIND_OK);
            CHECK(set("2,scatter") == NESTBIND_NOT_PLACED);
          }
        });
      }
      texts.note(get());
      fake::parallel({.size = 2},
                     [&](int) { seen.note(t_thread.bound.bits == nullptr ? "free" : "bound"); });
      if (number == 1) {
        REQUIRE(set("2,scatter,3,subscatter") == NESTBIND_OK);
      }
      fake::parallel({}, [&](int) { again.note(cpus::told()); });
    });
    CHECK(texts.rows() == "2,scatter,2,subscatter off");
    CHECK(seen.rows() == "bound bound / free free");
    CHECK(again.rows() == "0 2 / 8 10 11");
    CHECK(get() == "2,scatter,2,subscatter");
    CHECK(fake::rows(2) == "0 2 / 8 10");
  });
}

TEST_CASE("off in the environment can be read but has no other effect") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", " Off"},
                  {"NESTBIND_STRICT", "1"},
                  {"NESTBIND_MACHINE", fresh::machine("barcelona")}},
                 [] {
                   CHECK(get() == "off");
                   CHECK_FALSE(process::armed());
                   fake::rows(1, {.size = 2});
                   CHECK(fake::self(0).next_size == 7);
                   REQUIRE(set("3,compact") == NESTBIND_OK);
                   CHECK(fake::rows(1) == "0 1 2");
                 });
}

TEST_CASE("a thread without a plan cannot change the specification") {
  fresh::process(on_barcelona("2,scatter"), [] {
    fake::rows(1);
    fake::on_new_thread([] {
      int error = -1;
      fake::parallel({.size = 2}, [&](int number) {
        if (number == 0) {
          error = set("2,compact");
        }
      });
      CHECK(error == NESTBIND_NOT_PLACED);
    });
    CHECK(get() == "2,scatter");
  });
}

TEST_CASE("a specification can be set in a region whose beginning nobody saw") {
  fresh::process(on_barcelona(), [] {
    CHECK_FALSE(team::is_followed());
    fake::Seen seen;
    fake::Seen here;
    omp::note_started(fake::calls(0));
    fake::self(0).max_active_levels = 2;
    fake::run_team(0, fake::Members::kNew, 4, [&](int, int) {
      const int error = set("4,scatter,2,subcompact");
      here.note(error == NESTBIND_OK && t_thread.untracked_in != nullptr &&
                        fake::self(0).next_size == 2
                    ? "ok"
                    : "not");
      fake::parallel({}, [&](int) { seen.note(cpus::told()); });
    });
    CHECK(here.rows() == "ok ok ok ok");
    CHECK(seen.rows() == "0 1 / 4 5 / 8 9 / 12 13");
    fake::parallel({.size = 2}, [](int) {});
    CHECK(placement::own_place() == nullptr);
    CHECK(get().empty());
  });
}

TEST_CASE("a change and a place end with their region even if nobody saw its beginning") {
  fresh::process(on_barcelona(), [] {
    omp::note_started(fake::calls(0));
    for (const bool forks : {false, true}) {
      fake::self(0).max_active_levels = 2;
      fake::run_team(0, fake::Members::kNew, 1, [&](int, int) {
        REQUIRE(set("4,scatter,2,subcompact") == NESTBIND_OK);
        if (forks) {
          fake::parallel({}, [](int) {});
        }
        nestbind_place place;
        CHECK(placement::get_place(&place) == NESTBIND_OK);
      });
      nestbind_place place;
      CHECK(placement::get_place(&place) == NESTBIND_NOT_PLACED);
      CHECK(get().empty());
    }
    REQUIRE(set("3,compact") == NESTBIND_OK);
    CHECK(get() == "3,compact");
    CHECK(fake::rows(1) == "0 1 2");
  });
}
