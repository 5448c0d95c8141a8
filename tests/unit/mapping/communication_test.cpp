// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/communication.hpp"

#include <catch2/catch.hpp>
#include <regex>

#include "helpers.hpp"

using namespace mapped;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

const Threads& threads() {
  static const Setup setup("barcelona", "4,scatter,4,subscatter");
  return setup.threads;
}

Communication read(const std::string& text) {
  Communication pairs;
  Fault fault;
  const bool is_good = parse_communication(text, threads(), pairs, fault);
  INFO((is_good ? "" : describe(text, fault)));
  REQUIRE(is_good);
  return pairs;
}

std::string fault_of(const std::string& text) {
  const Communication untouched = {{0, 1, 1}};
  Communication pairs = untouched;
  Fault fault;
  REQUIRE_FALSE(parse_communication(text, threads(), pairs, fault));
  CHECK(pairs == untouched);
  return describe(text, fault);
}

std::string place_of(const std::string& text) {
  const std::string fault = fault_of(text);
  std::smatch place;
  REQUIRE(std::regex_search(fault, place, std::regex("^line (\\d+), column (\\d+): ")));
  return place.str(1) + ":" + place.str(2);
}

}  // namespace

TEST_CASE("threads are named by path or number, and equal pairs are added up") {
  CHECK(read("0.2 1.3 10\n7 2 1.5e0\n") == Communication{{2, 7, 11.5}});
  CHECK(read("# who\n\n15 0 2 # much\n  3.3 0.0 1\r\n5 5 100\n1 2 0") == Communication{{0, 15, 3}});
  CHECK(read("").empty());
}

TEST_CASE("communication is read from a file in Matrix Market format") {
  const std::string sizes = "% made up\n16 16 3\n";
  CHECK(read("%%MatrixMarket matrix coordinate real general\n" + sizes +
             "1 2 3\n2 1 4\n16 16 9\n") == Communication{{0, 1, 7}});
  CHECK(read("%%matrixmarket MATRIX Coordinate Integer Symmetric\n" + sizes +
             "2 1 3\n16 1 1\n\n3 3 1\n") == Communication{{0, 1, 6}, {0, 15, 2}});
  CHECK(read("%%MatrixMarket matrix coordinate pattern general\n" + sizes + "1 2\n2 1\n4 3\n") ==
        Communication{{0, 1, 2}, {2, 3, 1}});
}

TEST_CASE("a fault in communication is reported with its line and column") {
  CHECK_THAT(fault_of("0 1 1\n0.4 1 1\n"), EndsWith("\n  0.4 1 1\n  ^"));
  CHECK(place_of("0 1 1\n0.4 1 1\n") == "2:1");
  CHECK(place_of("0 16 1") == "1:3");
  CHECK_THAT(fault_of("0 16 1"), Contains("0 to 15"));
  CHECK(place_of("0.1.1 2 3") == "1:1");
  CHECK(place_of("0 1") == "1:4");
  CHECK_THAT(fault_of("0 1"), Contains("1e15"));
  for (const char* weight : {"-1", "x", "1x", "nan", "inf", "1e16", "0x10", "1,5"}) {
    INFO(weight);
    CHECK(place_of("0 1 " + std::string(weight)) == "1:5");
  }
  CHECK(place_of("0 1 2 3") == "1:7");
  CHECK(place_of("\n\na 1 2") == "3:1");
  CHECK_THAT(fault_of("\n\na 1 2"), Contains("0 to 15"));
  CHECK(place_of("0. 1 2") == "1:3");
  CHECK(place_of("-1 1 2") == "1:1");
  CHECK(place_of("99999999999999 1 2") == "1:1");
}

TEST_CASE("a fault in a matrix is reported with its line and column") {
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  CHECK(place_of("%%MatrixMarket matrix array real general\n") == "1:23");
  CHECK_THAT(fault_of("%%MatrixMarket matrix array real general\n"), Contains("coordinate"));
  CHECK(place_of("%%MatrixMarket matrix coordinate complex general\n") == "1:34");
  CHECK_THAT(fault_of("%%MatrixMarket matrix coordinate complex general\n"), Contains("integer"));
  CHECK(place_of(banner) == "1:46");
  CHECK(place_of(banner + "16 15 1\n") == "2:4");
  CHECK_THAT(fault_of(banner + "16 15 1\n"), Contains("16"));
  CHECK(place_of(banner + "16 16 1\n17 1 1\n") == "3:1");
  CHECK_THAT(fault_of(banner + "16 16 1\n17 1 1\n"), Contains("1 to 16"));
  CHECK(place_of(banner + "16 16 1\n0 1 1\n") == "3:1");
  CHECK_THAT(fault_of(banner + "16 16 1\n0 1 1\n"), Contains("1 to 16"));
  CHECK(place_of(banner + "16 16 2\n2 1 1\n") == "3:6");
  CHECK(place_of(banner + "16 16 1\n2 1 1\n3 1 1\n") == "4:1");
}
