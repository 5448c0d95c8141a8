// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>

#include "memory/watch/watched_mappings.hpp"

using namespace nestbind::memory;

TEST_CASE("a line of the mappings") {
  const auto heap = read_mapping(
      "55d0c0a00000-55d0c0a21000 rw-p 00000000 00:00 0                          [heap]");
  REQUIRE(heap);
  CHECK(heap->begin == 0x55d0c0a00000);
  CHECK(heap->end == 0x55d0c0a21000);
  CHECK(heap->is_writable);
  CHECK_FALSE(heap->is_executable);
  CHECK(heap->is_private);
  CHECK(heap->name == "[heap]");
  const auto library =
      read_mapping("7f0000000000-7f0000001000 r-xs 00001000 fe:01 123   /a b/libc.so.6");
  REQUIRE(library);
  CHECK(library->is_executable);
  CHECK_FALSE(library->is_writable);
  CHECK_FALSE(library->is_private);
  CHECK(library->name == "/a b/libc.so.6");
  CHECK(read_mapping("1000-2000 rw-p 00000000 00:00 0")->name.empty());
  for (const char* bad : {"", "1000", "1000-2000", "2000-1000 rw-p 0 0 0", "x-2000 rw-p 0 0 0",
                          "1000-2000 rw 0 0 0"}) {
    CHECK_FALSE(read_mapping(bad));
  }
}
