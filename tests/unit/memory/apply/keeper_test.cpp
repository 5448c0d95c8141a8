// SPDX-License-Identifier: BSD-3-Clause
// Whole intervals: the kernel's scans in, pages moved out, by memory that moves as Linux does.
#include "memory/apply/keeper.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "fake_world.hpp"

using namespace nestbind::memory;
using namespace nestbind::memory::apply;
using test::FakeWorld;
using test::kMebi;
using test::kPage;

namespace {

constexpr std::uintptr_t kArray = 0x7f0000000000;
constexpr Range kRange{kArray, kArray + 16 * kMebi};
constexpr std::size_t kPages = 4096;
constexpr std::uint64_t kSecond = 1000000;

Manner manner(bool always = true) {
  Manner manner;
  manner.nodes = 4;
  manner.huge = HugePages::kNowhere;
  manner.always = always;
  manner.most_units = 1024;
  return manner;
}

// Who comes for a page in a scan.
using User = int (*)(std::size_t page, int scan);
int of_part(std::size_t page, int) { return static_cast<int>(page / (kPages / 4)); }
int of_all(std::size_t page, int scan) { return static_cast<int>((page / 3 + scan * 7) % 4); }
// A third is each node's own, the rest everybody's.
int like_pca(std::size_t page, int scan) {
  return page < kPages / 3 ? static_cast<int>(page * 12 / kPages) : of_all(page, scan);
}

class Program {
 public:
  explicit Program(User user, bool always = true, std::size_t granule = 1)
      : Program(user, manner_of(always, granule), granule) {}
  Program(User user, const Manner& manner, std::size_t granule = 1)
      : keeper(world, manner), user_(user) {
    world.granule = granule;
    world.add(kRange, 0);
  }

  // A scan of the kernel's, what comes of it, and an interval.
  void run(int intervals) { run(intervals, kPages); }
  // Likewise, while only its first pages are there.
  void run(int intervals, std::size_t there) {
    for (int i = 0; i < intervals; ++i) {
      for (std::size_t page = 0; page < there; page += world.granule) {
        const std::uintptr_t address = kArray + (page + page / 512 % world.granule) * kPage;
        if (world.node_of.contains(address) && !world.has_policy(address) &&
            user_(page, scan_) >= 0) {
          keeper.see(address, user_(page, scan_));
        }
      }
      keeper.end_scan();
      ++scan_;
      const Found found{kRange, there * kPage};
      keeper.interval({&found, 1}, kSecond);
    }
  }

  // Of all uses, those by the page's own node, in per cent; a page's user is whoever comes next.
  std::size_t local() const {
    std::size_t own = 0;
    for (std::size_t page = 0; page < kPages; ++page) {
      own += world.node_of.at(kArray + page * kPage) == user_(page, scan_) ? 1U : 0U;
    }
    return 100 * own / kPages;
  }
  double imbalance_now() const {
    const auto pages = world.count(kRange);
    const std::vector<std::uint64_t> to(pages.begin(), pages.end());
    return imbalance(to);
  }

  FakeWorld world;
  Keeper keeper;

 private:
  static Manner manner_of(bool always, std::size_t granule) {
    Manner manner = ::manner(always);
    manner.huge = granule > 1 ? HugePages::kSomewhere : HugePages::kNowhere;
    return manner;
  }

  const User user_;
  int scan_ = 0;
};

}  // namespace

TEST_CASE("parts that all lie on one node go to their users") {
  Program program(of_part);
  program.run(2);
  CHECK(program.keeper.record().pages() == 0);  // too early
  program.run(2);
  CHECK(program.local() == 100);
  CHECK(program.imbalance_now() == 0);
  CHECK(program.world.spreads.empty());
  CHECK(program.keeper.record().pages_to == std::vector<std::uint64_t>{0, 1024, 1024, 1024});
  CHECK(program.keeper.record().pages_from == std::vector<std::uint64_t>{3072, 0, 0, 0});
  CHECK(local_ratio(program.keeper.record().before) == 25);
  program.run(1);
  CHECK(local_ratio(program.keeper.record().after) == 100);
  CHECK(program.keeper.record().left.empty());
}

