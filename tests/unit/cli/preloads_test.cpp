// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/preloads.hpp"

#include <catch2/catch.hpp>

using namespace nestbind::cli::inspect;
using Names = std::vector<std::string>;

TEST_CASE("Names in LD_PRELOAD", "[preloads]") {
  CHECK(names_in_preload("").empty());
  CHECK(names_in_preload(" a.so:/x/b.so  c.so: ") == Names{"a.so", "/x/b.so", "c.so"});
  CHECK(names_in_preload("a\tb") == Names{"a\tb"});
  CHECK(names_in_preload(std::string(5000, 'x')).empty());
}

TEST_CASE("Names in the system's file", "[preloads]") {
  CHECK(names_in_preload_file("").empty());
  CHECK(names_in_preload_file("a.so b.so\n\tc.so:d.so # e.so\n#f.so\n g.so#h") ==
        Names{"a.so", "b.so", "c.so", "d.so", "g.so"});
}
