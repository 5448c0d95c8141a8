// SPDX-License-Identifier: BSD-3-Clause
#include "memory/kernel/mappings.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>

namespace nestbind::memory::kernel::test {
namespace {

TEST_CASE("a line of maps gives a range and its permissions", "[memory]") {
  const auto mapping = parse_mapping(
      "7f1c2a000000-7f1c2a021000 r-xp 00001000 08:01 1234    /usr/lib/libc.so.6 (deleted)");
  REQUIRE(mapping.has_value());
  CHECK(mapping->range.begin == 0x7f1c2a000000);
  CHECK(mapping->range.end == 0x7f1c2a021000);
  CHECK(mapping->protection == (PROT_READ | PROT_EXEC));
  CHECK(mapping->is_private);
  CHECK((mapping->offset == 0x1000 && mapping->inode == 1234));
  CHECK(mapping->name == "/usr/lib/libc.so.6 (deleted)");
  CHECK(parse_mapping("1000-2000 ---p 00000000 00:00 0")->protection == PROT_NONE);
}

TEST_CASE("other lines are not mappings", "[memory]") {
  for (const char* line : {"", "Rss:  4 kB", "AnonHugePages:      2048 kB",
                           "2000-1000 rw-p 0 0:0 0", "1000 2000 rw-p", "1000-2000 rw"}) {
    CHECK_FALSE(parse_mapping(line).has_value());
  }
}

TEST_CASE("the process's own mappings contain its stack", "[memory]") {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  int found = 0;
  for (const Mapping& mapping : read_mappings(getpid())) {
    found += here >= mapping.range.begin && here < mapping.range.end ? 1 : 0;
  }
  CHECK(found == 1);
  CHECK(huge_bytes() > page_bytes());
}

}  // namespace
}  // namespace nestbind::memory::kernel::test
