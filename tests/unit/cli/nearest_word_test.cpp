// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>

#include "cli/common/printable.hpp"

using nestbind::cli::nearest;
using nestbind::cli::suggestion;

namespace {

const std::vector<std::string> kWords = {"run", "plan", "doctor", "trace"};

}  // namespace

TEST_CASE("the right word is suggested for a misspelt word", "[nearest]") {
  CHECK(nearest("plna", kWords) == "plan");
  CHECK(nearest("pla", kWords) == "plan");
  CHECK(nearest("plann", kWords) == "plan");
  CHECK(nearest("docter", kWords) == "doctor");
  CHECK(nearest("rnu", kWords) == "run");
  CHECK(nearest("tracce", kWords) == "trace");
  CHECK(nearest("run", kWords) == "run");
}

TEST_CASE("nestbind's word is suggested for another tool's word", "[nearest]") {
  CHECK(nearest("socket", {"numa", "package"}) == "package");
  CHECK(nearest("thread", {"threads", "pu"}) == "pu");
  CHECK(nearest("thread", {"thread", "pu"}) == "thread");
  CHECK(nearest("close", kWords).empty());
}

TEST_CASE("no word is suggested for an unrelated word", "[nearest]") {
  CHECK(nearest("help", kWords).empty());
  CHECK(nearest("", kWords).empty());
  CHECK(nearest("x", kWords).empty());
  CHECK(nearest("plan", {}).empty());
  CHECK(nearest(std::string(100000, 'x'), kWords).empty());
}

TEST_CASE("the nearest word is suggested", "[nearest]") {
  CHECK(nearest("--machin", {"--runtime", "--machine"}) == "--machine");
  CHECK(suggestion("plna", kWords) == "; did you mean plan?");
  CHECK(suggestion("help", kWords).empty());
}
