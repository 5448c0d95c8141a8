// SPDX-License-Identifier: BSD-3-Clause
// Tests plans for sizes and levels that the specification does not have.
#include <catch2/catch.hpp>

#include "planned.hpp"

using namespace nestbind;

namespace {

std::string team(plan::Plan& plan, const plan::Path& path, int size) {
  std::string row;
  for (const plan::PlannedSlot& planned : plan.team(path, size)) {
    row += (row.empty() ? "" : " ") + planned::processors(plan, planned);
  }
  return row;
}

}  // namespace

TEST_CASE("a team is placed by its real size") {
  plan::Plan plan = planned::plan({"barcelona", ""}, "4,scatter,4,subscatter");
  CHECK(team(plan, {}, 2) == "0 8");
  CHECK(team(plan, {{1, 2}}, 4) == "8 9 10 11");
  CHECK(team(plan, {{1, 4}}, 2) == "4 6");
  CHECK(team(plan, {{1, 4}}, 4) == "4 5 6 7");
  CHECK(team(plan, {{0, 1}}, 4) == "0 1 2 3");
}

TEST_CASE("a plain inner team of another size avoids the slots of other primary threads") {
  plan::Plan plan = planned::plan({"barcelona", ""}, "4,scatter,4,scatter");
  CHECK(team(plan, {{0, 4}}, 4) == "0 5 9 13");
  CHECK(team(plan, {{0, 4}}, 2) == "0 9");
  CHECK(team(plan, {{1, 4}}, 4) == "4 1 10 14");
  CHECK(team(plan, {{0, 2}}, 4) == "0 4 9 12");
}

TEST_CASE("a team of one keeps the slot and the partition") {
  plan::Plan plan = planned::plan({"barcelona", ""}, "4,scatter,4,subscatter");
  const plan::PlannedSlot before = plan.slot_of({{2, 4}});
  const plan::PlannedSlot after = plan.slot_of({{2, 4}, {0, 1}});
  CHECK(after.slot == before.slot);
  CHECK(after.partition == before.partition);
}

TEST_CASE("a symbolic size is the number of objects in the primary thread's partition") {
  plan::Plan plan = planned::plan({"barcelona", "0-8,12"}, "numa,scatter,core,subcompact");
  CHECK(plan.next_size({}) == 4);
  CHECK(plan.next_size({{0, 4}}) == 4);
  CHECK(plan.next_size({{2, 4}}) == 1);
  CHECK(plan.next_size({{2, 4}, {0, 1}}) == 0);
}

TEST_CASE("a quota limits sizes that are words, and is divided among the teams on the path") {
  const auto with = [](const char* text, int quota) {
    const plan::Plan plan = planned::plan({"barcelona", ""}, text);
    return plan::Plan(plan.machine(), plan.rules(), {}, quota);
  };
  plan::Plan words = with("numa,scatter,core,subcompact", 8);
  CHECK(words.next_size({}) == 4);
  CHECK(words.next_size({{3, 4}}) == 2);
  CHECK(words.next_size({{1, 2}}) == 4);  // from a num_threads clause
  CHECK(words.next_size({{1, 3}}) == 2);
  CHECK(words.next_size({{1, 9}}) == 1);
  CHECK(words.next_size({{0, 4}, {0, 2}}) == 0);
  CHECK(team(words, {{1, 4}}, 2) == "4 5");
  plan::Plan few = with("numa,scatter,core,subcompact", 3);
  CHECK(few.next_size({}) == 3);
  CHECK(few.next_size({{2, 3}}) == 1);
  plan::Plan numbers = with("4,scatter,core,subcompact,2,subcompact", 2);
  CHECK(numbers.next_size({}) == 4);
  CHECK(numbers.next_size({{0, 4}}) == 1);
  CHECK(numbers.next_size({{0, 4}, {0, 1}}) == 2);
}

TEST_CASE("auto sets a default size if there is a small quota, or if the machine is divided") {
  const auto size = [](const char* text, int quota) {
    const plan::Plan plan = planned::plan({"barcelona", ""}, text);
    plan::Plan cut(plan.machine(), plan.rules(), {}, quota);
    return cut.size_to_set({}, cut.slot_of({}));
  };
  CHECK(size("auto", 0) == 0);
  CHECK(size("auto", 16) == 0);
  CHECK(size("auto", 15) == 15);
  CHECK(size("auto", 1) == 1);
  CHECK(size("*,scatter,*,subcompact", 1) == 0);
  CHECK(plan::default_size(4, 4, 0) == 4);
  CHECK(plan::default_size(4, 4, 8) == 2);
  CHECK(plan::default_size(4, 4, 3) == 1);
  CHECK(plan::default_size(4, 2, 100) == 4);
}

