// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/sheet.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace nestbind;
using namespace nestbind::ranks;

namespace {

constexpr std::uint64_t kKey = 0x123456789abcdef0;

struct Mask {
  mask::MaskBuffer buffer{};
  explicit Mask(const std::vector<int>& cpus) {
    for (const int cpu : cpus) {
      mask::add(buffer.bits, cpu);
    }
  }
};

Sheet sheet_for(int ranks) {
  Sheet sheet;
  begin(sheet, kKey, ranks);
  return sheet;
}

bool is_whole(const Sheet& sheet) { return is_good(sheet, bytes_of(sheet), kKey, ranks_of(sheet)); }

void come(Sheet& sheet, int rank, const std::vector<int>& cpus, bool has_openmp = true) {
  enter(sheet, rank, {static_cast<std::uint32_t>(100 + rank), 7, false, has_openmp},
        Mask(cpus).buffer.view());
  REQUIRE(is_whole(sheet));
}

// Returns a text like "1 of 4 - 2 x 3". In this text, two ranks are missing, and rank 3 overlaps.
std::string part(Sheet& sheet, int rank, const Need& need = {}) {
  const Division division = divide(sheet, rank, need);
  CHECK(is_whole(sheet));
  std::string text = std::to_string(division.index) + " of " + std::to_string(division.of);
  text += division.missing > 0 ? " - " + std::to_string(division.missing) : "";
  text += division.overlapping >= 0 ? " x " + std::to_string(division.overlapping) : "";
  return text;
}

const std::vector<int> kLeft = {0, 1, 2, 3};
const std::vector<int> kRight = {4, 5, 6, 7, 12};

}  // namespace

TEST_CASE("ranks with one mask divide it in the order of their numbers") {
  Sheet sheet = sheet_for(3);
  for (const int rank : {2, 0, 1}) {
    come(sheet, rank, kLeft);
  }
  CHECK_FALSE(is_waiting(sheet, 0));
  CHECK(part(sheet, 1) == "1 of 3");
  CHECK(part(sheet, 0) == "0 of 3");
  CHECK(part(sheet, 2) == "2 of 3");
}

TEST_CASE("ranks with different masks keep them") {
  Sheet sheet = sheet_for(2);
  come(sheet, 0, kLeft);
  come(sheet, 1, kRight);
  CHECK(part(sheet, 0) == "0 of 1");
  CHECK(part(sheet, 1) == "0 of 1");
}

TEST_CASE("two ranks divide each of two masks") {
  Sheet sheet = sheet_for(4);
  for (int rank = 0; rank < 4; ++rank) {
    come(sheet, rank, rank % 2 == 0 ? kLeft : kRight);
  }
  CHECK(part(sheet, 0) == "0 of 2");
  CHECK(part(sheet, 3) == "1 of 2");
  CHECK(part(sheet, 1) == "0 of 2");
  CHECK(part(sheet, 2) == "1 of 2");
}

TEST_CASE("partly overlapping masks are reported and kept") {
  Sheet sheet = sheet_for(3);
  come(sheet, 0, {0, 1, 2});
  come(sheet, 1, {2, 3});
  come(sheet, 2, {5});
  CHECK(part(sheet, 0) == "0 of 1 x 1");
  CHECK(part(sheet, 1) == "0 of 1 x 0");
  CHECK(part(sheet, 2) == "0 of 1");
}

TEST_CASE("a rank that has not come yet counts as having the same mask") {
  Sheet sheet = sheet_for(4);
  come(sheet, 1, kLeft);
  come(sheet, 3, kRight);
  CHECK(is_waiting(sheet, 1));
  CHECK(part(sheet, 1) == "1 of 3 - 2");
  come(sheet, 0, kLeft);
  come(sheet, 2, kRight);
  CHECK(part(sheet, 0) == "0 of 3");
  CHECK(part(sheet, 2) == "0 of 2");
  CHECK(part(sheet, 3) == "1 of 2");
}

TEST_CASE("a rank that comes to a divided mask too late gets no part") {
  Sheet sheet = sheet_for(3);
  come(sheet, 0, kLeft);
  come(sheet, 1, kLeft);
  come(sheet, 2, kRight);
  CHECK(part(sheet, 0) == "0 of 2");
  come(sheet, 2, kLeft);
  CHECK(part(sheet, 2) == "0 of 1 x 0");
  CHECK(part(sheet, 1) == "1 of 2");
}

TEST_CASE("the first rank that decides sets the need of all ranks") {
  Sheet sheet = sheet_for(2);
  come(sheet, 0, kLeft);
  come(sheet, 1, kLeft);
  CHECK(divide(sheet, 1, {70000, true}).need == Need{70000, true});
  CHECK(divide(sheet, 0, {1, false}).need == Need{70000, true});
}

TEST_CASE("a later process replaces an earlier process of the same rank") {
  Sheet sheet = sheet_for(2);
  come(sheet, 0, kLeft, false);
  come(sheet, 1, kRight);
  CHECK_FALSE(is_waiting(sheet, 1));  // the masks do not overlap: rank 0's children run elsewhere
  enter(sheet, 0, {200, 9, true, true}, Mask({0}).buffer.view());
  const Process there = process_of(sheet, 0);
  CHECK((there.number == 200 && there.start == 9 && there.has_forked && there.has_openmp));
  CHECK(has_mask(sheet, 0, Mask({0}).buffer.view()));
  CHECK_FALSE(has_mask(sheet, 0, Mask(kLeft).buffer.view()));
  CHECK(part(sheet, 0) == "0 of 1");
}

