// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/ompt/records.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "helpers/fake_omp.hpp"

using namespace nestbind::ompt;

TEST_CASE("regions nest on a thread") {
  Data outer{};
  Data inner{};
  Record* first = fork_record(&outer);
  Record* second = fork_record(&inner);
  REQUIRE(first != nullptr);
  REQUIRE(second != nullptr);
  CHECK(first != second);
  CHECK(outer.ptr == first);
  CHECK(record_in(&inner) == second);
  CHECK(join_record() == second);
  CHECK(join_record() == first);
  CHECK(join_record() == nullptr);
  release(first);
  release(second);
  release(nullptr);
}

TEST_CASE("a record that is no longer needed is the next one's and empty") {
  Data word{};
  Record* first = fork_record(&word);
  first->told = true;
  first->second.value = 5;
  CHECK(join_record() == first);
  release(first);
  Data next{};
  Record* again = fork_record(&next);
  CHECK(again == first);
  CHECK_FALSE(again->told);
  CHECK(again->second.value == 0);
  CHECK(join_record() == again);
  release(again);
}

TEST_CASE("a region whose beginning was not reported gets one record") {
  CHECK(record_in(nullptr) == nullptr);
  Data word{};
  // On threads that stay, for their records do.
  std::vector<Record*> found(4);
  fake::run_team(0, fake::Members::kKept, 4,
                 [&](int number, int) { found[number] = record_in(&word); });
  for (Record* record : found) {
    CHECK(record != nullptr);
    CHECK(record == word.ptr);
  }
  release(found[0]);
}

TEST_CASE("without a record there is some word") {
  CHECK(second_word(nullptr) != nullptr);
  Record record{};
  CHECK(second_word(&record) == &record.second);
}

TEST_CASE("members nest on a thread too") {
  const int some = 0;
  int outer_team = 0;
  const auto* place = reinterpret_cast<const nestbind::placement::Place*>(&some);
  auto* team = reinterpret_cast<nestbind::sharing::Team*>(&outer_team);
  enter_member({place, team, true});
  enter_member({nullptr, nullptr, false});
  CHECK_FALSE(leave_member().told);
  const Entered outer = leave_member();
  CHECK(outer.told);
  CHECK(outer.place == place);
  CHECK(outer.team == team);
  CHECK(leave_member().place == nullptr);
  CHECK_FALSE(leave_member().told);
}
