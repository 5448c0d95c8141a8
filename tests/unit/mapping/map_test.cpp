// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <set>

#include "helpers.hpp"
#include "mapping/find_map.hpp"
#ifdef NESTBIND_HAS_SCOTCH
#include "mapping/scotch/solve.hpp"
#endif

using namespace mapped;

namespace {

// The cost if each hidden team has its own four cores: 16 teams x 6 pairs x weight 10 x distance 1.
constexpr double kRecovered = 960;

void check_is_an_order(const Setup& setup, const plan::Order& order) {
  plan::Plan plan(setup.plan.machine(), setup.plan.rules(), order);
  std::set<int> slots;
  for (const int index : setup.threads.index) {
    plan::Path path;
    plan::Plan plain(setup.plan.machine(), setup.plan.rules());
    for (const int number : setup.threads.all[index].path) {
      path.push_back({number, plain.next_size(path)});
    }
    slots.insert(plan.slot_of(path).slot);
  }
  CHECK(slots == std::set<int>(setup.threads.slot.begin(), setup.threads.slot.end()));
  for (const auto& [primary, positions] : order.teams()) {
    CHECK(positions[0] == 0);
  }
}

void recover_hidden_teams(const Mapper& mapper) {
  const Setup setup = tree_of_64();
  for (unsigned scramble = 0; scramble < 20; ++scramble) {
    const Communication pairs = renamed(hidden_teams(64), shuffled(64, scramble));
    const Problem problem(setup.threads, pairs, setup.distances);
    const Mapping mapping = map(problem, mapper);
    INFO(scramble);
    CHECK(mapping.cost == kRecovered);
    CHECK(mapping.cost_before > 2 * kRecovered);
    check_is_an_order(setup, mapping.order);
  }
}

}  // namespace

TEST_CASE("the search without SCOTCH finds hidden teams") { recover_hidden_teams(nullptr); }

TEST_CASE("a good order stays as it is") {
  const Setup setup = tree_of_64();
  const Communication pairs = hidden_teams(64);
  const Problem problem(setup.threads, pairs, setup.distances);
  const Mapping mapping = map(problem, nullptr);
  CHECK(mapping.order.is_plain());
  CHECK(mapping.method == Method::kPlain);
  CHECK(mapping.cost == mapping.cost_before);
}

TEST_CASE("a small case gives the order found by hand") {
  const Setup setup("pack:2 core:2 pu:1", "4,compact");
  const Communication pairs = {{0, 3, 8}, {1, 2, 1}};
  const Problem problem(setup.threads, pairs, setup.distances);
  const Mapping mapping = map(problem, nullptr);
  CHECK(mapping.cost_before == 18);
  CHECK(mapping.cost == 9);
  REQUIRE(mapping.order.teams().size() == 1);
  CHECK(mapping.order.teams().at({})[3] == 1);
}

TEST_CASE("whole teams are moved next to teams that they communicate with") {
  const Setup setup("pack:2 l3:2 core:4 pu:1", "4,scatter,4,subscatter");
  Communication pairs;
  for (int i = 0; i < 4; ++i) {
    pairs.push_back({i, 12 + i, 10});
    pairs.push_back({4 + i, 8 + i, 10});
  }
  const Problem problem(setup.threads, pairs, setup.distances);
  const Mapping mapping = map(problem, nullptr);
  CHECK(mapping.cost_before == 8 * 10 * 3);
  CHECK(mapping.cost == 8 * 10 * 2);
  check_is_an_order(setup, mapping.order);
}

TEST_CASE("no order costs more than the plain order, or uses a slot twice") {
  for (const char* machine :
       {"barcelona", "tigerton", "scalemp", "numa16", "nehalem-sun", "grouped"}) {
    for (const char* spec : {"8,scatter", "4,scatter,4,scatter", "3,scatter,core,subcompact",
                             "5,compact,3,subscatter", "2,scatter,3,compact,2,subcompact"}) {
      INFO(machine << " " << spec);
      const Setup setup(machine, spec);
      Communication pairs;
      std::mt19937 dice(5);
      for (int a = 0; a < setup.threads.count(); ++a) {
        for (int b = a + 1; b < setup.threads.count(); ++b) {
          if (dice() % 4 == 0) {
            pairs.push_back({a, b, 1.0 + dice() % 9});
          }
        }
      }
      const Problem problem(setup.threads, pairs, setup.distances);
      const Mapping mapping = map(problem, nullptr);
      CHECK(mapping.cost <= mapping.cost_before);
      check_is_an_order(setup, mapping.order);
    }
  }
}

