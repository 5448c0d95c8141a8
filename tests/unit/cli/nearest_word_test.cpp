// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/nearest_word.hpp"

#include <catch2/catch.hpp>

using nestbind::cli::nearest;
using nestbind::cli::suggestion;

namespace {

const std::vector<std::string> kWords = {"run", "plan", "doctor", "trace"};

}  // namespace

TEST_CASE("a misspelt word is near to what was meant", "[nearest]") {
  CHECK(nearest("plna", kWords) == "plan");
  CHECK(nearest("pla", kWords) == "plan");
  CHECK(nearest("plann", kWords) == "plan");
  CHECK(nearest("docter", kWords) == "doctor");
  CHECK(nearest("rnu", kWords) == "run");
  CHECK(nearest("tracce", kWords) == "trace");
  CHECK(nearest("run", kWords) == "run");
}

TEST_CASE("a word of others is what it is called here", "[nearest]") {
  CHECK(nearest("socket", {"numa", "package"}) == "package");
  CHECK(nearest("thread", {"threads", "pu"}) == "pu");
  CHECK(nearest("thread", {"thread", "pu"}) == "thread");
  CHECK(nearest("close", kWords).empty());
}

TEST_CASE("another word is near to none", "[nearest]") {
  CHECK(nearest("help", kWords).empty());
  CHECK(nearest("", kWords).empty());
  CHECK(nearest("x", kWords).empty());
  CHECK(nearest("plan", {}).empty());
  CHECK(nearest(std::string(100000, 'x'), kWords).empty());
}

TEST_CASE("the nearest one is told", "[nearest]") {
  CHECK(nearest("--machin", {"--runtime", "--machine"}) == "--machine");
  CHECK(suggestion("plna", kWords) == "; did you mean plan?");
  CHECK(suggestion("help", kWords).empty());
}
