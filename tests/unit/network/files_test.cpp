// SPDX-License-Identifier: BSD-3-Clause
// Lists of hosts, Slurm's files of networks, and files of coordinates.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "network/host_list.hpp"
#include "network/topology_file.hpp"

namespace nestbind::network {
namespace {

using Names = std::vector<std::string>;
using Place = std::pair<std::size_t, std::size_t>;

TEST_CASE("lists of hosts") {
  const auto hosts = [](const std::string& list) {
    Fault fault;
    const auto found = parse_hosts(list, fault);
    REQUIRE(found);
    return *found;
  };
  CHECK(hosts("n1") == Names{"n1"});
  CHECK(hosts("n[08-11,3],login") == Names{"n08", "n09", "n10", "n11", "n3", "login"});
  CHECK(hosts("r[0-1]n[1-2]x") == Names{"r0n1x", "r0n2x", "r1n1x", "r1n2x"});
  CHECK(hosts("a-b.c[001]") == Names{"a-b.c001"});
  CHECK(hosts("n[0-1048575]").size() == 1048576);
}

TEST_CASE("faults in lists of hosts have their place") {
  for (const auto& [list, position] :
       {std::pair("", 0), std::pair("a,", 2), std::pair(",a", 0), std::pair("n[", 2),
        std::pair("n[1", 3), std::pair("n[3-1]", 4), std::pair("n[x]", 2), std::pair("n]", 1),
        std::pair("a b", 1), std::pair("n[0-9999999]", 2), std::pair("n[1-]", 4)}) {
    Fault fault;
    INFO(list);
    CHECK_FALSE(parse_hosts(list, fault));
    CHECK(fault.position == static_cast<std::size_t>(position));
  }
}

Network network_of(const std::string& text, const Names& nodes) {
  Fault fault;
  auto network = parse_topology(text, nodes, fault);
  INFO(fault.what);
  REQUIRE(network);
  return *network;
}

TEST_CASE("topology.conf: trees") {
  const std::string text =
      "# a comment\nSwitchName=s0 Nodes=n[0-3]\nswitchname=s1 Nodes=n[4-7] LinkSpeed=100 # more\n\n"
      "SwitchName=top \\\n Switches=s[0-1]\n";
  const Network network = network_of(text, {"n0", "n3", "n4", "n7"});
  CHECK(network.hops(0, 1) == 1);
  CHECK(network.hops(0, 2) == 2);
  CHECK(network.switches_above(2).back() == "s1");
}

TEST_CASE("the output of scontrol show topology") {
  const Network network = network_of(
      "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[0-1] \nSwitchName=s1 Level=0 LinkSpeed=1 "
      "Nodes=n[2-3] \nSwitchName=core Level=1 LinkSpeed=1 Nodes=n[0-3] Switches=s[0-1] \n",
      {"n0", "n1", "n2"});
  CHECK(network.hops(0, 1) == 1);
  CHECK(network.hops(1, 2) == 2);
}

TEST_CASE("blocks, and larger blocks of blocks") {
  const Network network = network_of(
      "BlockName=b0 Nodes=n[0-1]\nBlockName=b1 Nodes=n[2-3]\nBlockName=b2 Nodes=n[4-5]\n"
      "BlockName=b3 Nodes=n[6-7]\nBlockSizes=2,4\n",
      {"n0", "n1", "n2", "n4"});
  CHECK(network.hops(0, 1) == 1);
  CHECK(network.hops(0, 2) == 2);
  CHECK(network.hops(0, 3) == 3);
}

TEST_CASE("scontrol show topology lists larger blocks, too") {
  const Network network = network_of(
      "BlockName=b0 BlockIndex=0 Nodes=n[0-1] BlockSize=2\n"
      "BlockName=b1 BlockIndex=1 Nodes=n[2-3] BlockSize=2\n"
      "BlockName=b2 BlockIndex=2 Nodes=n[4-5] BlockSize=2\n"
      "AggregatedBlock=b[0-1] BlockIndex=3 Nodes=n[0-3] BlockSize=4\n",
      {"n0", "n1", "n2", "n4"});
  CHECK(network.hops(0, 1) == 1);
  CHECK(network.hops(0, 2) == 2);
  CHECK(network.hops(0, 3) == 3);
}

TEST_CASE("topology.yaml: tree, block and flat; the default of the cluster counts") {
  const std::string text =
      "---\n- topology: first\n  cluster_default: false\n  flat: true\n- topology: trees\n"
      "  cluster_default: true\n  tree:\n    switches:\n      - switch: root\n"
      "        children: s[1-2]\n      - switch: s1\n        nodes: \"n[1-2]\"\n"
      "      - switch: s2   # a comment\n        nodes: n[3-4]\n- topology: blocks\n  block:\n"
      "    block_sizes:\n      - 1\n      - 2\n    blocks:\n      - block: b1\n        nodes: n1\n";
  const Network network = network_of(text, {"n1", "n2", "n3"});
  CHECK(network.hops(0, 1) == 1);
  CHECK(network.hops(1, 2) == 2);
  const Network blocks = network_of(
      "- topology: b\n  block:\n    block_sizes: [1, 2]\n    blocks:\n      - block: b0\n"
      "        nodes: n0\n      - block: b1\n        nodes: n1\n      - block: b2\n"
      "        nodes: n2\n",
      {"n0", "n1", "n2"});
  CHECK(blocks.hops(0, 1) == 2);
  CHECK(blocks.hops(0, 2) == 3);
  CHECK(network_of("- topology: f\n  flat: true\n", {"n0", "n1"}).is_flat());
}

TEST_CASE("faults in files of networks have their place") {
  for (const auto& [text, place] : {
           std::pair("SwitchName=a Nodes=n0\nSwitchName=b Switches=a,c\n", Place(2, 22)),
           std::pair("SwitchName=a Nodes=n0\nSwitchName=b Nodes=n[0-1]\n", Place(2, 19)),
           std::pair("SwitchName=a Switches=b\nSwitchName=b Switches=a\n", Place(1, 22)),
           std::pair("SwitchName=a Switches=a\n", Place(1, 22)),
           std::pair("SwitchName=a Nodes=n0\nSwitchName=a Nodes=n1\n", Place(2, 11)),
           std::pair("SwitchName=a Nodes=n[0-\n", Place(1, 23)),
           std::pair("SwitchName=a Nodes\n", Place(1, 13)),
           std::pair("SwitchName=a Knots=n0\n", Place(1, 13)),
           std::pair("Nodes=n0\n", Place(1, 0)),
           std::pair("", Place(1, 0)),
           std::pair("SwitchName=a Nodes=n0\nSwitchName=b Switches=a\nSwitchName=c Switches=a\n",
                     Place(3, 22)),
           std::pair("BlockName=a Nodes=n0\nBlockSizes=2,x\n", Place(2, 13)),
           std::pair("- topology: t\n  trees:\n", Place(2, 2)),
       }) {
    Fault fault;
    INFO(text);
    CHECK_FALSE(parse_topology(text, {"n0"}, fault));
    CHECK(Place(fault.line, fault.position) == place);
  }
  Fault fault;
  CHECK_FALSE(parse_topology("SwitchName=a Nodes=n0\n", {"n0", "n9"}, fault));
  CHECK(fault.line == 0);
  CHECK(fault.what.find("n9") != std::string::npos);
}

TEST_CASE("addresses of SLURM_TOPOLOGY_ADDR") {
  const Network network = of_addresses({"core.s0.n0", "core.s0.n1", "core.s1.n2"});
  CHECK(network.hops(0, 1) == 1);
  CHECK(network.hops(0, 2) == 2);
}

TEST_CASE("forms, and faults in them") {
  Fault fault;
  CHECK(parse_form("torus:8x8x8", fault)->lengths == std::vector{8, 8, 8});
  CHECK(parse_form("Dragonfly:9x4x4", fault)->kind == Kind::kDragonfly);
  for (const auto& [text, position] :
       {std::pair("torus", 5), std::pair("torus:", 6), std::pair("torus:8x", 8),
        std::pair("torus:8,8", 7), std::pair("dragonfly:9x4", 13),
        std::pair("dragonfly:9x4x4x4", 15), std::pair("tree:0,2", 6), std::pair("ring:8", 0),
        std::pair("torus:4096x4096", 6), std::pair("dragonfly:2x100000x1", 10)}) {
    INFO(text);
    CHECK_FALSE(parse_form(text, fault));
    CHECK(fault.position == static_cast<std::size_t>(position));
  }
}

TEST_CASE("coordinates of nodes") {
  Fault fault;
  const Form form{Kind::kTorus, {4, 4}};
  const auto network =
      place_nodes(form, {"b", "a"}, "# torus\na 0 0\nb 0 3  # wrapped\nother 2 2\n", fault);
  REQUIRE(network);
  CHECK(network->hops(0, 1) == 1);
  for (const auto& [text, place] :
       {std::pair("a 0 4\n", Place(1, 4)), std::pair("a 0\n", Place(1, 3)),
        std::pair("a 0 0 0\n", Place(1, 6)), std::pair("a 0 0\nb 0 0\n", Place(2, 0)),
        std::pair("a 0 0\n", Place(0, 0))}) {
    INFO(text);
    CHECK_FALSE(place_nodes(form, {"b", "a"}, text, fault));
    CHECK(Place(fault.line, fault.position) == place);
  }
}

}  // namespace
}  // namespace nestbind::network
