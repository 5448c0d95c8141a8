// SPDX-License-Identifier: BSD-3-Clause
// The interface for the libraries of MPI.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "planner/planner_ranks.hpp"

extern "C" const nestbind::RanksApi nestbind_planner_ranks_1;

namespace {

using namespace nestbind;

const RanksApi& api() { return nestbind_planner_ranks_1; }

TEST_CASE("a grid of ranks on a torus") {
  PlannerMessage message{};
  PlannerNetwork* network = nullptr;
  REQUIRE(api().network({8, "torus:2x2x2", nullptr, nullptr, nullptr}, &network, message) ==
          NESTBIND_OK);
  int sizes[3] = {};
  CHECK(api().dims(network, sizes, 3) == 3);
  CHECK(std::vector(sizes, sizes + 3) == std::vector{2, 2, 2});
  CHECK(api().dims(network, nullptr, 0) == 3);
  for (int node = 0; node < 8; ++node) {
    int own[3] = {};
    REQUIRE(api().coordinates(network, node, own, 3) == 3);
    CHECK(api().node(network, own, 3) == node);
  }
  CHECK(api().coordinates(network, 8, sizes, 3) == -1);
  CHECK(api().hops(network, 0, 7) == 3);
  std::vector<int> node(64);
  for (int process = 0; process < 64; ++process) {
    node[process] = process / 8;
  }
  const int lengths[] = {8, 8};
  const int is_periodic[] = {0, 1};
  const PlannerJob job{network,
                       64,
                       node.data(),
                       0,
                       nullptr,
                       {2, lengths, is_periodic, nullptr, 0},
                       {nullptr, nullptr, nullptr}};
  std::vector<int> process(64);
  PlannerGain gain{};
  REQUIRE(api().map_ranks(job, process.data(), &gain, message) == NESTBIND_OK);
  CHECK(gain.bytes_before == 56);
  CHECK(gain.bytes == 40);
  CHECK(gain.hop_bytes == 40);
  std::ranges::sort(process);
  for (int i = 0; i < 64; ++i) {
    CHECK(process[i] == i);
  }
  api().forget(network);
}

TEST_CASE("messages between ranks, and jobs that do not match") {
  // Rank r sends to rank r + 4 of 8, on nodes of 2.
  const long begin[] = {0, 1, 2, 3, 4, 4, 4, 4, 4};
  const int other[] = {4, 5, 6, 7};
  const int node[] = {0, 0, 1, 1, 2, 2, 3, 3};
  PlannerJob job{
      nullptr, 8, node, 0, nullptr, {0, nullptr, nullptr, nullptr, 0}, {begin, other, nullptr}};
  int process[8];
  PlannerGain gain{};
  PlannerMessage message{};
  REQUIRE(api().map_ranks(job, process, &gain, message) == NESTBIND_OK);
  CHECK(gain.bytes_before == 4);
  CHECK(gain.bytes == 0);
  const int lengths[] = {3};
  const int is_periodic[] = {0};
  job.grid = {1, lengths, is_periodic, nullptr, 0};
  CHECK(api().map_ranks(job, process, nullptr, message) == NESTBIND_BAD_ARGUMENT);
  CHECK(message.text[0] != '\0');
}

TEST_CASE("networks from texts, and faults in them") {
  PlannerNetwork* network = nullptr;
  const char* const names[] = {"n0", "n1", "n2"};
  const char* const paths[] = {"core.s0.n0", "core.s0.n1", "core.s1.n2"};
  const char text[] =
      "SwitchName=s0 Nodes=n[0-1]\nSwitchName=s1 Nodes=n2\nSwitchName=core Switches=s[0-1]\n";
  for (const char* const form : {text, "switches"}) {
    PlannerMessage message{};
    REQUIRE(api().network({3, form, names, paths, nullptr}, &network, message) == NESTBIND_OK);
    CHECK(api().hops(network, 0, 1) == 1);
    CHECK(api().hops(network, 1, 2) == 2);
    api().forget(network);
  }
  for (const char* const form :
       {"torus:2", "torus:x", "SwitchName=s0 Nodes=n[\n", "SwitchName=s0 Nodes=n0\n"}) {
    PlannerMessage message{};
    CHECK(api().network({3, form, names, nullptr, nullptr}, &network, message) ==
          NESTBIND_BAD_ARGUMENT);
    CHECK(message.text[0] != '\0');
  }
}

}  // namespace
