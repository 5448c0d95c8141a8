// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <thread>

#include "helpers/fresh_process.hpp"
#include "observe/output.hpp"

using nestbind::observe::Turn;

namespace {

bool gets_turn(int patience) {
  bool result = false;
  std::thread([&] {
    const Turn turn(patience);
    result = static_cast<bool>(turn);
  }).join();
  return result;
}

}  // namespace

TEST_CASE("a thread that goes on without its turn takes no turn from others") {
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

TEST_CASE("a thread does not wait for its own turn") {
  fresh::process({}, [] {
    const Turn outer;
    {
      const Turn inner;
      CHECK_FALSE(inner);
    }
    CHECK_FALSE(gets_turn(1));
  });
}
