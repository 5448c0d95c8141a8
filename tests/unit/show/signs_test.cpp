// SPDX-License-Identifier: BSD-3-Clause
// Tests threads without a plan: their processors, marks and names.
#include <catch2/catch.hpp>
#include <cmath>

#include "drawn.hpp"
#include "show/picture/boxes.hpp"
#include "show/planned.hpp"
#include "show/texts.hpp"

using namespace nestbind;
using show::Occupant;

TEST_CASE("a thread that is bound to several cores is named in the box around them") {
  CHECK(drawn::picture("pack:2 core:2 pu:1",
                       {{{0, 0}, {0}}, {{0, 1}, {2, 3}}, {{0, 2}, {3, 2, 3}}}) == R"(
┌ package 0 ─────────┐ ┌ package 1 ─────────┐
│ 0.0   ·            │ │ anywhere: 0.1, 0.2 │
│                    │ │  ~    ~            │
└──── processors 0-1 ┘ └──── processors 2-3 ┘
· free: 1 of 4 cores; ~ a thread may move there: 2 cores
0.1: thread 1 of the team of thread 0
)");
  CHECK(drawn::picture("pack:2 core:3 pu:1", {{{0}, {0, 2}}, {{1}, {2, 3}}}) == R"(
on 2-3: 1
┌ package 0 ┐ ┌ package 1 ┐
│ on 0,2: 0 │ │ ~  ·  ·   │
│ ~  ·  ~   │ │           │
└────── 0-2 ┘ └────── 3-5 ┘
· free: 3 of 6 cores; ~ a thread may move there: 3 cores
)");
  CHECK(drawn::picture("pack:2 core:2 pu:1", {{{0}, {0, 1, 2, 3}}, {{1}, {1}}}) == R"(
anywhere: 0
┌ package 0 ┐ ┌ package 1 ┐
│ ·  1      │ │ ·  ·      │
└────── 0-1 ┘ └────── 2-3 ┘
· free: 3 of 4 cores
)");
}

TEST_CASE("hardware threads of a core are drawn apart if different threads use them") {
  CHECK(drawn::picture(
            "core:4 pu:4",
            {{{0}, {0, 1, 2, 3}}, {{1}, {4, 5}}, {{2}, {6}}, {{3}, {8, 10}}, {{4}, {8}}}) == R"(
┌ machine ────────────────────────────────────────────────────────────────┐
│ [       0       ] [   1   | 2 | · ] [3+4| · | 3 | · ] [       ·       ] │
└──────────────────────────────────────────────────────── processors 0-15 ┘
· free: 1 of 4 cores; [ ] a core with several hardware threads
)");
}

TEST_CASE("marks have signs, and the legend explains them") {
  CHECK(drawn::picture("pack:2 core:2 pu:1", {{{0, 0}, {0}},
                                              {{0, 1}, {3}, "wandered"},
                                              {{1, 0}, {2}},
                                              {{1, 1}, {1}, "wandered"},
                                              {{2}, {1}, "late"},
                                              {{3}, {0, 1, 2, 3}, "not bound"}}) == R"(
anywhere: 3 (not bound)
┌ package 0 ───────┐ ┌ package 1 ───────┐
│ 0.0      1.1!+2? │ │ 1.0      0.1!    │
└── processors 0-1 ┘ └── processors 2-3 ┘
no core is free; 0.1: thread 1 of the team of thread 0; ! wandered; ? late
)");
}

TEST_CASE("names can replace paths, and threads elsewhere are listed below") {
  CHECK(drawn::picture("pack:1 core:2 pu:1",
                       {{{}, {0}}, {{}, {1}, "", "4711"}, {{7}, {99}}, {{8}, {100}}}) == R"(
┌ package 0, node 0 ┐
│ initial  4711     │
└─── processors 0-1 ┘
no core is free
on none of these processors: 7, 8
)");
}

TEST_CASE("allowed processors and the processors of threads are drawn") {
  const machine::Hardware hardware = drawn::hardware("pack:4 core:2 pu:1");
  const auto text = [&](const std::vector<Occupant>& occupants) {
    return "\n" + show::text_of(show::draw(hardware, std::vector{0, 3}, occupants, {}).lines, {});
  };
  CHECK(text({}) == R"(
┌ package 0 ┐ ┌ package 1 ┐
│ ·         │ │ ·         │
└──────── 0 ┘ └──────── 3 ┘
)");
  CHECK(text({{{0}, {6}}}) == R"(
┌ package 0 ┐ ┌ package 1 ┐ ┌ package 3 ┐
│ ·         │ │ ·         │ │ 0         │
└──────── 0 ┘ └──────── 3 ┘ └──────── 6 ┘
)");
}

TEST_CASE("titles are indented if frames would be too wide") {
  const auto hardware =
      drawn::hardware("group:2 group:2 group:2 pack:2 [numa] die:2 l3:2 l2:2 core:2 pu:1");
  const std::vector allowed = {0, 1, 2, 4, 8, 16, 32, 64, 128};
  const std::vector<Occupant> occupants = {{{0, 1}, {0}}, {{2}, {8}}, {{3}, {16}}};
  const show::Picture picture = show::draw(hardware, allowed, occupants, {1, 24, false, false});
  CHECK("\n" + show::text_of(picture.lines, {}) == R"(
board 0
 board 1
  board 2
   package 0, node 0
    die 0
     L3 0
      L2 0
       core 0: 0.1
       core 1: .
      L2 1
       core 2: .
     L3 1, L2
      core 4: .
    die 1, L3, L2
     core 8: 2
   package 1, node 1, die, L3,
     L2
    core 16: 3
  board 3, package 2, node 2,
    die, L3, L2
   core 32: .
 boards 4-5, package 4, node
   4, die, L3, L2
  core 64: .
boards 7-9, package 8, node 8,
  die, L3, L2
 core 128: .
)");
}

