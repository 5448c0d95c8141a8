// SPDX-License-Identifier: BSD-3-Clause
#include "cli/lines/code_places.hpp"

#include <catch2/catch.hpp>

using namespace nestbind::cli;

TEST_CASE("the place of code is at the end of a row") {
  const std::string_view line =
      "       16      2        200         3000  0.75       8    75.0  100.0    3.3    1.6    0.0  "
      " "
      "       -      12.3  solve._omp_fn.0+0x1c, /opt/solver+0x12ab";
  const auto found = find_place(line);
  REQUIRE(found);
  CHECK(line.substr(found->begin) == "solve._omp_fn.0+0x1c, /opt/solver+0x12ab");
  CHECK(found->place.module == "/opt/solver");
  CHECK(found->place.address == 0x12ab);
  CHECK(found->place.function == "solve._omp_fn.0");
  CHECK(found->place.in_function == 0x1c);
  CHECK(found->place.build_id.empty());
}

TEST_CASE("a place may have no function, and its file may have any name") {
  const auto bare = find_place("  1  2  /opt/a  b, c+0x5, d+0x12ab");
  REQUIRE(bare);
  CHECK(bare->place.function.empty());
  CHECK(bare->place.module == "/opt/a  b, c+0x5, d");
  CHECK(bare->place.address == 0x12ab);
  const auto named = find_place("  1  f+0x0, /opt/a  b, c+0x5, d+0x12ab");
  REQUIRE(named);
  CHECK(named->place.function == "f");
  CHECK(named->place.in_function == 0);
  CHECK(named->place.module == "/opt/a  b, c+0x5, d");
}

TEST_CASE("texts that only resemble a place are not places") {
  for (const char* line :
       {"", "  ", "  7", "nestbind: loops of process 1 on here, schedule hybrid", "  3  ?+0xffff",
        "  3  /opt/a+0x", "  3  /opt/a+0x12 ", "  3  /opt/a+0x12g", "  3  +0x12", "/opt/a+0x12",
        "  3  /opt/a+0x11112222333344445", "  threads  teams executions  loop"}) {
    CAPTURE(line);
    CHECK_FALSE(find_place(line));
  }
}

TEST_CASE("frames are written as functions, files and lines") {
  CHECK(in_words({}).empty());
  CHECK(in_words({{"f", "/a.c", 3}}) == "f, /a.c:3");
  CHECK(in_words({{"", "/a.c", 3}}) == "/a.c:3");
  CHECK(in_words({{"f", "/a.h", 3}, {"g", "/b.h", 4}, {"main", "/a.c", 50}}) ==
        "f, /a.h:3, inlined in g, /b.h:4, inlined in main, /a.c:50");
}
