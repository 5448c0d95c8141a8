// SPDX-License-Identifier: BSD-3-Clause
#include <stdlib.h>

#include <catch2/catch.hpp>
#include <string>

#include "machine/hwloc/read_hwloc.hpp"
#include "planner/planner_geometry.hpp"

using namespace nestbind;

namespace {

std::string told(const char* source,
                 const std::optional<std::vector<int>>& allowed = std::nullopt) {
  char* const text = planner::node(machine::hwloc::read_hardware(source), allowed);
  const std::string copy = text;
  free(text);
  return copy;
}

}  // namespace

TEST_CASE("the cores of a machine have the machine's own numbers") {
  CHECK(told("pack:2 [numa] core:1 pu:2") ==
        "\"cores\": [{\"core\": 0, \"package\": 0, \"numa\": 0, \"cpus\": [0, 1]}, "
        "{\"core\": 1, \"package\": 1, \"numa\": 1, \"cpus\": [2, 3]}]");
}

TEST_CASE("allowed processors do not change the numbers") {
  CHECK(told("pack:2 core:1 pu:1", std::vector<int>{1}) ==
        "\"allowed\": [1], "
        "\"cores\": [{\"core\": 0, \"package\": 0, \"numa\": 0, \"cpus\": [0]}, "
        "{\"core\": 1, \"package\": 1, \"numa\": 0, \"cpus\": [1]}]");
}

TEST_CASE("a processor without a core is listed alone") {
  CHECK(told("pack:1 pu:2") ==
        "\"cores\": [{\"core\": null, \"package\": 0, \"numa\": 0, \"cpus\": [0]}, "
        "{\"core\": null, \"package\": 0, \"numa\": 0, \"cpus\": [1]}]");
}