TEST_CASE("a mapper's answer becomes a permutation") {
  const Setup setup("pack:2 core:4 pu:1", "8,compact");
  const Communication pairs = {{0, 7, 1}};
  const Problem problem(setup.threads, pairs, setup.distances);
  const Team team = team_of(problem, Placement(problem), 0);
  const auto target = target_of(team, setup.distances);
  REQUIRE(target);
  CHECK(target->children == std::vector<int>{2, 4});
  CHECK(target->distance == std::vector<int>{2, 1});
  CHECK(target->leaf == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(target->edges == std::vector<Edge>{{0, 7, 1}});
  // Two packages and two cores are exchanged. The distances between threads stay the same.
  CHECK(settle(*target, {5, 4, 6, 7, 0, 1, 2, 3}) == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
  // Threads 2 and 3 have the same position.
  CHECK(settle(*target, {0, 1, 2, 2, 4, 5, 6, 7}) == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
  const std::vector<int> all_on_one = settle(*target, std::vector<int>(8, 6));
  CHECK(all_on_one[0] == 0);
  CHECK(std::set<int>(all_on_one.begin(), all_on_one.end()).size() == 8);
}

TEST_CASE("a target that is sent to another process stays the same") {
  const Setup setup("tigerton", "11,scatter");
  const Communication pairs = {{0, 7, 0.5}, {3, 4, 2}};
  const Problem problem(setup.threads, pairs, setup.distances);
  const auto target = target_of(team_of(problem, Placement(problem), 0), setup.distances);
  REQUIRE(target);
  const auto again = parse_target(print_target(*target));
  REQUIRE(again);
  CHECK(again->children == target->children);
  CHECK(again->distance == target->distance);
  CHECK(again->leaf == target->leaf);
  CHECK(again->edges == target->edges);
  for (const char* text : {"", "1 2", "1 1 0\n0\n1\n0\n", "1 1 0\n2\n1\n2\n",
                           "1 2 1\n2\n1\n0 1\n1 0 1\n", "1 2 1\n2\n1\n0 1\n0 1 x\n"}) {
    CHECK_FALSE(parse_target(text));
  }
}

TEST_CASE("a mapper's wrong or missing answer is reported, and not used") {
  const Setup setup = tree_of_64();
  const Communication pairs = renamed(hidden_teams(64), shuffled(64, 1));
  const Problem problem(setup.threads, pairs, setup.distances);
  const Mapper silent = [](const Target&) -> std::optional<std::vector<int>> {
    return std::nullopt;
  };
  const Mapper wrong = [](const Target&) { return std::optional(std::vector<int>{0, 64}); };
  for (const Mapper& mapper : {silent, wrong}) {
    const Mapping mapping = map(problem, mapper);
    CHECK(mapping.has_refused);
    CHECK(mapping.cost == kRecovered);
  }
}

#ifdef NESTBIND_HAS_SCOTCH
TEST_CASE("SCOTCH finds hidden teams") {
  recover_hidden_teams(scotch::solve);
  const Setup setup = tree_of_64();
  for (unsigned scramble = 0; scramble < 20; ++scramble) {
    const Communication pairs = renamed(hidden_teams(64), shuffled(64, scramble));
    const Problem problem(setup.threads, pairs, setup.distances);
    bool has_refused = false;
    CHECK(place_by(problem, Method::kMapper, scotch::solve, has_refused).cost() == kRecovered);
    CHECK_FALSE(has_refused);
  }
}

TEST_CASE("our order of a scrambled grid costs at most 5 % more than SCOTCH's") {
  const Setup setup = tree_of_64();
  for (unsigned scramble = 0; scramble < 10; ++scramble) {
    const Communication pairs = renamed(stencil(8), shuffled(64, scramble));
    const Problem problem(setup.threads, pairs, setup.distances);
    const auto target = target_of(team_of(problem, Placement(problem), 0), setup.distances);
    REQUIRE(target);
    const auto positions = scotch::solve(*target);
    REQUIRE(positions);
    double own = 0;  // the cost of SCOTCH's result alone
    for (const auto& [a, b, weight] : pairs) {
      own += weight * levels_of_64((*positions)[a], (*positions)[b]);
    }
    const Mapping mapping = map(problem, scotch::solve);
    INFO(scramble << ": " << own << " " << mapping.cost);
    CHECK(mapping.cost <= 1.05 * own);
    check_is_an_order(setup, mapping.order);
  }
}

TEST_CASE("SCOTCH can map onto machines that are no regular tree") {
  for (const char* machine : {"tigerton", "nehalem-sun", "scalemp"}) {
    const Setup setup(machine, "11,scatter");
    const Communication pairs = renamed(stencil(3), shuffled(11, 4));
    const Problem problem(setup.threads, pairs, setup.distances);
    const Mapping mapping = map(problem, scotch::solve);
    INFO(machine);
    CHECK_FALSE(mapping.has_refused);
    CHECK(mapping.cost <= mapping.cost_before);
    check_is_an_order(setup, mapping.order);
  }
}
#endif
