// SPDX-License-Identifier: BSD-3-Clause
#include "memory/decide.hpp"

#include <catch2/catch.hpp>

using namespace nestbind::memory;

namespace {

// A program that asks for all three, by all its thresholds just so.
Counts all_three() {
  return {{{3053, 1649, 1649, 1649}, 6392}, Intensity::kHigh, 1000, 50, 1000, 750};
}

Fate fate(const std::vector<std::uint32_t>& samples, std::uint32_t writes, int home,
          const Enabled& on) {
  return fate_of({samples, writes, home}, on).fate;
}

constexpr Enabled kAll{true, true, true};
constexpr Enabled kInterleaving{false, true, false};
constexpr Enabled kMigration{false, false, true};

}  // namespace

TEST_CASE("what is enabled, at every threshold") {
  Counts counts = all_three();
  CHECK(enabled(counts, false) == kAll);
  SECTION("49.9 accesses a microsecond are too few, 50 are not") {
    counts.intensity = intensity(499, 10);
    CHECK(enabled(counts, true) == Enabled{});
    counts.intensity = intensity(500, 10);
    CHECK(enabled(counts, false) == kAll);
  }
  SECTION("an intensity that is not known needs the word") {
    counts.intensity = Intensity::kUnknown;
    CHECK(enabled(counts, false) == Enabled{});
    CHECK(enabled(counts, true) == kAll);
  }
  SECTION("an imbalance of 35.1 % is interleaved, one of 35 is not") {
    counts.traffic.to = {61 * 50, 33 * 50, 33 * 50, 33 * 50};
    CHECK(enabled(counts, false) == Enabled{true, false, true});
  }
  SECTION("where all is local, nothing is interleaved") {
    counts.traffic.local = 8000;
    CHECK(enabled(counts, false) == Enabled{true, false, false});
    counts.traffic.local = 7999;
    CHECK(enabled(counts, false) == Enabled{true, true, false});
  }
  SECTION("79.9 % local are migrated, 80 are not") {
    counts.traffic.local = 6400;
    CHECK(enabled(counts, false) == Enabled{true, true, false});
  }
  SECTION("a read ratio of 94.9 is not replicated, one of 95 is") {
    counts.modified = 51;
    CHECK(enabled(counts, false) == Enabled{false, true, true});
  }
  SECTION("a memory use of 25.1 % is not replicated, one of 25 is") {
    counts.memory_free = 749;
    CHECK(enabled(counts, false) == Enabled{false, true, true});
  }
  SECTION("what is not known is not replicated") {
    counts.refills = 0;
    counts.modified = 0;
    CHECK(enabled(counts, false) == Enabled{false, true, true});
    counts = all_three();
    counts.memory_total = 0;
    counts.memory_free = 0;
    CHECK(enabled(counts, false) == Enabled{false, true, true});
  }
  SECTION("no access, nothing") {
    counts.traffic = {{0, 0}, 0};
    CHECK(enabled(counts, true) == Enabled{});
  }
}

TEST_CASE("the fate of a page, in the given order") {
  CHECK(fate({1, 1, 0, 0}, 0, 0, kAll) == Fate::kReplicate);
  CHECK(fate({1, 1, 0, 0}, 1, 0, kAll) == Fate::kInterleave);
  CHECK(fate({1, 1, 0, 0}, 0, 0, {true, false, false}) == Fate::kReplicate);
  CHECK(fate({1, 1, 0, 0}, 0, 0, kInterleaving) == Fate::kInterleave);
  CHECK(fate({5, 5, 0, 0}, 0, 0, kMigration) == Fate::kStay);
  CHECK(fate({4, 0, 0, 0}, 0, 0, kAll) == Fate::kStay);
  CHECK(fate({0, 0, 0, 0}, 0, 0, kAll) == Fate::kStay);
  CHECK(fate({0, 9, 0, 0}, 0, 0, {}) == Fate::kStay);
}

TEST_CASE("a page of one user goes there if it was sampled twice, or interleaving is enabled") {
  const std::vector<std::uint32_t> once{0, 0, 1, 0};
  const std::vector<std::uint32_t> twice{0, 0, 2, 0};
  CHECK(fate_of({once, 0, 0}, kMigration) == Decision{});
  CHECK(fate_of({twice, 0, 0}, kMigration) == Decision{Fate::kMove, 2});
  CHECK(fate_of({once, 0, 0}, kInterleaving) == Decision{Fate::kMove, 2});
  CHECK(fate_of({twice, 0, 2}, kAll) == Decision{});
  CHECK(fate_of({twice, 0, 0}, {true, false, false}) == Decision{});
}

TEST_CASE("replication begins with 500 pages") {
  Replication replication;
  CHECK_FALSE(replication.takes(499));
  CHECK(replication.takes(500));
  CHECK(replication.takes(1));
  CHECK_FALSE(replication.takes(0));
}

TEST_CASE("the published draw") {
  const std::vector<unsigned> parts = parts_of(std::vector<std::uint64_t>{979, 10, 10, 1});
  CHECK(parts == std::vector<unsigned>{97, 1, 1, 0});
  CHECK(weights_of(parts) == 3 + 99 + 99 + 100);
  CHECK(parts_of(std::vector<std::uint64_t>{0, 0}) == std::vector<unsigned>{0, 0});
  SECTION("a page leaves where x is at most its node's part") {
    CHECK(node_drawn(parts, 0, 97, 3) == 1);
    CHECK(node_drawn(parts, 0, 98, 3) == 0);
    CHECK(node_drawn(parts, 3, 0, 3) == 1);
    CHECK(node_drawn(parts, 3, 1, 3) == 3);
  }
  SECTION("each node as often as it weighs") {
    std::vector<unsigned> times(4);
    for (unsigned pick = 0; pick < weights_of(parts); ++pick) {
      ++times[static_cast<std::size_t>(node_drawn(parts, 0, 0, pick))];
    }
    CHECK(times == std::vector<unsigned>{3, 99, 99, 100});
  }
}

TEST_CASE("samples are taken often where an interval ordered 10 moves") {
  CHECK(sampling_period(9) == 262112);
  CHECK(sampling_period(10) == 65528);
}
