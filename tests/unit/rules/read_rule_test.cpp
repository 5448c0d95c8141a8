// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rules/region_rules.hpp"

namespace nestbind::rules {
namespace {

using Kind = Where::Kind;

Rule read(std::string_view line) {
  Rule rule;
  Fault fault;
  INFO(line);
  REQUIRE(read_line(line, rule, fault) == Line::kRule);
  return rule;
}

Fault fault_in(std::string_view line) {
  Rule rule;
  Fault fault;
  INFO(line);
  REQUIRE(read_line(line, rule, fault) == Line::kFaulty);
  return fault;
}

struct Expected {
  std::string word;
  Kind kind;
  std::string module;
  std::string name;
  std::uint64_t first;
  std::uint64_t last;
};

TEST_CASE("a region is named by lines, function, library or address") {
  const std::vector<Expected> all = {
      {"*", Kind::kEvery, "", "", 0, 0},
      {"libfft.so:*", Kind::kModule, "libfft.so", "", 0, 0},
      {"libfft.so.3:*", Kind::kModule, "libfft.so.3", "", 0, 0},
      {"program:*", Kind::kModule, "program", "", 0, 0},
      {"solve.c:120", Kind::kLines, "", "solve.c", 120, 120},
      {"src/solve.c:120-260", Kind::kLines, "", "src/solve.c", 120, 260},
      {"libfft.so:fft.c:7-8", Kind::kLines, "libfft.so", "fft.c", 7, 8},
      {"solve", Kind::kFunction, "", "solve", 0, 0},
      {"space::Solver::operator()", Kind::kFunction, "", "space::Solver::operator()", 0, 0},
      {"/opt/libfft.so:space::f", Kind::kFunction, "/opt/libfft.so", "space::f", 0, 0},
      {"program:solve", Kind::kFunction, "program", "solve", 0, 0},
      {"./a.out:space::f", Kind::kFunction, "./a.out", "space::f", 0, 0},
      {"a.out:solve.c:7-8", Kind::kLines, "a.out", "solve.c", 7, 8},
      {"fluid%solve", Kind::kFunction, "", "fluid%solve", 0, 0},
      {"a.out:0x1f-0x2F", Kind::kAddresses, "a.out", "", 0x1f, 0x2f},
      {"libfft.so:0xffffffffffffffff", Kind::kAddresses, "libfft.so", "", UINT64_MAX, UINT64_MAX},
      {"lib.song:3", Kind::kLines, "", "lib.song", 3, 3},
  };
  for (const Expected& one : all) {
    const std::string line = "\t" + one.word + "  2,scatter # comment";
    const Where where = read(line).where;
    CHECK(where.kind == one.kind);
    CHECK(where.module == one.module);
    CHECK(where.name == one.name);
    CHECK(where.first == one.first);
    CHECK(where.last == one.last);
  }
}

TEST_CASE("the name is followed by a specification, auto or off") {
  CHECK(read("f 2, scatter , 8,subcompact").spec.levels == 2);
  CHECK(read("f off").spec.is_off());
  CHECK(read("f AUTO").spec.is_auto);
}

TEST_CASE("comments and empty lines are not rules") {
  Rule rule;
  Fault fault;
  for (const char* line : {"", "  \t", "# 2,scatter", "   # solve.c:3 off", "\r"}) {
    CHECK(read_line(line, rule, fault) == Line::kEmpty);
  }
}

TEST_CASE("a fault is reported with its position") {
  const std::vector<std::pair<std::string, std::size_t>> all = {
      {"f", 1},          {"f   # off", 4},    {"f 2,scater", 4}, {"f 2,scatter,", 12},
      {":3 off", 0},     {"a.c:1x off", 4},   {"a.c:0 off", 4},  {"a.c:9-3 off", 4},
      {"a.c:3- off", 4}, {"a.c:3-4x off", 4}, {"a.so:: off", 5}, {"a.so:0x off", 5},
      {"a.c: off", 4},   {"f\x01 off", 1}};
  for (const auto& [line, position] : all) {
    INFO(line);
    CHECK(fault_in(line).position == position);
  }
  CHECK(fault_in(std::string_view("a\0b off", 7)).position == 1);
}

TEST_CASE("a fault is shown with a caret under it") {
  const std::string_view line = "f 2,scater";
  char text[512];
  const std::string shown(text, describe(line, fault_in(line), text, sizeof text));
  CHECK(shown.find("column 5") == 0);
  CHECK(shown.substr(shown.rfind('\n') + 1) == "      ^");
}

TEST_CASE("lines are numbered from 1, with or without a final newline") {
  std::vector<std::pair<std::string, int>> lines;
  each_line("a\n\nb", [&](std::string_view line, int number) {
    lines.emplace_back(line, number);
    return true;
  });
  CHECK(lines == std::vector<std::pair<std::string, int>>{{"a", 1}, {"", 2}, {"b", 3}});
}

TEST_CASE("a byte order mark is not part of the first line") {
  each_line("\xef\xbb\xbf* off", [](std::string_view line, int number) {
    CHECK(line == "* off");
    return number == 1;
  });
}

TEST_CASE("a library's version may be left out, and ? matches any byte") {
  CHECK(is_named("libfft.so.3", "libfft.so"));
  CHECK(is_named("q g:x", "q?g?x"));
  CHECK_FALSE(is_named("qg", "q?g"));
  CHECK_FALSE(is_named("libfft.so", "libfft.so.3"));
  CHECK_FALSE(is_named("libfft.song", "libfft.so"));
}

}  // namespace
}  // namespace nestbind::rules