TEST_CASE("each outer team has a colour if the canvas has colours") {
  const std::vector<Occupant> occupants = {
      {{0, 0}, {0}}, {{0, 1}, {1}}, {{8, 0}, {2}}, {{1, 1}, {2}}, {{}, {3}}};
  const machine::Hardware hardware = drawn::hardware("core:4 pu:1");
  show::Canvas canvas;
  const show::Picture picture = show::draw(hardware, std::nullopt, occupants, canvas);
  REQUIRE(picture.lines.size() == 3);
  CHECK(picture.lines[1] == show::Line{{"│ "},
                                       {"0.0    ", 0},
                                       {"  "},
                                       {"0.1    ", 0},
                                       {"  "},
                                       {"8.0", 8},
                                       {"+"},
                                       {"1.1", 1},
                                       {"  initial │"}});
  CHECK(show::text_of({picture.lines[1]}, canvas) == "│ 0.0      0.1      8.0+1.1  initial │\n");
  canvas.has_colour = true;
  CHECK(show::text_of({picture.lines[1]}, canvas) ==
        "│ \033[38;5;16;48;5;214m0.0    \033[0m  \033[38;5;16;48;5;214m0.1    \033[0m  "
        "\033[38;5;16;48;5;74m8.0\033[0m+\033[38;5;16;48;5;74m1.1\033[0m  initial │\n");
}

TEST_CASE("there are seven colours, each readable on its background") {
  const auto luminance = [](const std::string& rgb) {
    double sum = 0;
    const double weights[] = {0.2126, 0.7152, 0.0722};
    for (int i = 0; i < 3; ++i) {
      const double part = std::stoi(rgb.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
      sum += weights[i] * (part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
  };
  for (int team = 0; team < show::kTeamColours; ++team) {
    const show::TeamColour& colour = show::colour_of(team);
    CHECK(&colour == &show::colour_of(team + show::kTeamColours));
    const double one = luminance(colour.background_rgb);
    const double other = luminance(colour.text_rgb);
    // WCAG 2.1, rule 1.4.3: the contrast of text must be at least 4.5 to 1.
    CHECK((std::max(one, other) + 0.05) / (std::min(one, other) + 0.05) >= 4.5);
  }
}

TEST_CASE("lines are broken at blanks") {
  const auto text = [](const std::string& words, int columns) {
    return show::text_of(show::picture::wrap({{words}}, columns, 2), {});
  };
  CHECK(text("one two three", 20) == "one two three\n");
  CHECK(text("one two three", 8) == "one two\n  three\n");
  CHECK(text("one two three", 7) == "one two\n  three\n");
  CHECK(text("abcdefgh", 4) == "abcd\n  ef\n  gh\n");
  CHECK(text("┌──┐ ···", 4) == "┌──┐\n  ··\n  ·\n");
  CHECK(text("", 4) == "\n");
}

TEST_CASE("long lists are written as ranges") {
  std::vector<machine::Slot> slots;
  std::vector<machine::Slot> pairs;
  for (int i = 0; i < 64; ++i) {
    slots.push_back({{i}});
    pairs.push_back({{i, i + 64}});
  }
  const auto some = [](int count, int by, int from = 0) {
    std::vector<int> members;
    for (int i = 0; i < count; ++i) {
      members.push_back(from + i * by);
    }
    return members;
  };
  CHECK(show::slot_list(slots, {}) == "");
  CHECK(show::slot_list(slots, some(8, 1)) == "0 1 2 3 4 5 6 7");
  CHECK(show::slot_list(slots, some(9, 1)) == "0-8");
  CHECK(show::slot_list(slots, some(16, 4)) == "0-60:4");
  CHECK(show::slot_list(pairs, some(9, 1)) == "{0,64}-{8,72}");
  CHECK(show::slot_list(pairs, some(2, 1)) == "{0,64} {1,65}");
  CHECK(show::slot_list(slots, {3, 2, 1, 0, 4, 5, 6, 9, 9, 9}) == "3 2 1 0 4-6 9*3");
  CHECK(show::slot_list(slots, {0, 5, 9, 13, 4, 1, 10, 14, 8}) == "0 5-13:4 4 1 10 14 8");
  CHECK(show::number_list({}) == "-");
  CHECK(show::number_list({3, 1, 2, 9, 9}) == "1-3,9");
  CHECK(show::number_list(some(8, 4)) == "0,4,8,12,16,20,24,28");
  CHECK(show::number_list(some(9, 4)) == "0-32:4");
}

TEST_CASE("special characters are escaped in XML") {
  CHECK(show::escaped("a<b>&\"c'") == "a&lt;b&gt;&amp;&quot;c&apos;");
  CHECK(show::escaped("·") == "&#xB7;");
  CHECK(show::escaped("\xF0\x9F\x98\x80") == "&#x1F600;");
  // These are control characters, bad sequences, surrogates, and too large numbers.
  for (const char* bad : {"\x01", "\x7F", "\x80", "\xC0", "\xC3", "\xFF"}) {
    CHECK(show::escaped(bad) == "&#xFFFD;");
  }
  CHECK(show::escaped("\xE0\x80\x80") == "&#xFFFD;&#xFFFD;&#xFFFD;");
  CHECK(show::escaped("\xED\xA0\x80") == "&#xFFFD;&#xFFFD;&#xFFFD;");
  CHECK(show::escaped("\xEF\xBF\xBF") == "&#xFFFD;&#xFFFD;&#xFFFD;");
}