// The product of the sizes on these paths is a multiple of 2^64.
TEST_CASE("sizes are known below many nested teams", "[plan]") {
  std::string words = "4,scatter";
  for (int level = 1; level < nestbind::spec::kMaxLevels; ++level) {
    words += ",core,subcompact";
  }
  for (const int size : {4, 1 << 16}) {
    const plan::Path path(size == 4 ? 32 : 4, {0, size});
    for (const int quota : {0, 1, 8, 1 << 30}) {
      const plan::Plan whole = planned::plan({"barcelona", ""}, words);
      plan::Plan plan(whole.machine(), whole.rules(), {}, quota);
      CHECK(plan.next_size(path) == 1);
      CHECK(plan.team(path, 1)[0].slot == 0);
      CHECK(plan::sharing_of(plan, path, 2) == "2 threads share 1 slot");
    }
  }
}

TEST_CASE("a specification inside a region adds its sizes to the sizes outside", "[plan]") {
  const planned::Setup setup{"barcelona", ""};
  const plan::Plan outer = planned::plan(setup, "1048576,scatter");
  plan::Plan inner = outer;
  for (int level = 1; level < 4; ++level) {
    std::string text;
    for (int above = 0; above < level; ++above) {
      text += "1,scatter,";
    }
    spec::Spec spec;
    spec::Fault fault;
    REQUIRE(spec::parse(text + "1048576,subcompact", spec, fault));
    inner =
        plan::make_from(inner, level, spec, planned::topology(setup), machine::CoreChoice::kAuto);
  }
  CHECK(plan::product(outer.rules()) == 1048576);
  CHECK(plan::product(inner.rules()) == plan::kMostThreads);
  CHECK(plan::over_quota(inner.rules(), 2) ==
        "1073741824 threads wait for each other: the CPU quota lets 2 run");
}

TEST_CASE("a quota changes neither the slots nor the threads on them") {
  plan::Plan whole = planned::plan({"barcelona", ""}, "4,scatter,core,scatter");
  plan::Plan cut(whole.machine(), whole.rules(), {}, 8);
  CHECK(cut.next_size({{2, 4}}) == 2);
  CHECK(team(cut, {{2, 4}}, 2) == team(whole, {{2, 4}}, 2));
  CHECK(team(cut, {{2, 4}}, 4) == team(whole, {{2, 4}}, 4));
}

TEST_CASE("threads beyond the specification may run in their primary thread's partition") {
  plan::Plan plan = planned::plan({"barcelona", ""}, "4,scatter");
  const plan::Team& inner = plan.team({{1, 4}}, 3);
  CHECK(inner[0].pinned);
  CHECK(inner[0].slot == 4);
  CHECK_FALSE(inner[1].pinned);
  CHECK(inner[1].partition == std::vector<int>{4, 5, 6, 7});
  CHECK(inner[2].partition == std::vector<int>{4, 5, 6, 7});
}

TEST_CASE("a team larger than its partition may run in the topmost object") {
  plan::Plan plan = planned::plan({"barcelona", ""}, "4,scatter,4,subscatter");
  const plan::Team& third = plan.team({{1, 4}, {2, 4}}, 2);
  CHECK(third[0].slot == 6);
  CHECK(third[1].partition == std::vector<int>{4, 5, 6, 7});
}

TEST_CASE("threads may run anywhere if the machine has no branching object") {
  plan::Plan plan = planned::plan({"pack:1 core:4 pu:1", ""}, "4,scatter");
  CHECK(plan.team({{1, 4}}, 2)[1].partition == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE("the paper's larger shapes have the known slots") {
  CHECK(planned::rows({"bielefeld", ""}, "2,scatter,8,subscatter@board").substr(0, 15) ==
        "0 1 2 3 4 5 6 7");
  plan::Plan boards = planned::plan({"bielefeld", ""}, "15,scatter,8,subscatter");
  plan::Plan pairs = planned::plan({"bielefeld", ""}, "60,scatter,2,subscatter");
  for (int t = 0; t < 15; ++t) {
    for (int i = 0; i < 8; ++i) {
      CHECK(boards.team({{t, 15}}, 8)[i].slot == 8 * t + i);
    }
  }
  for (int t = 0; t < 60; ++t) {
    CHECK(pairs.team({{t, 60}}, 2)[0].slot == 2 * t);
    CHECK(pairs.team({{t, 60}}, 2)[1].slot == 2 * t + 1);
  }
}
