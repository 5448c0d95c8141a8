// SPDX-License-Identifier: BSD-3-Clause
#include "memory/apply/term.hpp"

#include <catch2/catch.hpp>
#include <vector>

using nestbind::memory::apply::Term;

namespace {

// The lengths of the terms of a region whose looks all take so long, and find the same.
std::vector<std::uint64_t> lengths(std::uint64_t look, int count) {
  Term term;
  std::uint64_t now = 7;
  term.hold(now);
  std::vector<std::uint64_t> all;
  for (int i = 0; i < count; ++i) {
    all.push_back(term.length());
    now += term.length();
    term.look(now);
    now += look;
    term.hold(now);
  }
  return all;
}

}  // namespace

TEST_CASE("terms double with each look that finds the same, six times at most") {
  CHECK(lengths(3, 8) == std::vector<std::uint64_t>{30, 60, 120, 240, 480, 960, 960, 960});
}

TEST_CASE("where looks take long the terms are long") {
  CHECK(lengths(100, 4) == std::vector<std::uint64_t>{30, 1600, 3200, 6400});
}

TEST_CASE("looks take a ninth of the time at most") {
  for (const std::uint64_t look : {1, 3, 10, 1000}) {
    const auto all = lengths(look, 12);
    for (std::size_t i = 1; i < all.size(); ++i) {
      CHECK(all[i] >= 8 * look);
    }
  }
}

TEST_CASE("a term is over with its last interval") {
  Term term;
  term.hold(100);
  CHECK_FALSE(term.is_look());
  CHECK_FALSE(term.is_over(129));
  CHECK(term.is_over(130));
  term.look(130);
  CHECK(term.is_look());
  term.hold(134);
  CHECK_FALSE(term.is_look());
  CHECK_FALSE(term.is_over(134 + 63));
  CHECK(term.is_over(134 + 64));
}
