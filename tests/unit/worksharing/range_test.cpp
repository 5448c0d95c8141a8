// SPDX-License-Identifier: BSD-3-Clause
// Tests the values and the numbers of iterations at the limits of all types.
#include "worksharing/range.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>

using namespace nestbind;
using worksharing::closed;
using worksharing::half_open;
using worksharing::Numbers;

namespace {

template <typename Value>
constexpr Value kLeast = std::numeric_limits<Value>::min();
template <typename Value>
constexpr Value kMost = std::numeric_limits<Value>::max();

// One interval is half open, the other closed.
template <typename Value>
std::pair<Value, Value> half(const Numbers& numbers, loops::Range range) {
  Value first = 0;
  Value behind = 0;
  worksharing::tell_half_open(numbers, range, first, behind);
  return {first, behind};
}
template <typename Value>
std::pair<Value, Value> whole(const Numbers& numbers, loops::Range range) {
  Value first = 0;
  Value last = 0;
  worksharing::tell_closed(numbers, range, first, last);
  return {first, last};
}

}  // namespace

TEST_CASE("iterations of half-open loops are counted") {
  CHECK(half_open(0L, 10L, 1L, true).iterations == 10);
  CHECK(half_open(0L, 10L, 3L, true).iterations == 4);
  CHECK(half_open(0L, 9L, 3L, true).iterations == 3);
  CHECK(half_open(10L, 0L, -3L, false).iterations == 4);
  CHECK(half_open(10L, 10L, 1L, true).iterations == 0);
  CHECK(half_open(10L, 0L, 1L, true).iterations == 0);
  CHECK(half_open(0L, 10L, -1L, false).iterations == 0);
  CHECK(half_open(0L, 10L, 0L, false).iterations == 0);
  CHECK(half_open(10L, 0L, 0L, false).iterations == 0);
  CHECK(half_open(kLeast<long>, kMost<long>, 1L, true).iterations == ~std::uint64_t{0});
  CHECK(half_open(kMost<long>, kLeast<long>, kLeast<long>, false).iterations == 2);
  using Ull = unsigned long long;
  CHECK(half_open(Ull{0}, kMost<Ull>, Ull{1}, true).iterations == kMost<std::uint64_t>);
  CHECK(half_open(kMost<Ull>, Ull{0}, -Ull{1}, false).iterations == kMost<std::uint64_t>);
  CHECK(half_open(Ull{1}, kMost<Ull>, kMost<Ull>, true).iterations == 1);
}

TEST_CASE("iterations of closed loops are counted") {
  CHECK(closed<int>(0, 9, 1).iterations == 10);
  CHECK(closed<int>(0, 9, 4).iterations == 3);
  CHECK(closed<int>(9, 0, -4).iterations == 3);
  CHECK(closed<int>(1, 0, 1).iterations == 0);
  CHECK(closed<int>(0, 1, -1).iterations == 0);
  CHECK(closed<int>(kLeast<int>, kMost<int>, 1).iterations == std::uint64_t{1} << 32);
  CHECK(closed<unsigned>(0, kMost<unsigned>, 1).iterations == std::uint64_t{1} << 32);
  CHECK(closed<unsigned>(kMost<unsigned>, 0, -1).iterations == std::uint64_t{1} << 32);
  CHECK(closed<long>(kLeast<long>, kMost<long>, 2).iterations == std::uint64_t{1} << 63);
  CHECK(closed<unsigned long>(kMost<unsigned long>, 1, -1).iterations == ~std::uint64_t{0});
}

TEST_CASE("values are exact at both ends") {
  const Numbers up = half_open(-7L, 12L, 3L, true);
  CHECK(half<long>(up, {0, 2}) == std::pair(-7L, -1L));
  CHECK(half<long>(up, {5, up.iterations}) == std::pair(8L, 12L));
  const Numbers down = half_open(kMost<long>, kLeast<long>, -1L, false);
  CHECK(half<long>(down, {0, 1}) == std::pair(kMost<long>, kMost<long> - 1));
  CHECK(half<long>(down, {down.iterations - 1, down.iterations}) ==
        std::pair(kLeast<long> + 1, kLeast<long>));
  const Numbers ints = closed<int>(kLeast<int>, kMost<int>, 1);
  CHECK(whole<int>(ints, {0, 1}) == std::pair(kLeast<int>, kLeast<int>));
  CHECK(whole<int>(ints, {0, ints.iterations}) == std::pair(kLeast<int>, kMost<int>));
  const Numbers unsigned_down = closed<unsigned>(kMost<unsigned>, 1, -2);
  CHECK(whole<unsigned>(unsigned_down, {0, 2}) == std::pair(kMost<unsigned>, kMost<unsigned> - 2));
  CHECK(whole<unsigned>(unsigned_down, {0, unsigned_down.iterations}).second == 1);
}
