// SPDX-License-Identifier: BSD-3-Clause
// Threads that a plan does not have: of several processors, marked, named, elsewhere; and colours.
#include <catch2/catch.hpp>

#include "drawn.hpp"
#include "show/picture/cells.hpp"

using namespace nestbind;
using show::Occupant;

namespace {

const char* const kFour = "pack:2 core:2 pu:1";

}  // namespace

TEST_CASE("threads that are bound to several cores are named in the box around these") {
  CHECK(drawn::picture(kFour, {{{0, 0}, {0}}, {{0, 1}, {2, 3}}, {{0, 2}, {2, 3}}}) == R"(
┌ package 0 ──────┐ ┌ package 1 ─────────┐
│ 0.0   ·         │ │ anywhere: 0.1, 0.2 │
│                 │ │  ~    ~            │
└─ processors 0-1 ┘ └──── processors 2-3 ┘
· free: 1 of 4 cores; ~ in reach of threads that are bound to several: 2 cores
0.1: thread 1 of the team of thread 0
)");
  // Not all of a box, and across boxes.
  CHECK(drawn::picture("pack:2 core:3 pu:1", {{{0}, {0, 2}}, {{1}, {2, 3}}}) == R"()");
}
