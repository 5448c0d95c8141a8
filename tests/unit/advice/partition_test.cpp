// SPDX-License-Identifier: BSD-3-Clause
// The expected values come from programs on real runtimes (tests/cli/native_places_test.py).
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "advice/native_partition.hpp"

using namespace nestbind::advice;

namespace {

using Ints = std::vector<int>;
constexpr Runtime kBoth[] = {Runtime::kGnu, Runtime::kLlvm};

}  // namespace

TEST_CASE("threads take the places in order if there is a place for each thread") {
  for (const Runtime runtime : kBoth) {
    for (const Ints& sizes : {Ints{4, 4}, Ints{1, 4}, Ints{4, 1}, Ints{3, 5}, Ints{2, 3, 4},
                              Ints{2, 1, 3}, Ints{1, 2, 2}, Ints{7}, Ints{64, 16}}) {
      const int threads = std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies<>());
      std::vector<Bind> binds(sizes.size(), Bind::kSpread);
      binds.back() = Bind::kClose;
      Ints expected(threads);
      std::iota(expected.begin(), expected.end(), 0);
      CHECK(places_of(runtime, threads, sizes, binds) == expected);
    }
  }
}

TEST_CASE("the close policy wraps around, and members of close teams share places") {
  for (const Runtime runtime : kBoth) {
    CHECK(places_of(runtime, 4, {4, 2}, {Bind::kClose}) == Ints{0, 1, 1, 2, 2, 3, 3, 0});
    CHECK(places_of(runtime, 4, {4}, {Bind::kPrimary}) == Ints{0, 0, 0, 0});
  }
}

TEST_CASE("the runtimes round the places of a spread team differently") {
  CHECK(places_of(Runtime::kGnu, 8, {3}, {Bind::kSpread}) == Ints{0, 3, 6});
  CHECK(places_of(Runtime::kLlvm, 8, {3}, {Bind::kSpread}) == Ints{0, 3, 6});
  CHECK(places_of(Runtime::kGnu, 7, {4}, {Bind::kSpread}) == Ints{0, 2, 4, 6});
  CHECK(places_of(Runtime::kLlvm, 7, {4}, {Bind::kSpread}) == Ints{0, 2, 4, 6});
  CHECK(places_of(Runtime::kGnu, 10, {4}, {Bind::kSpread}) == Ints{0, 3, 6, 8});
  CHECK(places_of(Runtime::kLlvm, 10, {4}, {Bind::kSpread}) == Ints{0, 2, 5, 8});
  CHECK(places_of(Runtime::kGnu, 4, {6}, {Bind::kClose}) == Ints{0, 1, 2, 3, 0, 1});
  CHECK(places_of(Runtime::kLlvm, 4, {6}, {Bind::kClose}) == Ints{0, 0, 1, 2, 2, 3});
}

TEST_CASE("each place is in its partition, and each partition is in the primary thread's") {
  for (const Runtime runtime : kBoth) {
    for (int places = 1; places < 12; ++places) {
      for (int threads = 1; threads < 14; ++threads) {
        for (const Bind bind : {Bind::kPrimary, Bind::kClose, Bind::kSpread}) {
          const auto team = members(runtime, places, {0, 0, places - 1}, threads, bind);
          REQUIRE(static_cast<int>(team.size()) == threads);
          CHECK(team[0].place == 0);
          for (const Held& held : team) {
            INFO(places << " places, " << threads << " threads");
            CHECK((held.first <= held.place && held.place <= held.last && held.last < places));
          }
        }
      }
    }
  }
}