TEST_CASE("what all use is dealt to all, under a policy") {
  Program program(of_all);
  program.run(5);
  CHECK(program.imbalance_now() < 1);
  REQUIRE(program.world.spreads.size() == 1);
  CHECK(program.world.spreads[0] == kRange);
  CHECK(program.keeper.record().spread_bytes == kRange.bytes());
  CHECK(imbalance(program.keeper.record().before.to) == 200);
  CHECK(imbalance(program.keeper.record().after.to) < 7);
  const std::uint64_t moved = program.keeper.record().pages();
  program.run(30);  // without samples, and without a move
  CHECK(program.keeper.record().pages() == moved);
  CHECK(imbalance(program.keeper.record().after.to) < 7);
}

TEST_CASE("what was dealt is looked at anew, more and more seldom, and dealt again") {
  Program program(of_all);
  program.run(5);
  REQUIRE(program.world.spreads == std::vector<Range>{kRange});
  program.run(Term::kLeast);
  REQUIRE(program.world.released == std::vector<Range>{kRange});  // it is being looked at
  CHECK(program.world.spreads.empty());
  // Meanwhile the kernel's balancing draws a part back: too little for the rules to begin by.
  for (std::size_t page = 0; page < kPages / 16; ++page) {
    program.world.node_of[kArray + page * kPage] = 1;
  }
  REQUIRE(program.imbalance_now() > 7);
  REQUIRE(program.imbalance_now() < 35);
  program.run(6);
  CHECK(program.world.spreads == std::vector<Range>{kRange});
  CHECK(program.imbalance_now() < 1);
  program.run(2 * Term::kLeast - 8);
  CHECK(program.world.released.size() == 1);
  program.run(18);
  CHECK(program.world.released.size() == 2);
  CHECK(program.world.spreads == std::vector<Range>{kRange});
}

TEST_CASE("what was everybody's and is each one's own later goes to its users") {
  Program program(
      [](std::size_t page, int scan) { return scan < 20 ? of_all(page, scan) : of_part(page, 0); });
  program.run(20);
  REQUIRE(program.world.spreads.size() == 1);
  program.run(30);
  CHECK(program.world.spreads.empty());
  CHECK(program.keeper.record().spread_bytes == 0);
  CHECK(program.local() == 100);
  program.run(60);
  CHECK(program.world.released.size() == 1);
}

TEST_CASE("nobody uses it while it is looked at: it has no policy, and stays") {
  Program program([](std::size_t page, int scan) { return scan < 20 ? of_all(page, scan) : -1; });
  program.run(20);
  const std::uint64_t moved = program.keeper.record().pages();
  program.run(80);
  CHECK(program.world.spreads.empty());
  CHECK(program.world.released.size() == 1);
  CHECK(program.keeper.record().pages() == moved);
}

TEST_CASE("policies are taken off where nothing will be moved any more") {
  Program program(of_all);
  program.run(5);
  REQUIRE(program.world.spreads.size() == 1);
  program.keeper.give_back();
  CHECK(program.world.spreads.empty());
  CHECK(program.keeper.record().spread_bytes == 0);
}

TEST_CASE("where dealing has not helped the policy is taken off") {
  Program program(of_all);
  program.world.bytes = 20 * kMebi;  // some intervals
  program.run(5);
  REQUIRE(program.world.spreads.size() == 1);
  for (std::size_t page = 0; page < kPages; ++page) {
    program.world.node_of[kArray + page * kPage] = 0;  // somebody moves all back
  }
  program.run(1);
  CHECK(program.world.spreads.empty());
  CHECK(program.keeper.record().left == std::vector<Left>{{kRange, Why::kNotBetter}});
  const std::size_t moves = program.world.moves;
  program.run(60);
  CHECK(program.world.moves == moves);
  CHECK(program.world.spreads.empty());
}

TEST_CASE("of what is dealt a part that was not seen goes with the rest") {
  // Of seven units three are not sampled.
  Program program(
      [](std::size_t page, int scan) { return page / 16 % 7 < 3 ? -1 : of_all(page, scan); });
  program.run(Keeper::kMostScans);
  CHECK(program.world.spreads.empty());  // too little is known of it
  program.run(4);
  CHECK(program.world.spreads == std::vector<Range>{kRange});
  CHECK(program.imbalance_now() < 1);
}

TEST_CASE("what waits for its next use counts where it is") {
  Program program(of_all);
  program.world.bytes = 20 * kMebi;
  program.run(4);
  REQUIRE(program.world.spreads.size() == 1);
  for (std::size_t page = 1024; page < kPages; ++page) {
    program.world.hidden.insert(kArray + page * kPage);
  }
  program.run(1);
  CHECK(program.keeper.record().after.all() == kPages * Samples::kEnough);
}

