// SPDX-License-Identifier: BSD-3-Clause
// Tests how cores are divided into slots, and which cores are used.
#include "helpers.hpp"

namespace nestbind::machine::test {
namespace {

constexpr Choice with_smt(int smt, long wanted = 1, CoreChoice cores = CoreChoice::kAuto) {
  return {wanted, smt, cores};
}
constexpr Choice with_cores(CoreChoice cores, long wanted) { return {wanted, 0, cores}; }

TEST_CASE("each core gives one slot if there are enough cores", "[machine][slots]") {
  const std::string sun = "{0,8} {1,9} {2,10} {3,11} {4,12} {5,13} {6,14} {7,15}";
  const std::string hp = "{0,8} {2,10} {4,12} {6,14} {1,9} {3,11} {5,13} {7,15}";
  for (long wanted : {1, 5, 8}) {
    CHECK(slot_text(file("nehalem-sun.xml"), {wanted}) == sun);
    CHECK(slot_text(file("nehalem-hp.xml"), {wanted}) == hp);
  }
}

TEST_CASE("more slots than cores are spread over the cores", "[machine][slots]") {
  const std::string sun = file("nehalem-sun.xml");
  CHECK(slot_text(sun, {9}) == "{0,8} {1,9} {2,10} {3,11} {4,12} {5,13} {6,14} 7 15");
  CHECK(slot_text(sun, {12}) == "{0,8} 1 9 {2,10} 3 11 {4,12} 5 13 {6,14} 7 15");
  const std::string all = "0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15";
  CHECK(slot_text(sun, {16}) == all);
  CHECK(slot_text(sun, {17}) == all);
  CHECK(slot_text(sun, {1L << 60}) == all);
}

TEST_CASE("the hardware threads of a core are divided among its slots", "[machine][slots]") {
  CHECK(slot_text("core:1 pu:4", {1}) == "{0,1,2,3}");
  CHECK(slot_text("core:1 pu:4", {2}) == "{0,1} {2,3}");
  CHECK(slot_text("core:1 pu:4", {3}) == "{0,1} 2 3");  // thread j is in slot floor(3 j / 4)
  CHECK(slot_text("core:1 pu:5", {3}) == "{0,1} {2,3} 4");
}

TEST_CASE("a core gives at most as many slots as it has hardware threads", "[machine][slots]") {
  // With this mask, the four cores have 2, 1, 2 and 1 hardware threads.
  const Mask mask = Ints{0, 1, 2, 4, 5, 6};
  CHECK(slot_text("core:4 pu:2", {4}, mask) == "{0,1} 2 {4,5} 6");
  // Core 3 has no second hardware thread, so core 0 gives a second slot.
  CHECK(slot_text("core:4 pu:2", {5}, mask) == "0 1 2 {4,5} 6");
  CHECK(slot_text("core:4 pu:2", {6}, mask) == "0 1 2 4 5 6");
  CHECK(slot_text("core:4 pu:2", {100}, mask) == "0 1 2 4 5 6");
  // The cores have 1, 1, 1 and 4 hardware threads. The formula gives them 1, 2, 1 and 2 slots. Core
  // 1 has only one hardware thread, so core 3 gives one more slot.
  const Mask steep = Ints{0, 4, 8, 12, 13, 14, 15};
  CHECK(slot_text("core:4 pu:4", {6}, steep) == "0 4 8 {12,13} 14 15");
}

TEST_CASE("with NESTBIND_SMT every core gives the same number of slots", "[machine][slots]") {
  const std::string sun = file("nehalem-sun.xml");
  CHECK(slot_text(sun, with_smt(1, 16)) == "{0,8} {1,9} {2,10} {3,11} {4,12} {5,13} {6,14} {7,15}");
  CHECK(slot_text(sun, with_smt(2)) == "0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15");
  CHECK(slot_text(sun, with_smt(64)) == slot_text(sun, with_smt(2)));
  CHECK(slot_text("core:2 pu:4", with_smt(2)) == "{0,1} {2,3} {4,5} {6,7}");
  CHECK(slot_text("core:2 pu:2", with_smt(2), Ints{0, 2, 3}) == "0 2 3");
}

TEST_CASE("a processor without a core counts as a core", "[machine][slots]") {
  CHECK(slot_text("pack:2 pu:3") == "0 1 2 3 4 5");
  CHECK(slot_text("pack:2 pu:3", {50}) == "0 1 2 3 4 5");
  CHECK(slots("pack:2 pu:3").slots.size() == 6);
  CHECK(slots("pack:2 pu:3").slots[4].core == -1);
}

// The slow cores are 0 1 6 7, the fast cores are {2,3} {4,5}.
TEST_CASE("a hybrid machine gives the fastest cores first, and slower cores only if needed",
          "[machine][slots]") {
  const std::string hybrid = file("hybrid.xml");
  CHECK(slot_text(hybrid, {1}) == "{2,3} {4,5}");
  CHECK(slot_text(hybrid, {2}) == "{2,3} {4,5}");
  CHECK(slot_text(hybrid, {3}) == "0 {2,3} {4,5}");
  CHECK(slot_text(hybrid, {5}) == "0 1 {2,3} {4,5} 6");
  CHECK(slot_text(hybrid, {6}) == "0 1 {2,3} {4,5} 6 7");
  CHECK(slot_text(hybrid, {7}) == "0 1 2 3 {4,5} 6 7");
  CHECK(slot_text(hybrid, {9}) == "0 1 2 3 4 5 6 7");
  CHECK(slot_text(hybrid, with_smt(2, 4)) == "2 3 4 5");
  CHECK(slot_text(hybrid, with_smt(2, 6)) == "0 1 2 3 4 5");
}

TEST_CASE("NESTBIND_CORES chooses the kind of cores", "[machine][slots]") {
  const std::string hybrid = file("hybrid.xml");
  CHECK(slot_text(hybrid, with_cores(CoreChoice::kPerformance, 2)) == "{2,3} {4,5}");
  CHECK(slot_text(hybrid, with_cores(CoreChoice::kPerformance, 3)) == "{2,3} 4 5");
  CHECK(slot_text(hybrid, with_cores(CoreChoice::kPerformance, 7)) == "2 3 4 5");
  CHECK(slot_text(hybrid, with_cores(CoreChoice::kEfficient, 1)) == "0 1 6 7");
  CHECK(slot_text(hybrid, with_cores(CoreChoice::kEfficient, 7)) == "0 1 6 7");
  CHECK(slot_text(hybrid, with_cores(CoreChoice::kAll, 1)) == "0 1 {2,3} {4,5} 6 7");
  const Mask slow = Ints{0, 6};
  CHECK(slot_text(hybrid, with_cores(CoreChoice::kPerformance, 1), slow) == "0 6");
  const std::string all = slot_text(file("barcelona.xml"));
  for (CoreChoice cores : {CoreChoice::kPerformance, CoreChoice::kEfficient, CoreChoice::kAll}) {
    CHECK(slot_text(file("barcelona.xml"), with_cores(cores, 1)) == all);
  }
}

TEST_CASE("slots have the indices of their objects, and unused objects also have indices",
          "[machine][slots]") {
  const Machine machine = slots(file("hybrid.xml"), {3});
  REQUIRE(machine.slots.size() == 3);
  const Slot& last = machine.slots[2];
  CHECK(last.core == 3);
  CHECK(last.l2 == 2);
  CHECK(last.l3 == 0);
  CHECK(last.numa == 0);
  CHECK(last.package == 0);
  const Machine tigerton = slots(file("tigerton.xml"));
  CHECK(tigerton.slots[15].l2 == 7);
  CHECK(tigerton.slots[15].l3 == -1);
  CHECK(tigerton.slots[15].numa == 0);
  CHECK(tigerton.slots[15].package == 3);
}

}  // namespace
}  // namespace nestbind::machine::test
