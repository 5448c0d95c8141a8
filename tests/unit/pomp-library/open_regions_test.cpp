// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/pomp-library/open_regions.hpp"

#include <catch2/catch.hpp>

namespace {

struct Entry {
  int key;
};

using Regions = nestbind::pomp_library::OpenRegions<Entry>;

}  // namespace

TEST_CASE("nested regions are left from the inside to the outside") {
  Regions regions;
  CHECK(regions.innermost() == nullptr);
  regions.enter({1});
  regions.enter({2});
  CHECK(regions.innermost()->key == 2);
  CHECK(regions.leave(2).key == 2);
  CHECK(regions.innermost()->key == 1);
  CHECK(regions.leave(1).key == 1);
  CHECK(regions.depth == 0);
}

TEST_CASE("leaving a region also leaves inner regions without a reported end") {
  Regions regions;
  regions.enter({1});
  regions.enter({2});
  regions.enter({3});
  CHECK(regions.leave(1).key == 1);
  CHECK(regions.depth == 0);
}

TEST_CASE("if a region is entered twice, its end leaves only the inner entry") {
  Regions regions;
  regions.enter({1});
  regions.enter({1});
  regions.leave(1);
  CHECK(regions.depth == 1);
}

TEST_CASE("a region that was not entered cannot be left") {
  Regions regions;
  regions.enter({1});
  CHECK(regions.leave(2).key == 0);
  CHECK(regions.depth == 1);
}

TEST_CASE("regions that are too deep to be stored are counted") {
  Regions regions;
  for (int i = 1; i <= Regions::kMaxDepth + 3; ++i) {
    regions.enter({i});
  }
  CHECK(regions.innermost() == nullptr);
  for (int i = Regions::kMaxDepth + 3; i > Regions::kMaxDepth; --i) {
    CHECK(regions.leave(i).key == 0);
  }
  CHECK(regions.innermost()->key == Regions::kMaxDepth);
  for (int i = Regions::kMaxDepth; i > 0; --i) {
    CHECK(regions.leave(i).key == i);
  }
  CHECK(regions.depth == 0);
}
