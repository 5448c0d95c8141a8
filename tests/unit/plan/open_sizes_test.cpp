// SPDX-License-Identifier: BSD-3-Clause
// Tests the size "*" and the text "auto", for teams of the sizes that the program forks.
#include <catch2/catch.hpp>
#include <set>

#include "planned.hpp"

using namespace nestbind;

namespace {

std::vector<plan::Path> primaries_of(const std::vector<int>& shape) {
  std::vector<plan::Path> paths = {{}};
  for (std::size_t level = 0; level + 1 < shape.size(); ++level) {
    std::vector<plan::Path> deeper;
    for (const plan::Path& path : paths) {
      for (int i = 0; i < shape[level]; ++i) {
        deeper.push_back(path);
        deeper.back().push_back({i, shape[level]});
      }
    }
    paths = std::move(deeper);
  }
  return paths;
}

// Returns the rows of planned::rows for teams of these sizes.
std::string open_rows(const planned::Setup& setup, const std::string& text,
                      const std::vector<int>& shape) {
  plan::Plan plan = planned::plan(setup, text);
  std::string all;
  for (const plan::Path& path : primaries_of(shape)) {
    std::string row;
    for (const plan::PlannedSlot& member : plan.team(path, shape.back())) {
      row += (row.empty() ? "" : " ") + planned::processors(plan, member);
    }
    all += (all.empty() ? "" : " / ") + row;
  }
  return all;
}

struct OpenExample {
  const char* machine;
  const char* cpus;
  const char* spec;
  std::vector<int> shape;
  const char* open_rows;
};

const std::vector<OpenExample> kOpenExamples = {
    {"barcelona", "", "auto", {4}, "0 4 8 12"},
    {"barcelona", "", "auto", {4, 2}, "0 1 / 4 5 / 8 9 / 12 13"},
    {"barcelona", "", "auto", {2, 8}, "0 1 2 3 4 5 6 7 / 8 9 10 11 12 13 14 15"},
    // On the third level a member has every second slot of its primary thread's part.
    {"barcelona", "", "auto", {2, 2, 2}, "0 2 / 1 3 / 8 10 / 9 11"},
    {"barcelona", "", "auto", {4, 1, 4}, "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15"},
    {"barcelona", "", "auto", {4, 2, 2}, "0 2 / 1 3 / 4 6 / 5 7 / 8 10 / 9 11 / 12 14 / 13 15"},
    {"barcelona",
     "",
     "4,scatter,*,subcompact",
     {4, 4},
     "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15"},
    {"barcelona", "", "*,compact,2,subcompact", {3, 2}, "0 1 / 2 3 / 4 5"},
    {"barcelona", "0-8,12", "auto", {2, 4}, "0 1 2 3 / 4 5 6 7"},
    {"tigerton", "", "auto", {4, 2}, "0 1 / 4 5 / 8 9 / 12 13"},
    {"scalemp", "", "auto", {2, 4}, "0 1 2 3 / 56 57 58 59"},
    {"nehalem-sun", "", "auto", {2, 4}, "{0,8} {1,9} {2,10} {3,11} / {4,12} {5,13} {6,14} {7,15}"},
    {"nehalem-sun",
     "",
     "auto",
     {4, 4},
     "{0,8} {0,8} {1,9} {1,9} / {2,10} {2,10} {3,11} {3,11} / {4,12} {4,12} {5,13} {5,13} / {6,14} "
     "{6,14} {7,15} {7,15}"},
    {"hybrid", "", "auto", {6}, "0 1 {2,3} {4,5} 6 7"},
    {"pack:2 numa:2 core:4 pu:1", "", "auto", {2, 4}, "0 1 2 3 / 8 9 10 11"},
};

}  // namespace

TEST_CASE("teams of any size have the processors of the examples") {
  for (const OpenExample& example : kOpenExamples) {
    INFO(example.machine << " " << example.cpus << ": " << example.spec);
    CHECK(open_rows({example.machine, example.cpus}, example.spec, example.shape) ==
          example.open_rows);
  }
}

TEST_CASE("two open levels have the slots of \"core\" if the teams have the same sizes") {
  for (const char* machine : {"barcelona", "tigerton", "scalemp", "nehalem-hp", "hybrid", "laptop",
                              "numa16", "pack:2 numa:2 core:4 pu:2", "core:6 pu:4"}) {
    for (const int outer : {1, 3, 8}) {
      for (const int inner : {1, 3, 8}) {
        INFO(machine << " " << outer << "x" << inner);
        const std::vector<int> shape = {outer, inner};
        const std::string expected =
            open_rows({machine, ""}, "core,scatter,core,subcompact", shape);
        CHECK(open_rows({machine, ""}, "*,scatter,*,subcompact", shape) == expected);
        CHECK(open_rows({machine, ""}, "auto", shape) == expected);
      }
    }
  }
}

TEST_CASE("threads of three levels have their own slots if there are enough") {
  for (const char* machine : {"barcelona", "numa32", "numa16", "pack:2 numa:2 core:8 pu:1"}) {
    plan::Plan plan = planned::plan({machine, ""}, "auto");
    const auto slots = static_cast<int>(plan.machine().slots.size());
    for (int outer = 1; outer <= 4; outer *= 2) {
      for (int middle = 1; middle <= 4; middle *= 2) {
        const int deep = slots / outer / middle;
        // Takes only shapes that divide the slots into equal parts.
        if (deep < 2 || slots % (outer * middle) != 0) {
          continue;
        }
        std::set<int> used;
        for (const plan::Path& path : primaries_of({outer, middle, deep})) {
          const plan::Team team = plan.team(path, deep);
          CHECK(team[0].slot == plan.slot_of(path).slot);
          for (const plan::PlannedSlot& member : team) {
            used.insert(member.slot);
          }
        }
        INFO(machine << " " << outer << "x" << middle << "x" << deep);
        CHECK(static_cast<int>(used.size()) == outer * middle * deep);
      }
    }
  }
}
