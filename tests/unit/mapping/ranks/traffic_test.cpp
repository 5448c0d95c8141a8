// SPDX-License-Identifier: BSD-3-Clause
// The files of recorders.
#include <catch2/catch.hpp>
#include <string>

#include "mapping/ranks/traffic_text.hpp"

namespace nestbind::mapping {
namespace {

constexpr char kGood[] =
    "# nestbind: rank 3 of 16 on n 1\n# without collectives\nE\t3\t4\t4096 bytes\t2 msgs sent\n"
    "E\t3\t12\t8 bytes\t1 msgs sent\n# end\n";

TEST_CASE("a file of nestbind's recorder") {
  RankTrafficFile file;
  Fault fault;
  REQUIRE(parse_traffic(kGood, "EI", file, fault));
  CHECK(file.rank == 3);
  CHECK(file.ranks == 16);
  CHECK(file.without == "collectives");
  REQUIRE(file.messages.size() == 2);
  CHECK(file.messages[1].from == 3);
  CHECK(file.messages[1].to == 12);
  CHECK(file.messages[1].bytes == 8);
}

TEST_CASE("each beginning of a file is refused, with its line") {
  const std::string good = kGood;
  for (std::size_t size = good.find("rank"); size + 2 < good.size(); ++size) {
    RankTrafficFile file;
    Fault fault;
    INFO(size);
    REQUIRE_FALSE(parse_traffic(good.substr(0, size), "EI", file, fault));
    CHECK_FALSE(fault.what.empty());
  }
}

TEST_CASE("faults in a file have their place") {
  using Place = std::pair<std::size_t, std::size_t>;
  for (const auto& [text, place] :
       {std::pair("# nestbind: rank 4 of 4 on n0\n", Place(1, 23)),
        std::pair("# nestbind: rank x of 4 on n0\n", Place(1, 17)),
        std::pair("E\t0\tx\t1 bytes\t1 msgs sent\n", Place(1, 4)),
        std::pair("E\t0\t1\tx bytes\t1 msgs sent\n", Place(1, 6)),
        std::pair("# a comment\nE\t0\t1\t1 bits\t1 msgs sent\n", Place(2, 8))}) {
    RankTrafficFile file;
    Fault fault;
    INFO(text);
    REQUIRE_FALSE(parse_traffic(text, "E", file, fault));
    CHECK(Place(fault.line, fault.position) == place);
  }
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
    REQUIRE(parse_traffic(text, kinds, file, fault));
    CHECK(file.messages.size() == static_cast<std::size_t>(messages));
    CHECK(file.left_out == left_out);
  }
}

}  // namespace
}  // namespace nestbind::mapping
