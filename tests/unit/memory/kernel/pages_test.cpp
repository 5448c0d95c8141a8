// SPDX-License-Identifier: BSD-3-Clause
#include "memory/kernel/pages.hpp"

#include <errno.h>
#include <sys/mman.h>

#include <catch2/catch.hpp>
#include <vector>

namespace nestbind::memory::kernel::test {
namespace {

const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

TEST_CASE("bytes are extended to whole pages", "[memory]") {
  const std::size_t page = page_bytes();
  CHECK(pages_around(at(page), page).pages() == 1);
  CHECK(pages_around(at(page + 1), page).pages() == 2);
  CHECK(pages_around(at(2 * page - 1), 1).pages() == 1);
  CHECK(pages_around(at(page + 1), 0).pages() == 0);
}

TEST_CASE("the last page of the address space gives an empty range", "[memory]") {
  const std::uintptr_t last = ~std::uintptr_t{0} - 10;
  CHECK(pages_around(at(last), 5).pages() == 0);
}

TEST_CASE("the kernel reports mapped ranges and pages in memory", "[memory]") {
  const std::size_t page = page_bytes();
  void* const memory =
      mmap(nullptr, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  static_cast<char*>(memory)[page] = 1;
  const Range range = pages_around(memory, 4 * page);
  errno = 77;
  CHECK(check_mapped(range) == 0);
  std::vector<int> nodes(4);
  CHECK(find_resident(range, nodes) == 0);
  CHECK(nodes == std::vector<int>{kNoPage, 0, kNoPage, kNoPage});
  munmap(static_cast<char*>(memory) + 2 * page, page);
  CHECK(check_mapped(range) == ENOMEM);
  CHECK(errno == 77);
  munmap(memory, 4 * page);
}

}  // namespace
}  // namespace nestbind::memory::kernel::test
