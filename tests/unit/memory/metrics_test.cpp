// SPDX-License-Identifier: BSD-3-Clause
#include "memory/metrics.hpp"

#include <catch2/catch.hpp>

using namespace nestbind::memory;
using To = std::vector<std::uint64_t>;

TEST_CASE("the imbalance is the sample standard deviation over the mean") {
  CHECK(imbalance(To{100, 0, 0, 0}) == Approx(200));
  CHECK(imbalance(To{97, 1, 1, 1}) == Approx(192));
  CHECK(imbalance(To{25, 25, 25, 25}) == 0);
  CHECK(imbalance(To{3, 1}) == Approx(70.71068));
  CHECK(imbalance(To{61, 33, 33, 33}) == Approx(35));
  CHECK(imbalance(To{0, 0, 0, 0}) == 0);
  CHECK(imbalance(To{7}) == 0);
  CHECK(imbalance(To{}) == 0);
}

TEST_CASE("a bound of the imbalance is exact") {
  // Mean 40, deviations 21, 7, 7, 7: exactly 35.
  CHECK_FALSE(is_imbalance_above(To{61, 33, 33, 33}, 35));
  CHECK(is_imbalance_above(To{61, 33, 33, 33}, 34));
  // Mean 2000, and 35.1.
  CHECK(is_imbalance_above(To{3053, 1649, 1649, 1649}, 35));
  // One access in 2^43 more than exactly 35.
  const std::uint64_t many = std::uint64_t{1} << 36;
  CHECK_FALSE(is_imbalance_above(To{61 * many, 33 * many, 33 * many, 33 * many}, 35));
  CHECK(is_imbalance_above(To{61 * many + 1, 33 * many, 33 * many, 33 * many}, 35));
  CHECK_FALSE(is_imbalance_above(To{}, 0));
  CHECK_FALSE(is_imbalance_above(To{1}, 0));
  CHECK_FALSE(is_imbalance_above(To{0, 0}, 0));
}

TEST_CASE("64 nodes and many accesses do not overflow") {
  To to(kMostNodes);
  to[0] = std::uint64_t{1} << 56;
  CHECK(imbalance(to) == Approx(800));
  CHECK(is_imbalance_above(to, 799));
  CHECK_FALSE(is_imbalance_above(to, 800));
}

TEST_CASE("the local access ratio, and bounds of it") {
  CHECK(local_ratio({{3, 1}, 1}) == Approx(25));
  CHECK(local_ratio({{0, 0}, 0}) == 100);
  CHECK(is_local_below({{500, 500}, 799}, 80));
  CHECK_FALSE(is_local_below({{500, 500}, 800}, 80));
  CHECK(is_local_below({{500, 500}, 999}, 100));
  CHECK_FALSE(is_local_below({{500, 500}, 1000}, 100));
}

TEST_CASE("50 accesses a microsecond are many") {
  CHECK(intensity(499, 10) == Intensity::kLow);
  CHECK(intensity(500, 10) == Intensity::kHigh);
  CHECK(intensity(0, 10) == Intensity::kLow);
  CHECK(intensity(500, 0) == Intensity::kUnknown);
}
