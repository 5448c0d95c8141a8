// SPDX-License-Identifier: BSD-3-Clause
// What is held of a region: also what was not seen enough, in units that go as one.
#include "memory/apply/account.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace nestbind::memory;
using namespace nestbind::memory::apply;

namespace {

constexpr PageSizes kSizes;
constexpr std::size_t kHuge = PageSizes::kUsualHuge;
constexpr std::uintptr_t kAligned = 0x7f0000000000;
constexpr std::uint32_t kBoth[] = {8, 8, 0, 0};

// A mapping that begins and ends amid huge pages: of all that is between a huge page in the middle
// and the small ones of both ends nothing was seen.
const Range kRange{kAligned + kSizes.unit(), kAligned + 6 * kHuge + kSizes.unit()};

Seen little_seen(bool is_middle_huge) {
  Seen seen(4);
  seen.add({kRange.begin, kSizes.unit(), false}, 0, kBoth, 1);
  const std::size_t bytes = is_middle_huge ? kHuge : kSizes.unit();
  seen.add({kAligned + 3 * kHuge, bytes, is_middle_huge}, 0, kBoth, 1);
  seen.add({kRange.end - kSizes.unit(), kSizes.unit(), false}, 0, kBoth, 1);
  return seen;
}

Seen held(const Seen& seen, HugePages huge) {
  Account account;
  account.hold(seen, kRange, kSizes, huge);
  return account.seen(Samples(64, 4, kSizes), kRange, huge);
}

std::size_t bytes_of(const Seen& seen, bool is_huge) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    bytes += seen.unit(i).is_huge == is_huge ? seen.unit(i).bytes : 0;
  }
  return bytes;
}

}  // namespace

TEST_CASE("what was not seen is held in huge pages where they may be") {
  for (const HugePages huge : {HugePages::kEverywhere, HugePages::kSomewhere}) {
    const Seen all = held(little_seen(true), huge);
    CHECK(bytes_of(all, true) == 5 * kHuge);
    CHECK(bytes_of(all, true) + bytes_of(all, false) == kRange.bytes());
  }
}

TEST_CASE("what was not seen is held in small pages where no huge one is beside it") {
  const Seen all = held(little_seen(false), HugePages::kSomewhere);
  CHECK(bytes_of(all, true) == 0);
  CHECK(bytes_of(all, false) == kRange.bytes());
}

TEST_CASE("where all are huge, what was not seen is so beside small pages, too") {
  Seen edge(4);
  edge.add({kRange.begin, kSizes.unit(), false}, 0, kBoth, 1);
  CHECK(bytes_of(held(edge, HugePages::kEverywhere), true) == 5 * kHuge);
}
