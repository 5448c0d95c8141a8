// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/communication.hpp"

#include <catch2/catch.hpp>

#include "helpers.hpp"

using namespace mapped;

namespace {

// Four teams of four.
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

// The first line.
std::string headline(const std::string& text) {
  const std::string fault = fault_of(text);
  return fault.substr(0, fault.find('\n'));
}

}  // namespace

TEST_CASE("threads are named by path or by number, and pairs are added up") {
  CHECK(read("0.2 1.3 10\n7 2 1.5e0\n") == Communication{{2, 7, 11.5}});
  CHECK(read("# who\n\n15 0 2 # much\n  3.3 0.0 1\r\n5 5 100\n1 2 0") == Communication{{0, 15, 3}});
  CHECK(read("").empty());
}

TEST_CASE("a matrix of the Matrix Market") {
  const std::string sizes = "% made up\n16 16 3\n";
  CHECK(read("%%MatrixMarket matrix coordinate real general\n" + sizes +
             "1 2 3\n2 1 4\n16 16 9\n") == Communication{{0, 1, 7}});
  CHECK(read("%%matrixmarket MATRIX Coordinate Integer Symmetric\n" + sizes +
             "2 1 3\n16 1 1\n\n3 3 1\n") == Communication{{0, 1, 6}, {0, 15, 2}});
  CHECK(read("%%MatrixMarket matrix coordinate pattern general\n" + sizes + "1 2\n2 1\n4 3\n") ==
        Communication{{0, 1, 2}, {2, 3, 1}});
}

TEST_CASE("a fault is told with the place") {
  CHECK(fault_of("0 1 1\n0.4 1 1\n") ==
        "line 2, column 1: the specification has no such thread, expected the path of one of its "
        "last "
        "level\n"
        "  0.4 1 1\n"
        "  ^");
  CHECK(headline("0 16 1") ==
        "line 1, column 3: the specification has no such thread, expected 0 to 15");
  CHECK(
      headline("0.1.1 2 3").starts_with("line 1, column 1: the specification has no such thread"));
  CHECK(headline("0 1") == "line 1, column 4: no weight, expected a number from 0 to 1e15");
  for (const char* weight : {"-1", "x", "1x", "nan", "inf", "1e16", "0x10", "1,5"}) {
    INFO(weight);
    CHECK(headline("0 1 " + std::string(weight)).starts_with("line 1, column 5: no weight"));
  }
  CHECK(headline("0 1 2 3") ==
        "line 1, column 7: more than a line has, expected the end of the line");
  CHECK(headline("\n\na 1 2") ==
        "line 3, column 1: no thread, expected a path such as 0.2, or a number from 0 to 15");
  CHECK(headline("0. 1 2").starts_with("line 1, column 3: no thread"));
  CHECK(headline("-1 1 2").starts_with("line 1, column 1: no thread"));
  CHECK(headline("99999999999999 1 2").starts_with("line 1, column 1: no thread"));
}

TEST_CASE("a matrix that is none is told, too") {
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  CHECK(headline("%%MatrixMarket matrix array real general\n") ==
        "line 1, column 23: a matrix of another kind, expected coordinate");
  CHECK(headline("%%MatrixMarket matrix coordinate complex general\n") ==
        "line 1, column 34: a matrix of another kind, expected real or integer or pattern");
  CHECK(headline(banner) ==
        "line 1, column 46: the matrix ends here, expected its rows, columns and entries");
  CHECK(headline(banner + "16 15 1\n") ==
        "line 2, column 4: not as large as the specification, expected 16, its threads");
  CHECK(headline(banner + "16 16 1\n17 1 1\n") ==
        "line 3, column 1: no number of a thread, expected 1 to 16");
  CHECK(headline(banner + "16 16 1\n0 1 1\n") ==
        "line 3, column 1: no number of a thread, expected 1 to 16");
  CHECK(headline(banner + "16 16 2\n2 1 1\n") ==
        "line 3, column 6: fewer entries than were announced, expected 2 of them");
  CHECK(headline(banner + "16 16 1\n2 1 1\n3 1 1\n") ==
        "line 4, column 1: more entries than were announced, expected 1 of them");
}