TEST_CASE("what is allowed in an interval is kept to, and the rest goes on") {
  Program program(of_all);
  program.world.bytes = 20 * kMebi;
  program.run(4);
  const std::uint64_t first = program.keeper.record().pages();
  CHECK(first > 0);
  CHECK(first * kPage <= 4 * kMebi);
  program.run(1);
  CHECK(program.keeper.record().pages() > first);
  CHECK(program.keeper.record().pages() <= first + 2 * kMebi / kPage);
  program.run(20);
  CHECK(program.imbalance_now() < 1);
}

TEST_CASE("own parts and shared ones of one array") {
  Program program(like_pca);
  program.run(12);
  CHECK(program.imbalance_now() < 7);
  const auto own = program.world.count({kArray, kArray + kPages / 3 / 16 * 16 * kPage});
  CHECK(*std::ranges::min_element(own) > 320);
  CHECK(program.world.spreads == std::vector<Range>{kRange});  // a policy never parts a mapping
}

TEST_CASE("pages of one unit that the kernel has scattered are brought together") {
  Program program(of_all);
  for (std::size_t page = 0; page < kPages; ++page) {
    program.world.node_of[kArray + page * kPage] = page % 5 == 0 ? 3 : page % 7 == 0 ? 1 : 0;
  }
  program.run(8);
  CHECK(program.imbalance_now() < 7);
  for (std::size_t unit = 0; unit < kPages; unit += 16) {
    const auto pages = program.world.count({kArray + unit * kPage, kArray + (unit + 16) * kPage});
    CHECK(*std::ranges::max_element(pages) == 16);
  }
}

TEST_CASE("who initialises an array is not taken for its user") {
  // Eight scans long node 0 initialises; then each has its part.
  Program program([](std::size_t page, int scan) { return scan < 8 ? 0 : of_part(page, scan); });
  for (std::size_t there = kPages / 8; there <= kPages; there += kPages / 8) {
    program.run(1, there);
  }
  CHECK(program.keeper.record().pages() == 0);
  program.run(5);
  CHECK(program.world.spreads.empty());  // nothing is shared
  CHECK(program.local() == 100);
}

TEST_CASE("of whose users nothing is known stays where it is") {
  // Nobody was seen in the first part; a little of the rest is shared.
  Program program([](std::size_t page, int scan) {
    return page < kPages / 4 ? -1 : page % 128 >= 80 ? of_all(page, scan) : of_part(page, scan);
  });
  program.run(16);
  REQUIRE(program.world.spreads.size() == 1);
  const auto first = program.world.count({kArray, kArray + kPages / 4 * kPage});
  CHECK(first[1] + first[2] + first[3] <= 16 * 16);
}

TEST_CASE("huge pages go as one") {
  for (const User user : {of_part, of_all}) {
    Program program(user, true, 512);
    program.run(14);
    CHECK(program.imbalance_now() < 1);
    CHECK(program.world.count(kRange) == std::vector<std::size_t>(4, 1024));
  }
}

TEST_CASE("where the kernel makes huge pages of all, small ones go as such") {
  Manner everywhere = manner();
  everywhere.huge = HugePages::kEverywhere;
  Program program(of_all, everywhere);
  program.run(16);
  CHECK(program.world.count(kRange) == std::vector<std::size_t>(4, 1024));
  for (std::size_t block = 0; block < kPages; block += 512) {
    const auto pages =
        program.world.count({kArray + block * kPage, kArray + (block + 512) * kPage});
    CHECK(*std::ranges::max_element(pages) == 512);
  }
}

TEST_CASE("huge pages that the kernel splits, and moves that fail now and then") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Program program(
        [](std::size_t page, int scan) { return static_cast<int>((page / 512 + scan) % 2); }, true,
        512);
    std::minstd_rand chance(seed);
    program.world.is_split = [&chance](std::uintptr_t) { return chance() % 3 == 0; };
    program.world.is_busy = [&chance](std::uintptr_t) { return chance() % 4 == 0; };
    program.run(40);
    INFO("seed " << seed);
    CHECK(program.imbalance_now() < 20);
    CHECK(program.keeper.record().pages() <= 2 * kPages);
  }
}

