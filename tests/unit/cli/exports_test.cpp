// SPDX-License-Identifier: BSD-3-Clause
#include "cli/exports.hpp"

#include <catch2/catch.hpp>

#include "variable.hpp"

using namespace nestbind::cli;

TEST_CASE("a word that a shell takes as it is", "[exports]") {
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("a b$c`d`\\\"\n!*") == "'a b$c`d`\\\"\n!*'");
  CHECK(shell_quoted("it's") == R"('it'\''s')");
}

TEST_CASE("variables that are set, in the order of their names", "[exports]") {
  const Variable one("NESTBIND_UNIT_ONE", "1");
  const Variable two("NESTBIND_UNIT_TWO", "a'b");
  CHECK(exports({"NESTBIND_UNIT_TWO", "NESTBIND_UNIT_NONE", "NESTBIND_UNIT_ONE"}) ==
        "export NESTBIND_UNIT_TWO='a'\\''b'\nexport NESTBIND_UNIT_ONE='1'\n");
}
