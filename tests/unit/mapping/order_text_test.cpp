// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/order_text.hpp"

#include <catch2/catch.hpp>

using namespace nestbind;
using mapping::Fault;

namespace {

std::string fault_of(const std::string& text) {
  plan::Order order;
  Fault fault;
  REQUIRE_FALSE(mapping::parse_order(text, order, fault));
  CHECK(order.is_plain());
  return mapping::describe(text, fault);
}

}  // namespace

TEST_CASE("an order is read, whatever stands between its lines") {
  plan::Order order;
  Fault fault;
  const std::string text =
      "# made by hand\n\nteam: 0 2 1 3   # the outermost\r\n  Team 0.3 :0 1\t\nteam 12:0";
  REQUIRE(mapping::parse_order(text, order, fault));
  const plan::Order::Teams expected = {{{}, {0, 2, 1, 3}}, {{0, 3}, {0, 1}}, {{12}, {0}}};
  CHECK(order.teams() == expected);
  CHECK(mapping::print_order(order, {"a", "b"}) ==
        "# a\n# b\nteam: 0 2 1 3\nteam 0.3: 0 1\nteam 12: 0\n");
}

TEST_CASE("an empty order is the plain one") {
  plan::Order order;
  Fault fault;
  for (const char* text : {"", "\n", "# nothing", "\n\n  \n"}) {
    CHECK(mapping::parse_order(text, order, fault));
    CHECK(order.is_plain());
  }
}

TEST_CASE("a fault has its line, its column and a caret") {
  CHECK(fault_of("# one\nteam: 0 1 1\n") ==
        "line 2, column 11: two members on one place, expected each number once\n"
        "  team: 0 1 1\n"
        "            ^");
  CHECK(fault_of("team: 1 0") ==
        "line 1, column 7: the master keeps its place, expected 0\n"
        "  team: 1 0\n"
        "        ^");
  CHECK(fault_of("team 0.: 0 1") ==
        "line 1, column 8: no thread, expected its numbers, such as 0.3, or \":\"\n"
        "  team 0.: 0 1\n"
        "         ^");
  CHECK(fault_of("team: 0 3 1") ==
        "line 1, column 9: a team of 3 has no such member, expected a number below that\n"
        "  team: 0 3 1\n"
        "          ^");
  CHECK(fault_of("teams: 0 1") ==
        "line 1, column 1: not what an order says, expected \"team\", or # and a comment\n"
        "  teams: 0 1\n"
        "  ^");
  CHECK(fault_of("team 0 0 1") ==
        "line 1, column 8: the team's master ends here, expected \":\"\n"
        "  team 0 0 1\n"
        "         ^");
  CHECK(
      fault_of("team:") ==
      "line 1, column 6: a team without members, expected 0, and the numbers of its other members\n"
      "  team:\n"
      "       ^");
  CHECK(fault_of("team: 0 1x") ==
        "line 1, column 10: not the number of a member, expected numbers with blanks between them\n"
        "  team: 0 1x\n"
        "           ^");
  CHECK(fault_of("team 1: 0 1\nteam 1: 0 1") ==
        "line 2, column 1: this team has its order already, expected each team once\n"
        "  team 1: 0 1\n"
        "  ^");
  CHECK(fault_of("team: 0 99999999999999999999")
            .starts_with("line 1, column 9: not the number of a member"));
}