TEST_CASE("nothing is moved of a program that is good, or that nobody said always of") {
  Program good(of_part);
  for (std::size_t page = 0; page < kPages; ++page) {
    good.world.node_of[kArray + page * kPage] = of_part(page, 0);
  }
  good.run(60);
  CHECK(good.world.moves == 0);
  CHECK(good.world.spreads.empty());
  Program unknown(of_all, false);
  unknown.run(12);
  CHECK(unknown.world.moves == 0);
  CHECK(unknown.world.spreads.empty());
  CHECK(imbalance(unknown.keeper.record().after.to) == 200);
}

TEST_CASE("what may not be moved is left alone, and told") {
  for (const auto& [bar, why] : {std::pair{Bar::kFile, Why::kFile},
                                 {Bar::kLocked, Why::kLocked},
                                 {Bar::kPolicy, Why::kPolicy},
                                 {Bar::kUntold, Why::kRefused}}) {
    Program program(of_all);
    program.world.mappings[0].bar = bar;
    program.run(6);
    CHECK(program.world.moves == 0);
    CHECK(program.keeper.record().left == std::vector<Left>{{kRange, why}});
  }
  Program refused(of_all);
  refused.world.may_spread = false;
  refused.run(6);
  CHECK(refused.world.moves == 0);
  CHECK(refused.keeper.record().left == std::vector<Left>{{kRange, Why::kRefused}});
}

TEST_CASE("so many regions are dealt at most, and of the others it is told") {
  constexpr std::size_t kUnit = 16 * kPage;
  FakeWorld world;
  Manner many = manner();
  many.most_units = 4096;
  Keeper keeper(world, many);
  std::vector<Found> found;
  for (std::size_t i = 0; i < Keeper::kMostHeld + 2; ++i) {
    const std::uintptr_t begin = kArray + 2 * i * kUnit;
    found.push_back({{begin, begin + kUnit}, kUnit});
    world.add(found.back().range, 0);
  }
  for (int scan = 0; scan < 5; ++scan) {
    for (const Found& one : found) {
      for (std::uintptr_t at = one.range.begin; at < one.range.end; at += kPage) {
        keeper.see(at, static_cast<int>(at / kPage % 2));
      }
    }
    keeper.end_scan();
    keeper.interval(found, kSecond);
  }
  CHECK(world.spreads.size() == Keeper::kMostHeld);
  CHECK(keeper.record().left == std::vector<Left>{{found[Keeper::kMostHeld].range, Why::kMany},
                                                  {found.back().range, Why::kMany}});
}

TEST_CASE("a full node is given nothing") {
  Program program(of_part);
  program.world.free[2] = {4, 100};
  program.run(6);
  CHECK(program.world.count(kRange) == std::vector<std::size_t>{2048, 1024, 0, 1024});
  CHECK(program.keeper.record().full == 4);
}

TEST_CASE("pages that something holds are given up") {
  Program program(of_part);
  for (std::size_t page = 1024; page < 2048; ++page) {
    program.world.pinned.insert(kArray + page * kPage);
  }
  program.run(8);
  CHECK(program.world.count(kRange) == std::vector<std::size_t>{2048, 0, 1024, 1024});
  CHECK(program.keeper.record().left.size() == 64);  // units
  CHECK(program.keeper.record().left[0] ==
        Left{{kArray + 1024 * kPage, kArray + 1040 * kPage}, Why::kHeld});
  const std::size_t moves = program.world.moves;
  program.run(12);
  CHECK(program.world.moves == moves);
}

TEST_CASE("memory that is unmapped between the sample and the move is left out") {
  Program program(of_part);
  program.run(3);
  program.world.before_areas = [](FakeWorld& world) {
    if (world.asked == 5) {  // right before the move
      world.unmap(kRange);
      world.add(kRange, 3, Bar::kFile);
    }
  };
  program.run(1);
  CHECK(program.world.asked == 5);
  CHECK(program.world.moves == 0);
  CHECK(program.world.count(kRange)[3] == kPages);
}

TEST_CASE("memory that was mapped anew is looked at anew") {
  Program program(of_all);
  program.run(5);
  REQUIRE(program.world.spreads.size() == 1);
  program.world.unmap(kRange);
  program.world.add(kRange, 1);
  program.run(1);
  CHECK(program.world.spreads.empty());
  CHECK(program.keeper.record().spread_bytes == 0);
  program.run(8);
  CHECK(program.imbalance_now() < 1);
}

TEST_CASE("no batch begins when the process ends") {
  Program program(of_part);
  program.world.is_going_on = false;
  program.run(6);
  CHECK(program.world.moves == 0);
}