TEST_CASE("a rank waits for a starter process whose mask overlaps") {
  Sheet sheet = sheet_for(2);
  come(sheet, 0, kLeft, false);
  come(sheet, 1, {0, 1});
  CHECK(is_waiting(sheet, 1));
  come(sheet, 0, {2, 3});
  CHECK_FALSE(is_waiting(sheet, 1));
  come(sheet, 0, {0, 1}, false);
  CHECK_FALSE(is_waiting(sheet, 1));
}

TEST_CASE("the mask of a process that has ended stays") {
  Sheet sheet = sheet_for(2);
  come(sheet, 0, kLeft);
  come(sheet, 1, kLeft);
  leave(sheet, 0);
  CHECK(process_of(sheet, 0).number == 0);
  CHECK(has_entered(sheet, 0));
  CHECK(part(sheet, 1) == "1 of 2");
}

TEST_CASE("dry runs share one mask without processors") {
  Sheet sheet = sheet_for(2);
  enter(sheet, 0, {1, 1, false, true}, {0, nullptr});
  enter(sheet, 1, {2, 1, false, true}, {0, nullptr});
  CHECK(part(sheet, 0) == "0 of 2");
}

TEST_CASE("each problem is reported once") {
  Sheet sheet = sheet_for(2);
  CHECK(is_first_to_tell(sheet, Trouble::kTooSmall));
  CHECK_FALSE(is_first_to_tell(sheet, Trouble::kTooSmall));
  CHECK(is_first_to_tell(sheet, Trouble::kOverlap));
}

TEST_CASE("the largest number of ranks fits the sheet, with a mask each") {
  Sheet sheet = sheet_for(kMostRanks);
  for (int rank = 0; rank < kMostRanks; ++rank) {
    come(sheet, rank, {4 * rank, 4 * rank + 1});
  }
  for (int rank = 0; rank < kMostRanks; ++rank) {
    CHECK(part(sheet, rank) == "0 of 1");
  }
}

TEST_CASE("a mask without room on the sheet counts as shared by all") {
  Sheet sheet = sheet_for(kMostRanks);
  std::vector<int> odd;
  for (int cpu = 1; cpu < 1400; cpu += 2) {
    odd.push_back(cpu);
  }
  come(sheet, 0, odd);
  CHECK(has_entered(sheet, 0));
  CHECK(part(sheet, 0) == "0 of 256 - 256");
  come(sheet, 1, {0});
  CHECK(part(sheet, 1).starts_with("1 of 256"));
}

TEST_CASE("no part is given to two ranks, whichever rank is late") {
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    const int ranks = 2 + static_cast<int>(random() % 20);
    const int masks = 1 + static_cast<int>(random() % 4);
    std::vector<int> mask_of(static_cast<std::size_t>(ranks));
    std::generate(mask_of.begin(), mask_of.end(),
                  [&] { return static_cast<int>(random() % masks); });
    Sheet sheet = sheet_for(ranks);
    std::vector<int> order(static_cast<std::size_t>(2 * ranks));
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = static_cast<int>(i) / 2;
    }
    std::shuffle(order.begin(), order.end(), random);
    std::vector<bool> has_come(static_cast<std::size_t>(ranks), false);
    std::vector<std::set<int>> taken(static_cast<std::size_t>(masks));
    std::vector<std::set<int>> sizes(static_cast<std::size_t>(masks));
    for (const int rank : order) {
      const auto own = static_cast<std::size_t>(mask_of[static_cast<std::size_t>(rank)]);
      if (!has_come[static_cast<std::size_t>(rank)]) {
        has_come[static_cast<std::size_t>(rank)] = true;
        const int first = 8 * static_cast<int>(own);
        come(sheet, rank, {first, first + 1, first + 2});
        continue;
      }
      const Division division = divide(sheet, rank, {});
      CHECK(taken[own].insert(division.index).second);
      CHECK(division.index < division.of);
      sizes[own].insert(division.of);
    }
    for (const std::set<int>& size : sizes) {
      CHECK(size.size() <= 1);  // all ranks with one mask have the same number of parts
    }
  }
}

TEST_CASE("an incomplete sheet is rejected") {
  Sheet sheet = sheet_for(5);
  come(sheet, 0, {0, 1, 4, 9});
  come(sheet, 3, kRight);
  divide(sheet, 0, {3, true});
  const std::size_t bytes = bytes_of(sheet);
  CHECK(is_good(sheet, bytes, kKey, 5));
  CHECK(is_good(sheet, sizeof sheet, kKey, 5));
  CHECK_FALSE(is_good(sheet, bytes - 1, kKey, 5));
  CHECK_FALSE(is_good(sheet, 0, kKey, 5));
  CHECK_FALSE(is_good(sheet, bytes, kKey + 1, 5));
  CHECK_FALSE(is_good(sheet, bytes, kKey, 4));
  CHECK_FALSE(is_good(Sheet{}, sizeof(Sheet), 0, 0));
  std::mt19937 random(5);
  for (int round = 0; round < 20000; ++round) {
    Sheet damaged = sheet;
    for (int i = 0, times = 1 + static_cast<int>(random() % 4); i < times; ++i) {
      damaged.words[random() % (bytes / sizeof(Word))] = static_cast<Word>(random());
    }
    if (!is_good(damaged, sizeof damaged, kKey, 5)) {
      continue;
    }
    for (int rank = 0; rank < 5; ++rank) {
      const Division division = divide(damaged, rank, {});
      CHECK((division.of >= 1 && division.index >= 0 && division.index < division.of));
      come(damaged, rank, kLeft);
    }
  }
}
