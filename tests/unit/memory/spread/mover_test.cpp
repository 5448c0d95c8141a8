// SPDX-License-Identifier: BSD-3-Clause
#include "memory/spread/mover.hpp"

#include <catch2/catch.hpp>

#include "fake_pages.hpp"

namespace nestbind::memory::spread::test {
namespace {

using kernel::Policy;
using kernel::Range;
using Counts = std::vector<std::size_t>;

constexpr std::size_t kPagesOfUnit = 512;

std::size_t unit() { return kPagesOfUnit * kernel::page_bytes(); }
std::uintptr_t base() { return 64 * unit(); }
Range range_of(std::size_t pages) { return {base(), base() + pages * kernel::page_bytes()}; }

Goal quarters(const Range& range) {
  const std::vector<Member> members = {{0}, {1}, {2}, {3}};
  return Goal::of_parts(block(range.begin, range.end - range.begin, members));
}

TEST_CASE("small pages are divided at the ends of the parts", "[memory]") {
  FakePages pages;
  pages.add(base(), 4000, 0);
  const Range range = range_of(4000);
  const Outcome outcome = bring(pages, range, quarters(range), unit());
  CHECK(outcome.error == 0);
  CHECK(outcome.pages == 4000);
  CHECK(outcome.elsewhere == 0);
  CHECK(pages.count() == Counts{1000, 1000, 1000, 1000});
  CHECK(pages.node_of[base() + 999 * pages.page] == 0);
  CHECK(pages.node_of[base() + 1000 * pages.page] == 1);
}

TEST_CASE("huge pages are moved to their parts as a whole", "[memory]") {
  FakePages pages;
  pages.add(base(), 8 * kPagesOfUnit, 0, kPagesOfUnit);
  const Range range = range_of(8 * kPagesOfUnit);
  const Outcome outcome = bring(pages, range, quarters(range), unit());
  CHECK(outcome.elsewhere == 0);
  CHECK(pages.count() == Counts{1024, 1024, 1024, 1024});
  // Each huge page costs at most two small pages: one to test it, and one to move it.
  CHECK(pages.moves <= 16);
}

TEST_CASE("a huge page that crosses a part's end goes to the part of its middle", "[memory]") {
  FakePages pages;
  pages.add(base(), 3 * kPagesOfUnit, 0, kPagesOfUnit);
  const Range range = range_of(3 * kPagesOfUnit);
  const std::vector<Member> members = {{0}, {1}};
  const Outcome outcome =
      bring(pages, range, Goal::of_parts(block(range.begin, 3 * unit(), members)), unit());
  CHECK(outcome.elsewhere == 0);
  CHECK(pages.node_of[base()] == 0);
  CHECK(pages.node_of[base() + unit()] == 1);
  CHECK(pages.node_of[base() + 2 * unit()] == 1);
}

TEST_CASE("small pages are interleaved by address, as the kernel interleaves new pages",
          "[memory]") {
  FakePages pages;
  pages.add(base(), 4000, 2);
  const Outcome outcome = bring(pages, range_of(4000), Goal::evenly({0, 1, 2, 3}), unit());
  CHECK(outcome.elsewhere == 0);
  CHECK(pages.count() == Counts{1000, 1000, 1000, 1000});
  for (std::size_t i = 0; i < 4000; ++i) {
    const std::uintptr_t page = base() + i * pages.page;
    REQUIRE(pages.node_of[page] == static_cast<int>(page / pages.page % 4));
  }
  REQUIRE(pages.policies.size() == 1);
  CHECK(pages.policies[0].policy == Policy::kInterleave);
  CHECK(pages.policies[0].nodes == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE("small pages at the ends balance huge pages that do not divide evenly", "[memory]") {
  FakePages pages;
  const std::uintptr_t begin = base() - 100 * pages.page;
  pages.add(begin, 100, 0);
  pages.add(base(), 31 * kPagesOfUnit, 0, kPagesOfUnit);
  pages.add(base() + 31 * unit(), 412, 0);
  const Range range{begin, base() + 31 * unit() + 412 * pages.page};
  const Outcome outcome = bring(pages, range, Goal::evenly({0, 1, 2, 3}), unit());
  CHECK(outcome.elsewhere == 0);
  CHECK(pages.count() == Counts{4096, 4096, 4096, 4096});
}

TEST_CASE("huge pages are interleaved as a whole, from any node", "[memory]") {
  for (const int node : {0, 1, 2, 3}) {
    FakePages pages;
    pages.add(base(), 8 * kPagesOfUnit, node, kPagesOfUnit);
    const Outcome outcome =
        bring(pages, range_of(8 * kPagesOfUnit), Goal::evenly({0, 1, 2, 3}), unit());
    CHECK(outcome.elsewhere == 0);
    CHECK(pages.count() == Counts{1024, 1024, 1024, 1024});
  }
}

TEST_CASE("small pages at the end balance an odd number of huge pages", "[memory]") {
  FakePages pages;
  pages.add(base(), 3 * kPagesOfUnit, 0, kPagesOfUnit);
  pages.add(base() + 3 * unit(), kPagesOfUnit - 4, 0);
  const Outcome outcome =
      bring(pages, range_of(4 * kPagesOfUnit - 4), Goal::evenly({0, 1, 2, 3}), unit());
  CHECK(outcome.elsewhere == 0);
  CHECK(pages.count() == Counts{512, 512, 512, 508});
}

TEST_CASE("a large page of sixteen small pages is moved as a whole", "[memory]") {
  FakePages pages;
  pages.add(base(), 2 * kPagesOfUnit, 0, 16);
  const Outcome outcome =
      bring(pages, range_of(2 * kPagesOfUnit), Goal::evenly({0, 1, 2, 3}), unit());
  CHECK(outcome.elsewhere == 0);
  CHECK(pages.count() == Counts{256, 256, 256, 256});
}

TEST_CASE("pages that do not exist yet are left to the policy", "[memory]") {
  FakePages pages;
  const Range range = range_of(4000);
  const Outcome outcome = bring(pages, range, quarters(range), unit());
  CHECK(outcome.pages == 0);
  CHECK(outcome.elsewhere == 0);
  REQUIRE(pages.policies.size() == 5);
  CHECK(pages.policies[0].policy == Policy::kInterleave);  // until the pages are moved
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(pages.policies[i + 1].policy == Policy::kPreferred);
    CHECK(pages.policies[i + 1].nodes == std::vector<int>{static_cast<int>(i)});
    CHECK(pages.policies[i + 1].range.pages() == 1000);
  }
}

TEST_CASE("pages that cannot be moved are reported", "[memory]") {
  FakePages pages;
  pages.add(base(), 4000, 0);
  pages.held.insert(base() + 3999 * pages.page);
  pages.held.insert(base() + 10 * pages.page);  // this page is already in the right place
  const Range range = range_of(4000);
  Outcome outcome = bring(pages, range, quarters(range), unit());
  CHECK(outcome.error == 0);
  CHECK(outcome.elsewhere == 1);
  pages.full_node = 2;
  pages.add(base(), 4000, 0);
  outcome = bring(pages, range, quarters(range), unit());
  CHECK(outcome.elsewhere == 1001);
  CHECK(pages.count() == Counts{2001, 1000, 0, 999});
}

TEST_CASE("a kernel error stops the move before any final policy is set", "[memory]") {
  FakePages pages;
  pages.add(base(), 4000, 0);
  const Range range = range_of(4000);
  pages.find_error = EPERM;
  CHECK(bring(pages, range, quarters(range), unit()).error == EPERM);
  CHECK(pages.moves == 0);
  pages.find_error = 0;
  pages.move_error = EPERM;
  CHECK(bring(pages, range, quarters(range), unit()).error == EPERM);
  CHECK(pages.policies.size() == 2);  // only the temporary policies are set
  pages.policy_error = EPERM;
  pages.moves = 0;
  CHECK(bring(pages, range, quarters(range), unit()).error == EPERM);
  CHECK(pages.moves == 0);
}

TEST_CASE("the policy covers whole huge pages if the kernel refuses parts", "[memory]") {
  FakePages pages;
  pages.policy_error = EINVAL;
  const std::size_t page = kernel::page_bytes();
  const Range range{base() + page, base() + 2 * unit() + page};
  const Outcome outcome = bring(pages, range, Goal::of_parts({{range.end, 1}}), unit());
  CHECK(outcome.policy_error == EINVAL);
  REQUIRE(pages.policies.size() == 3);
  CHECK(pages.policies[2].range.begin == base());
  CHECK(pages.policies[2].range.end == base() + 2 * unit());
}

TEST_CASE("pages of any range end on their nodes", "[memory]") {
  unsigned state = 12345;
  const auto random = [&](unsigned below) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8) % below;
  };
  for (int round = 0; round < 60; ++round) {
    FakePages pages;
    const std::uintptr_t begin = base() + random(3 * kPagesOfUnit) * pages.page;
    const std::size_t count = 1 + random(5 * kPagesOfUnit);
    for (std::uintptr_t at = base(); at < base() + 9 * unit(); at += unit()) {
      const unsigned kind = random(4);
      if (kind < 3) {  // Kind 3 has no pages.
        pages.add(at, kPagesOfUnit, static_cast<int>(random(4)),
                  kind == 0   ? kPagesOfUnit
                  : kind == 1 ? 1
                              : 16);
      }
    }
    const auto before = pages.node_of.size();
    const Range range{begin, begin + count * pages.page};
    const bool is_even = random(2) == 0;
    const Outcome outcome =
        bring(pages, range, is_even ? Goal::evenly({0, 1, 2, 3}) : quarters(range), unit());
    REQUIRE(outcome.error == 0);
    REQUIRE(outcome.elsewhere == 0);
    REQUIRE(pages.node_of.size() == before);
  }
}

}  // namespace
}  // namespace nestbind::memory::spread::test
