// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "plan/teams.hpp"
#include "planned.hpp"

using namespace nestbind;
using plan::Order;
using plan::Path;

namespace {

Order order_of(const Order::Teams& teams) {
  Order order;
  for (const auto& [primary, positions] : teams) {
    order.set(primary, positions);
  }
  return order;
}

std::string rows(const planned::Setup& setup, const std::string& text, const Order::Teams& teams) {
  const plan::Plan plain = planned::plan(setup, text);
  plan::Plan ordered(plain.machine(), plain.rules(), order_of(teams));
  return planned::rows(ordered);
}

}  // namespace

TEST_CASE("members and whole teams change places, but the primary thread stays") {
  const planned::Setup barcelona{"barcelona", ""};
  CHECK(rows(barcelona, "4,compact", {{{}, {0, 3, 1, 2}}}) == "0 3 1 2");
  CHECK(rows(barcelona, "4,scatter,2,subcompact", {{{}, {0, 2, 3, 1}}}) ==
        "0 1 / 8 9 / 12 13 / 4 5");
  // Teams 1 and 2 change places. The second order is for team 1 on its new slots.
  CHECK(rows(barcelona, "4,scatter,4,subscatter", {{{}, {0, 2, 1, 3}}, {{1}, {0, 3, 2, 1}}}) ==
        "0 1 2 3 / 8 11 10 9 / 4 5 6 7 / 12 13 14 15");
}

TEST_CASE("plain inner strategies keep their positions in a new order, too") {
  // Without an order the rows are 0 5 9 13 / 4 1 10 14 / 8 2 6 15 / 12 3 7 11.
  CHECK(rows({"barcelona", ""}, "4,scatter,4,scatter", {{{}, {0, 3, 2, 1}}, {{1}, {0, 2, 1, 3}}}) ==
        "0 5 9 13 / 12 7 3 11 / 8 2 6 15 / 4 1 10 14");
}

TEST_CASE("a team of another size keeps the plain order") {
  const planned::Setup barcelona{"barcelona", ""};
  CHECK(rows(barcelona, "4,compact", {{{}, {0, 2, 1}}}) == "0 1 2 3");
  CHECK(rows(barcelona, "4,compact", {{{1}, {0, 2, 1, 3}}}) == "0 1 2 3");
  const plan::Plan plain = planned::plan(barcelona, "4,compact");
  plan::Plan ordered(plain.machine(), plain.rules(), order_of({{{}, {0, 2, 1}}}));
  CHECK(ordered.team({}, 3)[1].slot == 2);
}

TEST_CASE("a symbolic size counts the objects at the new position") {
  CHECK(rows({"barcelona", ""}, "3,scatter,core,subcompact", {{{}, {0, 2, 1}}}) ==
        "0 1 2 3 4 5 6 7 / 12 13 14 15 / 8 9 10 11");
  plan::Plan plain = planned::plan({"barcelona", "0-3,4-5,8-11"}, "numa,scatter,core,subcompact");
  CHECK(planned::rows(plain) == "0 1 2 3 / 4 5 / 8 9 10 11");
  plan::Plan ordered(plain.machine(), plain.rules(), order_of({{{}, {0, 2, 1}}}));
  CHECK(planned::rows(ordered) == "0 1 2 3 / 8 9 10 11 / 4 5");
  CHECK(ordered.next_size({{1, 3}}) == 4);
  CHECK(ordered.next_size({{2, 3}}) == 2);
}

TEST_CASE("different threads have different planned paths") {
  const Order order = order_of({{{}, {0, 2, 1}}, {{1}, {0, 1, 3, 2}}, {{2}, {0, 3, 1, 2}}});
  std::set<Path> paths;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      paths.insert(order.planned({{i, 3}, {j, 4}}));
    }
  }
  CHECK(paths.size() == 12);
  CHECK(order.planned({{1, 3}, {2, 4}}) == Path{{2, 3}, {3, 4}});
  CHECK(order.planned({{2, 3}, {1, 4}}) == Path{{1, 3}, {3, 4}});
  CHECK(order.planned({}).empty());
}
