// SPDX-License-Identifier: BSD-3-Clause
// Whole intervals: the kernel's scans in, pages moved out, by memory that moves as Linux does.
#include "memory/apply/keeper.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

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
  manner.may_be_huge = false;
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
      : keeper(world, manner_of(always, granule)), user_(user) {
    world.granule = granule;
    world.add(kRange, 0);
  }

  // A scan of the kernel's, what comes of it, and an interval.
  void run(int intervals) {
    for (int i = 0; i < intervals; ++i) {
      for (std::size_t page = 0; page < kPages; page += world.granule) {
        const std::uintptr_t address = kArray + (page + page / 512 % world.granule) * kPage;
        if (world.node_of.contains(address) && !world.has_policy(address)) {
          keeper.see(address, user_(page, scan_));
        }
      }
      keeper.end_scan();
      ++scan_;
      const Found found{kRange, kRange.bytes()};
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
    manner.may_be_huge = granule > 1;
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

TEST_CASE("huge pages go as one") {
  for (const User user : {of_part, of_all}) {
    Program program(user, true, 512);
    program.run(14);
    CHECK(program.imbalance_now() < 1);
    CHECK(program.world.count(kRange) == std::vector<std::size_t>(4, 1024));
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
