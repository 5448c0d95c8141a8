// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <thread>

#include "helpers/fresh_process.hpp"
#include "observe/output.hpp"

using nestbind::observe::Turn;

namespace {

// Whether another thread gets the turn.
bool gets_turn(int patience) {
  bool result = false;
  std::thread([&] {
    const Turn turn(patience);
    result = static_cast<bool>(turn);
  }).join();
  return result;
}

}  // namespace

TEST_CASE("who goes on without its turn takes it from nobody") {
  fresh::process({}, [] {
    {
      const Turn held;
      CHECK(held);
      CHECK_FALSE(gets_turn(1));
      CHECK_FALSE(gets_turn(Turn::kPatience));  // also without waiting
    }
    CHECK(gets_turn(1));
  });
}

TEST_CASE("a thread in its turn does not wait for itself") {
  fresh::process({}, [] {
    const Turn outer;
    {
      const Turn inner;
      CHECK_FALSE(inner);
    }
    CHECK_FALSE(gets_turn(1));
  });
}
