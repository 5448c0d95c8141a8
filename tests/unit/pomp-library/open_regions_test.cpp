// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/pomp-library/open_regions.hpp"

#include <catch2/catch.hpp>

namespace {

struct Entry {
  int key;
};

using Regions = nestbind::pomp_library::OpenRegions<Entry>;

}  // namespace

TEST_CASE("regions are left in the order in which they nest") {
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

TEST_CASE("leaving a region leaves those inside it, whose ends were not told") {
  Regions regions;
  regions.enter({1});
  regions.enter({2});
  regions.enter({3});
  CHECK(regions.leave(1).key == 1);
  CHECK(regions.depth == 0);
}

TEST_CASE("of a region that is entered twice the inner one is left") {
  Regions regions;
  regions.enter({1});
  regions.enter({1});
  regions.leave(1);
  CHECK(regions.depth == 1);
}

TEST_CASE("a region that was not entered is not left") {
  Regions regions;
  regions.enter({1});
  CHECK(regions.leave(2).key == 0);
  CHECK(regions.depth == 1);
}

TEST_CASE("deeper regions than can be remembered are counted") {
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
