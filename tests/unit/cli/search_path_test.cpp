// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <catch2/catch.hpp>
#include <climits>

#include "cli/inspect/loader.hpp"

using namespace nestbind::cli::inspect;
using Names = std::vector<std::string>;

namespace {

const Tokens kTokens{"/opt/bin", "lib64", "haswell"};

Names folders(std::string_view list, std::string_view separators = ":") {
  bool is_cut = false;
  Names found = folders_of(list, separators, kTokens, is_cut);
  CHECK_FALSE(is_cut);
  return found;
}

}  // namespace

TEST_CASE("Tokens in a search path are replaced", "[search_path]") {
  const auto expanded = [](std::string_view path) {
    return expand(path, kTokens).value_or("none");
  };
  CHECK(expanded("") == "");
  CHECK(expanded("/plain") == "/plain");
  CHECK(expanded("$ORIGIN") == "/opt/bin");
  CHECK(expanded("${ORIGIN}/../$LIB/${PLATFORM}") == "/opt/bin/../lib64/haswell");
  CHECK(expanded("$ORIGIN$ORIGIN") == "/opt/bin/opt/bin");
  CHECK(expanded("$LIB.d") == "lib64.d");
  CHECK(expanded("$LIBS:$ORIGIN_:$ORIGIN1:${LIB") == "$LIBS:$ORIGIN_:$ORIGIN1:${LIB");
  CHECK(expanded("$") == "$");
  CHECK(expanded("$$LIB") == "$lib64");
  CHECK(expanded("$HOME") == "$HOME");
  CHECK_FALSE(expand("/x/$PLATFORM", {"/o", "lib", ""}));
  CHECK_FALSE(expand(std::string(PATH_MAX, 'x'), kTokens));
}

TEST_CASE("A search path is split into folders", "[search_path]") {
  CHECK(folders("").empty());
  CHECK(folders("/a:/b//:/") == Names{"/a/", "/b/", "/"});
  CHECK(folders("/a:/a/:/b:/a") == Names{"/a/", "/b/"});
  CHECK(folders(":/a") == Names{"", "/a/"});
  CHECK(folders("/a:") == Names{"/a/", ""});
  CHECK(folders("a:.") == Names{"a/", "./"});
  CHECK(folders("/a;/b") == Names{"/a;/b/"});
  CHECK(folders("/a;/b:/c", ":;") == Names{"/a/", "/b/", "/c/"});
  CHECK(folders("$ORIGIN/../lib:/a") == Names{"/opt/bin/../lib/", "/a/"});
}

TEST_CASE("A list of folders is cut after 1024 folders", "[search_path]") {
  std::string list;
  for (int i = 0; i < 2000; ++i) {
    list += "/" + std::to_string(i) + ":";
  }
  bool is_cut = false;
  CHECK(folders_of(list, ":", {}, is_cut).size() == 1024);
  CHECK(is_cut);
}

TEST_CASE("The folder of a file is its origin", "[search_path]") {
  CHECK(origin_of("/a/b") == "/a");
  CHECK(origin_of("/a") == "/");
  CHECK(origin_of("/a/../b/c") == "/a/../b");
  char here[PATH_MAX];
  REQUIRE(getcwd(here, sizeof here) != nullptr);
  CHECK(origin_of("x") == here);
  CHECK(origin_of("./x") == std::string(here) + "/.");
}

TEST_CASE("Names in LD_PRELOAD are separated by blanks and colons", "[search_path]") {
  CHECK(names_in_preload("").empty());
  CHECK(names_in_preload(" a.so:/x/b.so  c.so: ") == Names{"a.so", "/x/b.so", "c.so"});
  CHECK(names_in_preload("a\tb") == Names{"a\tb"});
}

TEST_CASE("Names in /etc/ld.so.preload may have comments between them", "[search_path]") {
  CHECK(names_in_preload_file("").empty());
  CHECK(names_in_preload_file("a.so b.so\n\tc.so:d.so # e.so\n#f.so\n g.so#h") ==
        Names{"a.so", "b.so", "c.so", "d.so", "g.so"});
}
