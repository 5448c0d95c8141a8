// SPDX-License-Identifier: BSD-3-Clause
// The files of recorders.
#include <catch2/catch.hpp>
#include <string>

#include "mapping/ranks/traffic_text.hpp"

namespace nestbind::mapping {
namespace {

constexpr char kGood[] =
    "nestbind traffic 1\nrank 3 of 16 on n 1\nwithout collectives\nto 4 4096 2\nto 12 8 1\nend\n";

TEST_CASE("a file of nestbind's recorder") {
  RankTrafficFile file;
  Fault fault;
  REQUIRE(parse_traffic(kGood, file, fault));
  CHECK(file.rank == 3);
  CHECK(file.ranks == 16);
  CHECK(file.host == "n 1");
  CHECK(file.without == "collectives");
  REQUIRE(file.messages.size() == 2);
  CHECK(file.messages[1].from == 3);
  CHECK(file.messages[1].to == 12);
  CHECK(file.messages[1].bytes == 8);
}

TEST_CASE("each beginning of a file is refused, with its line") {
  const std::string good = kGood;
  for (std::size_t size = 0; size + 2 < good.size(); ++size) {
    RankTrafficFile file;
    Fault fault;
    INFO(size);
    REQUIRE_FALSE(parse_traffic(good.substr(0, size), file, fault));
    CHECK_FALSE(fault.what.empty());
  }
}

TEST_CASE("faults in a file have their place") {
  const auto place = [](const std::string& text) {
    RankTrafficFile file;
    Fault fault;
    REQUIRE_FALSE(parse_traffic(text, file, fault));
    return std::pair(fault.line, fault.position);
  };
  CHECK(place("nestbind traffic 2\n") == std::pair<std::size_t, std::size_t>(1, 0));
  CHECK(place("nestbind traffic 1\nrank 0 of 4\nto 4 1 1\nend\n") ==
        std::pair<std::size_t, std::size_t>(3, 3));
  CHECK(place("nestbind traffic 1\nrank 0 of 4\nto 1 x 1\nend\n") ==
        std::pair<std::size_t, std::size_t>(3, 5));
  CHECK(place("nestbind traffic 1\nrank 0 of 4\nfrom 1\nend\n") ==
        std::pair<std::size_t, std::size_t>(3, 0));
}

TEST_CASE("Open MPI's monitoring: only the wanted lines count") {
  const char text[] =
      "# POINT TO POINT\nE\t0\t1\t100 bytes\t2 msgs sent\t1,1\nI\t0\t2\t8 bytes\t1 msgs sent\n"
      "# COLLECTIVES\nC\t0\t3\t50 bytes\t1 msgs sent\n"
      "D MPI COMMUNICATOR 3\n";
  for (const auto& [kinds, messages, left_out] :
       {std::tuple("EI", 2, 50.0), std::tuple("E", 1, 58.0), std::tuple("EIC", 3, 0.0)}) {
    RankTrafficFile file;
    Fault fault;
    REQUIRE(parse_monitoring(text, kinds, file, fault));
    CHECK(file.messages.size() == static_cast<std::size_t>(messages));
    CHECK(file.left_out == left_out);
  }
  RankTrafficFile file;
  Fault fault;
  CHECK_FALSE(parse_monitoring("E\t0\tx\t1 bytes\t1 msgs sent\n", "E", file, fault));
}

}  // namespace
}  // namespace nestbind::mapping
