// SPDX-License-Identifier: BSD-3-Clause
// Runs the examples of nestbind-spec(7) with the recorder. The threads must get the places that the
// page shows.
#include <catch2/catch.hpp>
#include <thread>

#include "helpers/captured.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "placement/expected_workers.hpp"
#include "placement/questions.hpp"
#include "process/original_mask.hpp"

namespace {

struct Example {
  const char* spec;
  int levels;
  const char* rows;
};

const Example kBarcelona[] = {
    {"4,compact", 1, "0 1 2 3"},
    {"4,scatter", 1, "0 4 8 12"},
    {"3,scatter", 1, "0 8 12"},
    {"6,scatter", 1, "0 2 4 6 8 12"},
    {"4,scatter,4,subscatter", 2, "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15"},
    {"4,scatter,4,scatter", 2, "0 5 9 13 / 4 1 10 14 / 8 2 6 15 / 12 3 7 11"},
    {"4,scatter,2,subcompact", 2, "0 1 / 4 5 / 8 9 / 12 13"},
    {"1,scatter,5,subscatter", 2, "0 2 3 4 6"},
    {"1,scatter,4,subscatter,3,subscatter", 3, "0 2 3 / 4 6 7 / 8 10 11 / 12 14 15"},
    {"2,scatter,2,scatter,3,subscatter", 3, "0 1 2 / 12 13 14 / 8 9 10 / 4 5 6"},
    {"2,compact,2,subscatter,3,subscatter", 3, "0 1 2 / 3 4 5 / 6 7 8 / 9 10 11"},
    {"3,scatter,core,subcompact", 2, "0 1 2 3 4 5 6 7 / 8 9 10 11 / 12 13 14 15"},
    {"4,compact,4,scatter", 2, "0 4 8 12 / 1 5 9 13 / 2 6 10 14 / 3 7 11 15"},
    {"5,scatter,3,subscatter", 2, "0 1 2 / 3 4 5 / 6 7 8 / 9 10 11 / 12 14 15"},
    {"9,compact,2,subcompact", 2, "0 0 / 1 2 / 3 4 / 5 6 / 7 7 / 8 9 / 10 11 / 12 13 / 14 15"},
};

void check_example(const std::string& machine, const Example& example, fake::Members members) {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", example.spec},
                  {"NESTBIND_MACHINE", fresh::machine(machine)},
                  {"NESTBIND_QUIET", "1"}},
                 [&] {
                   INFO(example.spec);
                   const std::string before = cpus::in_kernel();
                   CHECK(fake::rows(example.levels, {.members = members}) == example.rows);
                   CHECK(fake::rows(example.levels, {.members = members}) == example.rows);
                   CHECK(cpus::in_kernel() == before);
                 });
}

}  // namespace

TEST_CASE("forks place their teams as in the examples") {
  for (const Example& example : kBarcelona) {
    check_example("barcelona", example, fake::Members::kNew);
  }
  check_example("tigerton", {"4,scatter,2,subscatter", 2, "0 2 / 4 6 / 8 10 / 12 14"},
                fake::Members::kNew);
  check_example(
      "nehalem-sun",
      {"2,scatter,4,subcompact", 2, "{0,8} {1,9} {2,10} {3,11} / {4,12} {5,13} {6,14} {7,15}"},
      fake::Members::kNew);
}

TEST_CASE("a runtime that keeps its threads gets the same places") {
  check_example("barcelona",
                {"4,scatter,4,scatter", 2, "0 5 9 13 / 4 1 10 14 / 8 2 6 15 / 12 3 7 11"},
                fake::Members::kKept);
  check_example("barcelona",
                {"2,scatter,2,scatter,3,subscatter", 3, "0 1 2 / 12 13 14 / 8 9 10 / 4 5 6"},
                fake::Members::kKept);
}

TEST_CASE("one process can run all examples in turn") {
  fresh::process({{"NESTBIND_MACHINE", fresh::machine("barcelona")}, {"NESTBIND_QUIET", "1"}}, [] {
    for (const Example& example : kBarcelona) {
      const std::string text = example.spec;
      INFO(text);
      REQUIRE(nestbind::placement::set_specification(text.data(), text.size()) == NESTBIND_OK);
      CHECK(fake::rows(example.levels) == example.rows);
    }
  });
}

TEST_CASE("the warning about shared slots comes when threads share them") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "2,scatter,16,subscatter"},
                  {"NESTBIND_MACHINE", fresh::machine("barcelona")}},
                 [] {
                   const fresh::Captured said;
                   fake::rows(1);
                   fake::rows(2, {.size = 2});
                   CHECK(said.text().empty());
                   fake::rows(1, {.size = 17});
                   CHECK(said.text() == "nestbind: warning: 17 threads share 16 slots\n");
                   fake::rows(2);
                   CHECK(fresh::count(said.text(), "share") == 1);
                 });
}

// A member may fork its inner team before the primary thread begins.
TEST_CASE("the first member that begins warns about shared slots") {
  fresh::process(
      {{"OMP_NESTING_TEAM_SIZE", "20,scatter"}, {"NESTBIND_MACHINE", fresh::machine("barcelona")}},
      [] {
        const fresh::Captured said;
        auto* const team = nestbind::team::fork_begin(fake::calls(0), nullptr, 20);
        std::thread([&] { nestbind::team::member_begin(team, 1, 20); }).join();
        CHECK(said.text() == "nestbind: warning: 20 threads share 16 slots\n");
        nestbind::team::member_begin(team, 0, 20);
        nestbind::team::member_end(team, 0);
        CHECK(said.text() == "nestbind: warning: 20 threads share 16 slots\n");
      });
}

// Four teams of four are 16 threads, also while only the outermost team is forked.
TEST_CASE("the warning about shared slots counts the specification's inner teams") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "20,scatter,2,subcompact"},
                  {"NESTBIND_MACHINE", fresh::machine("barcelona")}},
                 [] {
                   const fresh::Captured said;
                   fake::rows(1);
                   CHECK(said.text() == "nestbind: warning: 40 threads share 16 slots\n");
                 });
}

TEST_CASE("there is no warning about threads that were only planned") {
  fresh::process(
      {{"OMP_NESTING_TEAM_SIZE", "20,scatter"}, {"NESTBIND_MACHINE", fresh::machine("barcelona")}},
      [] {
        const fresh::Captured said;
        auto* const team = nestbind::team::fork_begin(fake::calls(0), nullptr, 20);
        nestbind::placement::mask_for_new_worker();
        nestbind::team::member_begin(team, 0, 2);
        nestbind::team::member_end(team, 0);
        CHECK(said.text().empty());
      });
}

TEST_CASE("the warning about shared slots comes once") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "9,compact,2,subcompact"},
                  {"NESTBIND_MACHINE", fresh::machine("barcelona")}},
                 [] {
                   const fresh::Captured said;
                   fake::rows(2);
                   fake::rows(2);
                   CHECK(said.text() == "nestbind: warning: 18 threads share 16 slots\n");
                 });
}
