// SPDX-License-Identifier: BSD-3-Clause
// Tests the order in which teams are written, for any order of the reports.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "observe/teams_report.hpp"

using namespace nestbind;
using observe::PlacedTeam;
using observe::ToldTeam;
using observe::WaitingTeams;

namespace {

struct Step {
  int number;
  int size;  // size of the team
};

spec::Spec spec_of(const char* text) {
  spec::Spec spec;
  spec::Fault fault;
  REQUIRE(spec::parse(text, spec, fault));
  return spec;
}

const spec::Spec& usual() {
  static const spec::Spec spec = spec_of("2,scatter,2,subcompact");
  return spec;
}

void tell(WaitingTeams& waiting, const std::vector<Step>& path, int size,
          const spec::Spec& spec = usual()) {
  static const PlannedPlace anywhere{};
  std::vector<int> primary;
  std::vector<int> sizes;
  for (const Step& step : path) {
    primary.push_back(step.number);
    sizes.push_back(step.size);
  }
  const int level = static_cast<int>(path.size()) + 1;
  std::vector<observe::Member> members;
  for (int i = 0; i < size; ++i) {
    members.push_back({level, i, size, 10 * level + i, nullptr, &anywhere, true});
  }
  ToldTeam* const copy = observe::copy_of(
      {&spec, level, primary.data(), size, members.data(), sizes.data(), nullptr, nullptr});
  REQUIRE(copy != nullptr);
  waiting.add(*copy);
}

std::string taken(WaitingTeams& waiting) {
  std::string all;
  ToldTeam* const first = observe::in_tree_order(waiting.take());
  for (const ToldTeam* told = first; told != nullptr; told = told->next) {
    support::TextBuffer text;
    observe::add_team_text(told->team, text);
    const std::string lines = text.text();
    all += lines.substr(10, lines.find('\n') - 9);
    CHECK(std::count(lines.begin(), lines.end(), '\n') == told->team.size + 2);
  }
  observe::free_all(first);
  return all;
}

struct Team {
  std::vector<Step> path;
  int size;
};

const std::vector<Team> kTeams = {
    {{}, 2},       {{{0, 2}}, 2}, {{{0, 2}, {1, 2}}, 2}, {{{0, 2}}, 4}, {{{0, 2}, {0, 4}}, 3},
    {{{1, 2}}, 2}, {{}, 4},       {{{0, 4}}, 2},         {{{3, 4}}, 2},
};
constexpr char kInOrder[] =
    "level 1, team of 2\n"
    "level 2, team of 2 of thread 0\n"
    "level 3, team of 2 of thread 0.1\n"
    "level 2, team of 4 of thread 0\n"
    "level 3, team of 3 of thread 0.0\n"
    "level 2, team of 2 of thread 1\n"
    "level 1, team of 4\n"
    "level 2, team of 2 of thread 0\n"
    "level 2, team of 2 of thread 3\n";

}  // namespace

TEST_CASE("teams that are reported in any order are sorted into a tree") {
  std::vector<std::size_t> order(kTeams.size());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    WaitingTeams waiting;
    for (const std::size_t team : order) {
      tell(waiting, kTeams[team].path, kTeams[team].size);
    }
    CHECK(taken(waiting) == kInOrder);
    std::shuffle(order.begin(), order.end(), random);
  }
}

TEST_CASE("a hundred inner teams are sorted") {
  WaitingTeams waiting;
  for (int i = 0; i < 100; ++i) {
    tell(waiting, {{i * 37 % 100, 100}}, 1);
  }
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    expected += "level 2, team of 1 of thread " + std::to_string(i) + "\n";
  }
  CHECK(taken(waiting) == expected);
}

TEST_CASE("only new teams are taken") {
  WaitingTeams waiting;
  CHECK_FALSE(waiting.has_some());
  CHECK(waiting.take() == nullptr);
  tell(waiting, {{1, 2}}, 2);
  tell(waiting, {}, 2);
  CHECK(waiting.has_some());
  CHECK(waiting.members() == 4);
  CHECK(taken(waiting) == "level 1, team of 2\nlevel 2, team of 2 of thread 1\n");
  CHECK_FALSE(waiting.has_some());
  CHECK(waiting.members() == 0);
  tell(waiting, {{1, 2}}, 4);
  CHECK(taken(waiting) == "level 2, team of 4 of thread 1\n");
  CHECK(taken(waiting).empty());
}

TEST_CASE("teams with the same place are sorted by their specifications") {
  const spec::Spec other = spec_of("2,compact");
  for (const bool is_first : {true, false}) {
    WaitingTeams waiting;
    tell(waiting, {}, 2, is_first ? other : usual());
    tell(waiting, {}, 2, is_first ? usual() : other);
    ToldTeam* const first = observe::in_tree_order(waiting.take());
    REQUIRE(first != nullptr);
    CHECK(first->team.spec == &other);
    observe::free_all(first);
  }
}

TEST_CASE("teams with the same place and specification keep their order") {
  WaitingTeams waiting;
  const spec::Spec same = usual();
  tell(waiting, {}, 2, same);
  tell(waiting, {}, 2);
  ToldTeam* const first = observe::in_tree_order(waiting.take());
  REQUIRE(first != nullptr);
  CHECK(first->team.spec == &same);
  observe::free_all(first);
}

TEST_CASE("a forked child does not take the teams that wait in its parent") {
  WaitingTeams waiting;
  tell(waiting, {}, 2);
  const pid_t child = fork();
  if (child == 0) {
    const bool leaves_it = waiting.take() == nullptr && waiting.has_some();
    waiting.forget();
    _exit(leaves_it && !waiting.has_some() && waiting.members() == 0 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(taken(waiting) == "level 1, team of 2\n");
}
