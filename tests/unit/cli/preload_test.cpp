// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/preload.hpp"

#include <catch2/catch.hpp>

#include "cli/inspect/text.hpp"

using namespace nestbind::cli;

TEST_CASE("Our library comes before all other preloaded libraries", "[preload]") {
  CHECK(preload_with("", "/l/libnestbind.so.0", "") == "/l/libnestbind.so.0");
  CHECK(preload_with("a.so b.so", "/n.so", "") == "/n.so:a.so:b.so");
  CHECK(preload_with(":a.so::/x/b.so ", "/n.so", "") == "/n.so:a.so:/x/b.so");
}

TEST_CASE("Another nestbind library is removed from the list", "[preload]") {
  CHECK(preload_with("/old/libnestbind.so.0 a.so libnestbind.so", "/n.so", "") == "/n.so:a.so");
  CHECK(preload_with("libnestbind-pomp.so", "/n.so", "") == "/n.so:libnestbind-pomp.so");
}

TEST_CASE("Sanitizers come before our library", "[preload]") {
  CHECK(preload_with("a.so libasan.so.8", "/n.so", "") == "libasan.so.8:/n.so:a.so");
  CHECK(preload_with("a.so", "/n.so", "libasan.so.8") == "libasan.so.8:/n.so:a.so");
  CHECK(preload_with("/x/libtsan.so.2", "/n.so", "libasan.so.8") == "/x/libtsan.so.2:/n.so");
  CHECK(is_sanitizer("/usr/lib/libclang_rt.asan-x86_64.so"));
  CHECK_FALSE(is_sanitizer("libasanx.so"));
}

TEST_CASE("Texts are split and joined", "[text]") {
  using namespace inspect;
  CHECK(split(" a:b  :c", ": ") == std::vector<std::string>{"a", "b", "c"});
  CHECK(split("", ":").empty());
  CHECK(split(":::", ":").empty());
  CHECK(join({"a", "b"}, ", ") == "a, b");
  CHECK(join({}, ", ").empty());
  CHECK(file_name("/a/b") == "b");
  CHECK(file_name("b") == "b");
}
