// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <vector>

#include "helpers/fake_omp.hpp"
#include "instrument/ompt/region_records.hpp"

using namespace nestbind::ompt;

TEST_CASE("records of regions are nested on a thread") {
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

TEST_CASE("a released record is reused and empty") {
  Data word{};
  Record* first = fork_record(&word);
  first->team = reinterpret_cast<nestbind::team::Team*>(&word);
  first->second.value = 5;
  CHECK(join_record() == first);
  release(first);
  Data next{};
  Record* again = fork_record(&next);
  CHECK(again == first);
  CHECK(again->team == nullptr);
  CHECK(again->second.value == 0);
  CHECK(join_record() == again);
  release(again);
}

TEST_CASE("a region whose beginning was not reported gets one record") {
  CHECK(record_in(nullptr) == nullptr);
  Data word{};
  // The threads do not end, because their records must stay.
  std::vector<Record*> found(4);
  fake::run_team(0, fake::Members::kKept, 4,
                 [&](int number, int) { found[number] = record_in(&word); });
  for (Record* record : found) {
    CHECK(record != nullptr);
    CHECK(record == word.ptr);
  }
  release(found[0]);
}

TEST_CASE("the second tool has a word even if there is no record") {
  CHECK(second_word(nullptr) != nullptr);
  Record record{};
  CHECK(second_word(&record) == &record.second);
}

TEST_CASE("members are nested on a thread, too") {
  nestbind::team::Team outer;
  enter_member(&outer);
  enter_member(nullptr);
  CHECK(leave_member() == nullptr);
  CHECK(leave_member() == &outer);
  CHECK(leave_member() == nullptr);
}
