// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/order_text.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <string>

using namespace nestbind;
using mapping::Fault;

namespace {

std::string order_fault(const std::string& text) {
  plan::Order order;
  Fault fault;
  REQUIRE_FALSE(mapping::parse_order(text, order, fault));
  CHECK(order.is_plain());
  return mapping::describe(text, fault);
}

std::string told(std::size_t line, std::size_t column, const std::string& text,
                 const std::string& what) {
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + what +
         "\n  " + text + "\n  " + std::string(column - 1, ' ') + "^";
}

}  // namespace

TEST_CASE("an order may have comments, blanks and empty lines") {
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

TEST_CASE("an empty order is the plain order") {
  plan::Order order;
  Fault fault;
  for (const char* text : {"", "\n", "# nothing", "\n\n  \n"}) {
    CHECK(mapping::parse_order(text, order, fault));
    CHECK(order.is_plain());
  }
}

TEST_CASE("a fault in an order has its line, its column and a caret") {
  CHECK(order_fault("# one\nteam: 0 1 1\n") ==
        "line 2, column 11: two members on one place, expected each number once\n"
        "  team: 0 1 1\n"
        "            ^");
  const struct {
    const char* text;
    std::size_t column;
    const char* what;
  } faults[] = {
      {"team: 1 0", 7, "the primary thread keeps its place, expected 0"},
      {"team 0.: 0 1", 8, "no thread, expected its numbers, such as 0.3, or \":\""},
      {"team: 0 3 1", 9, "a team of 3 has no such member, expected a number below that"},
      {"teams: 0 1", 1, "not a line of an order, expected \"team\", or # and a comment"},
      {"team 0 0 1", 8, "the team's primary thread ends here, expected \":\""},
      {"team:", 6, "a team without members, expected 0, and the numbers of its other members"},
      {"team: 0 1x", 10, "not the number of a member, expected numbers with blanks between them"},
      {"team: 0 99999999999999999999", 9,
       "not the number of a member, expected numbers with blanks between them"},
  };
  for (const auto& [text, column, what] : faults) {
    CHECK(order_fault(text) == told(1, column, text, what));
  }
  CHECK(order_fault("team 1: 0 1\nteam 1: 0 1") ==
        told(2, 1, "team 1: 0 1", "this team has its order already, expected each team once"));
}
