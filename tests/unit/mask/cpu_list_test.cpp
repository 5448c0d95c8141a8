// SPDX-License-Identifier: BSD-3-Clause
#include "mask/cpu_list.hpp"

#include <catch2/catch.hpp>

using namespace nestbind;
using Ints = std::vector<int>;

TEST_CASE("processor lists are read as taskset and cpuset write them") {
  CHECK(mask::parse_list("0-3,8") == Ints{0, 1, 2, 3, 8});
  CHECK(mask::parse_list("8,0-2,1") == Ints{0, 1, 2, 8});
  CHECK(mask::parse_list("16-31:5") == Ints{16, 21, 26, 31});
  CHECK(mask::parse_list("1048576") == Ints{mask::kMaxListed});
  for (const char* text : {"", "x", "1-", "3-1", "0-4:0", "1,,2", "-1", "1 2", "1,", "1048577"}) {
    INFO(text);
    CHECK_FALSE(mask::parse_list(text));
  }
}

TEST_CASE("processor lists are written with ranges") {
  CHECK(mask::list({8, 3, 2, 1, 0, 2}) == "0-3,8");
  CHECK(mask::list({4, 5}) == "4-5");
  CHECK(mask::list({}) == "-");
}
