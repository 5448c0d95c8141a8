// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <sstream>

#include "cli/tune/run_output.hpp"

namespace nestbind::cli::tune {
namespace {

std::optional<SlowestRegion> found_in(const std::string& trace) {
  std::istringstream text(trace);
  return slowest_region(text);
}

TEST_CASE("the outermost region with the most time in total is found") {
  const auto found = found_in(
      "1.000000 7 8 4096 100 0 program\n"
      "1.000000 7 4 1 4096 0 \n"  // a region
      "1.100000 7 4 2 9999 0 \n"  // a region inside it
      "1.900000 7 6 2 0 0 \n"
      "2.000000 8 6 1 1 0 \n"  // another member
      "2.000000 7 6 1 0 0 \n"
      "2.000000 7 8 8192 200 0 libother.so\n"
      "2.000000 7 4 1 8192 0 \n2.700000 7 6 1 0 0 \n"
      "3.000000 7 4 1 8192 0 \n3.700000 7 6 1 0 0 \n"
      "half a li");
  REQUIRE(found);
  CHECK(found->module == "libother.so");
  CHECK(found->address == 200);
  CHECK(found->seconds == Approx(1.4));
  CHECK(found->all == Approx(2.4));
}

TEST_CASE("no region is found if no region has ended") {
  CHECK_FALSE(found_in(""));
  CHECK_FALSE(found_in("1.0 7 8 4096 100 0 program\n1.0 7 4 1 4096 0 \n"));
}

}  // namespace
}  // namespace nestbind::cli::tune
