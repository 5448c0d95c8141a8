// SPDX-License-Identifier: BSD-3-Clause
// The shapes of the paper's figures of SHEMAT-Suite: Y teams of Z threads, on the paper's machines.
// The expected slots are derived by hand from nestbind-spec(7).
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "planned.hpp"

namespace {

struct Shape {
  int outer;
  int inner;
  const char* subscatter;  // rows of "Y,scatter,Z,subscatter"
  const char* subcompact;  // null if "Y,scatter,Z,subcompact" has the same rows
};

constexpr char kSixteenTeams[] =
    "0 / 1 / 2 / 3 / 4 / 5 / 6 / 7 / 8 / 9 / 10 / 11 / 12 / 13 / 14 / 15";
constexpr char kOneTeam[] = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15";

// Four packages of four cores, each with its own cache and NUMA node.
const Shape kBarcelona[] = {
    {1, 1, "0", nullptr},
    {1, 2, "0 2", "0 1"},
    {1, 3, "0 2 3", "0 1 2"},
    {1, 4, "0 1 2 3", nullptr},
    {1, 6, "0 2 3 4 6 7", "0 1 2 3 4 5"},
    {1, 8, "0 1 2 3 4 5 6 7", nullptr},
    {1, 16, kOneTeam, nullptr},
    {2, 1, "0 / 8", nullptr},
    {2, 2, "0 2 / 8 10", "0 1 / 8 9"},
    {2, 4, "0 1 2 3 / 8 9 10 11", nullptr},
    {2, 8, "0 1 2 3 4 5 6 7 / 8 9 10 11 12 13 14 15", nullptr},
    {4, 1, "0 / 4 / 8 / 12", nullptr},
    {4, 2, "0 2 / 4 6 / 8 10 / 12 14", "0 1 / 4 5 / 8 9 / 12 13"},
    {4, 3, "0 2 3 / 4 6 7 / 8 10 11 / 12 14 15", "0 1 2 / 4 5 6 / 8 9 10 / 12 13 14"},
    {4, 4, "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15", nullptr},
    {8, 1, "0 / 2 / 4 / 6 / 8 / 10 / 12 / 14", nullptr},
    {8, 2, "0 1 / 2 3 / 4 5 / 6 7 / 8 9 / 10 11 / 12 13 / 14 15", nullptr},
    {16, 1, kSixteenTeams, nullptr},
};

// Four packages of four cores, with one NUMA node. Two cores share a cache.
const Shape kTigerton[] = {
    {1, 1, "0", nullptr},
    {1, 2, "0 2", "0 1"},
    {1, 3, "0 1 2", nullptr},
    {1, 4, "0 1 2 3", nullptr},
    {1, 6, "0 1 2 4 5 6", "0 1 2 3 4 5"},
    {1, 8, "0 1 2 3 4 5 6 7", nullptr},
    {1, 16, kOneTeam, nullptr},
    {2, 1, "0 / 8", nullptr},
    {2, 2, "0 2 / 8 10", "0 1 / 8 9"},
    {2, 4, "0 1 2 3 / 8 9 10 11", nullptr},
    {2, 8, "0 1 2 3 4 5 6 7 / 8 9 10 11 12 13 14 15", nullptr},
    {4, 1, "0 / 4 / 8 / 12", nullptr},
    {4, 2, "0 2 / 4 6 / 8 10 / 12 14", "0 1 / 4 5 / 8 9 / 12 13"},
    {4, 3, "0 1 2 / 4 5 6 / 8 9 10 / 12 13 14", nullptr},
    {4, 4, "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15", nullptr},
    {8, 1, "0 / 2 / 4 / 6 / 8 / 10 / 12 / 14", nullptr},
    {8, 2, "0 1 / 2 3 / 4 5 / 6 7 / 8 9 / 10 11 / 12 13 / 14 15", nullptr},
    {16, 1, kSixteenTeams, nullptr},
};

// Fifteen boards of two packages of four cores, which these shapes do not divide evenly. Each
// package has its own NUMA node.
const Shape kBielefeld[] = {
    {1, 1, "0", nullptr},
    {1, 2, "0 2", "0 1"},
    {1, 4, "0 1 2 3", nullptr},
    {1, 8, "0 1 2 3 4 5 6 7", nullptr},
    // The first team has eight boards, the second seven.
    {2, 1, "0 / 64", nullptr},
    {2, 4, "0 1 2 3 / 64 65 66 67", nullptr},
    {2, 8, "0 1 2 3 4 5 6 7 / 64 65 66 67 68 69 70 71", nullptr},
    // Three teams have four boards each, the last team has three.
    {4, 1, "0 / 32 / 64 / 96", nullptr},
    {4, 8,
     "0 1 2 3 4 5 6 7 / 32 33 34 35 36 37 38 39 / 64 65 66 67 68 69 70 71 / "
     "96 97 98 99 100 101 102 103",
     nullptr},
    // Seven teams have two boards each, the last team has one.
    {8, 1, "0 / 16 / 32 / 48 / 64 / 80 / 96 / 112", nullptr},
    {8, 2, "0 2 / 16 18 / 32 34 / 48 50 / 64 66 / 80 82 / 96 98 / 112 114",
     "0 1 / 16 17 / 32 33 / 48 49 / 64 65 / 80 81 / 96 97 / 112 113"},
    {8, 8,
     "0 1 2 3 4 5 6 7 / 16 17 18 19 20 21 22 23 / 32 33 34 35 36 37 38 39 / "
     "48 49 50 51 52 53 54 55 / 64 65 66 67 68 69 70 71 / 80 81 82 83 84 85 86 87 / "
     "96 97 98 99 100 101 102 103 / 112 113 114 115 116 117 118 119",
     nullptr},
    // There are fifteen boards. The first board has two teams.
    {16, 1, "0 / 4 / 8 / 16 / 24 / 32 / 40 / 48 / 56 / 64 / 72 / 80 / 88 / 96 / 104 / 112",
     nullptr},
    {16, 4,
     "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 16 17 18 19 / 24 25 26 27 / 32 33 34 35 / 40 41 42 43 / "
     "48 49 50 51 / 56 57 58 59 / 64 65 66 67 / 72 73 74 75 / 80 81 82 83 / 88 89 90 91 / "
     "96 97 98 99 / 104 105 106 107 / 112 113 114 115",
     nullptr},
};

// These shapes divide the boards evenly. Team t begins at the slot t * `apart`. Each thread's slot
// is this slot plus an offset.
struct EvenShape {
  const char* machine;
  int outer;
  int inner;
  int apart;
  std::vector<int> subscatter;
  std::vector<int> subcompact;
};

const EvenShape kBoards[] = {
    {"bielefeld", 15, 1, 8, {0}, {0}},
    {"bielefeld", 15, 2, 8, {0, 2}, {0, 1}},
    {"bielefeld", 15, 4, 8, {0, 1, 2, 3}, {0, 1, 2, 3}},
    {"bielefeld", 15, 8, 8, {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}},
    {"bielefeld", 30, 1, 4, {0}, {0}},
    {"bielefeld", 30, 2, 4, {0, 2}, {0, 1}},
    {"bielefeld", 30, 4, 4, {0, 1, 2, 3}, {0, 1, 2, 3}},
    {"bielefeld", 60, 1, 2, {0}, {0}},
    {"bielefeld", 60, 2, 2, {0, 1}, {0, 1}},
    {"bielefeld", 120, 1, 1, {0}, {0}},
    // Thirteen boards of two packages of four cores. Two cores share a cache.
    {"scalemp", 13, 1, 8, {0}, {0}},
    {"scalemp", 13, 2, 8, {0, 4}, {0, 1}},
    {"scalemp", 13, 4, 8, {0, 2, 4, 6}, {0, 1, 2, 3}},
    {"scalemp", 13, 8, 8, {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}},
    {"scalemp", 26, 2, 4, {0, 2}, {0, 1}},
    {"scalemp", 26, 4, 4, {0, 1, 2, 3}, {0, 1, 2, 3}},
    {"scalemp", 52, 2, 2, {0, 1}, {0, 1}},
};

std::string specification(int outer, int inner, const char* strategy) {
  return std::to_string(outer) + ",scatter," + std::to_string(inner) + "," + strategy;
}

std::string rows_of(int teams, int apart, const std::vector<int>& members) {
  std::string rows;
  for (int team = 0; team < teams; ++team) {
    rows += team == 0 ? "" : " / ";
    for (std::size_t i = 0; i < members.size(); ++i) {
      rows += (i == 0 ? "" : " ") + std::to_string(team * apart + members[i]);
    }
  }
  return rows;
}

template <std::size_t kCount>
void check(const char* machine, const Shape (&shapes)[kCount]) {
  for (const Shape& shape : shapes) {
    CAPTURE(machine, shape.outer, shape.inner);
    CHECK(planned::rows({machine, ""}, specification(shape.outer, shape.inner, "subscatter")) ==
          shape.subscatter);
    CHECK(planned::rows({machine, ""}, specification(shape.outer, shape.inner, "subcompact")) ==
          (shape.subcompact != nullptr ? shape.subcompact : shape.subscatter));
  }
}

}  // namespace

TEST_CASE("SHEMAT-Suite's shapes have the known slots on Barcelona") {
  check("barcelona", kBarcelona);
}

TEST_CASE("SHEMAT-Suite's shapes have the known slots on Tigerton") {
  check("tigerton", kTigerton);
}

TEST_CASE("SHEMAT-Suite's uneven shapes have the known slots on Bielefeld's boards") {
  check("bielefeld", kBielefeld);
}

TEST_CASE("SHEMAT-Suite's even shapes have the known slots on boards") {
  for (const EvenShape& shape : kBoards) {
    CAPTURE(shape.machine, shape.outer, shape.inner);
    CHECK(
        planned::rows({shape.machine, ""}, specification(shape.outer, shape.inner, "subscatter")) ==
        rows_of(shape.outer, shape.apart, shape.subscatter));
    CHECK(
        planned::rows({shape.machine, ""}, specification(shape.outer, shape.inner, "subcompact")) ==
        rows_of(shape.outer, shape.apart, shape.subcompact));
  }
}
