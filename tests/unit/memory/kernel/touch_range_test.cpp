// SPDX-License-Identifier: BSD-3-Clause
// Touches are told by hand: what the handler makes of a fault.
#include "memory/kernel/touch_range.hpp"

#include <sys/mman.h>

#include <catch2/catch.hpp>

namespace nestbind::memory::kernel::test {
namespace {

constexpr std::size_t kPieces = 64;
constexpr std::size_t kPages = kPieces * TouchRange::kPagesOfPiece;
constexpr long kManyMappings = 50000;

// Memory from a huge page's border on, readable and writable.
class Memory {
 public:
  Memory() {
    bytes_ = kPages * page_bytes() + huge_bytes();
    mapped_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const auto at = reinterpret_cast<std::uintptr_t>(mapped_);
    begin_ = (at + huge_bytes() - 1) / huge_bytes() * huge_bytes();
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { munmap(mapped_, bytes_); }
  Range range() const { return {begin_, begin_ + kPages * page_bytes()}; }
  std::uintptr_t piece(std::size_t i) const {
    return begin_ + i * TouchRange::kPagesOfPiece * page_bytes();
  }

 private:
  void* mapped_;
  std::size_t bytes_;
  std::uintptr_t begin_;
};

int protection_at(std::uintptr_t address) {
  for (const Mapping& mapping : read_mappings()) {
    if (address >= mapping.range.begin && address < mapping.range.end) {
      return mapping.protection;
    }
  }
  return -1;
}

constexpr int kBoth = PROT_READ | PROT_WRITE;

std::vector<Mapping> writable(const Range& range) { return {{range, kBoth}}; }
std::vector<int> all_on(int node) { return std::vector<int>(kPages, node); }

TEST_CASE("a piece that is touched is open, the others wait", "[memory]") {
  const Memory memory;
  TouchRange range(memory.range(), writable(memory.range()), all_on(0), {});
  std::atomic<long> mappings{100};
  REQUIRE(range.arm(mappings, kManyMappings) == 0);
  CHECK(range.waiting() == kPieces);
  CHECK(protection_at(memory.piece(0)) == PROT_NONE);
  CHECK(range.touch(memory.piece(5) + 12345, 0));
  CHECK(protection_at(memory.piece(4)) == PROT_NONE);
  CHECK(protection_at(memory.piece(5)) == kBoth);
  CHECK(protection_at(memory.piece(6) - 1) == kBoth);
  CHECK(protection_at(memory.piece(6)) == PROT_NONE);
  CHECK(range.waiting() == kPieces - 1);
  CHECK(mappings == 102);
  for (std::size_t i = 0; i < kPieces; ++i) {
    CHECK(range.touch(memory.piece(i), 0));
  }
  CHECK(range.is_over());
  CHECK_FALSE(range.is_given_up());
  CHECK(protection_at(memory.piece(63)) == kBoth);
}

TEST_CASE("what nobody has touched yet is left alone", "[memory]") {
  const Memory memory;
  std::vector<int> nodes(kPages, kNoPage);
  nodes[3 * TouchRange::kPagesOfPiece + 7] = 0;
  TouchRange range(memory.range(), writable(memory.range()), nodes, {});
  std::atomic<long> mappings{0};
  REQUIRE(range.arm(mappings, kManyMappings) == 0);
  CHECK(range.waiting() == 1);
  CHECK(protection_at(memory.piece(2)) == kBoth);
  CHECK(protection_at(memory.piece(3)) == PROT_NONE);
  CHECK_FALSE(range.touch(memory.piece(2), 0));
  CHECK(range.touch(memory.piece(3), 0));
  CHECK(range.is_over());
}

TEST_CASE("a huge page is one piece", "[memory]") {
  const Memory memory;
  const Range huge[] = {memory.range()};
  TouchRange range(memory.range(), writable(memory.range()), all_on(0), huge);
  std::atomic<long> mappings{0};
  REQUIRE(range.arm(mappings, kManyMappings) == 0);
  const std::size_t unit = huge_bytes() / page_bytes() / TouchRange::kPagesOfPiece;
  CHECK(range.waiting() == static_cast<long>(kPieces / unit));
  CHECK(range.touch(memory.piece(unit + 3), 0));
  CHECK(protection_at(memory.piece(unit - 1)) == PROT_NONE);
  CHECK(protection_at(memory.piece(unit)) == kBoth);
  CHECK(protection_at(memory.piece(2 * unit - 1)) == kBoth);
  CHECK(protection_at(memory.piece(2 * unit)) == PROT_NONE);
  range.end();
  CHECK(range.is_over());
  CHECK(protection_at(memory.piece(2 * unit)) == kBoth);
}

TEST_CASE("what the program has unmapped meanwhile holds nothing else back", "[memory]") {
  const Memory memory;
  TouchRange range(memory.range(), writable(memory.range()), all_on(0), {});
  std::atomic<long> mappings{0};
  REQUIRE(range.arm(mappings, kManyMappings) == 0);
  // From within piece 10 to within piece 20.
  const std::uintptr_t hole = memory.piece(10) + 3 * page_bytes();
  const std::uintptr_t behind = memory.piece(20) + 5 * page_bytes();
  REQUIRE(munmap(reinterpret_cast<void*>(hole), behind - hole) == 0);
  CHECK(range.touch(behind, 0));
  CHECK(protection_at(behind) == kBoth);
  CHECK(protection_at(memory.piece(21) - 1) == kBoth);
  CHECK(protection_at(memory.piece(21)) == PROT_NONE);
  CHECK_FALSE(range.is_given_up());
  range.end();
  CHECK(protection_at(memory.piece(9)) == kBoth);
  CHECK(protection_at(hole - 1) == kBoth);
  CHECK(protection_at(memory.piece(21)) == kBoth);
  CHECK(protection_at(memory.piece(63)) == kBoth);
}

TEST_CASE("a range gives back what its mappings permitted", "[memory]") {
  const Memory memory;
  const std::uintptr_t middle = memory.piece(10) + 3 * page_bytes();
  mprotect(reinterpret_cast<void*>(memory.range().begin), middle - memory.range().begin, PROT_READ);
  TouchRange range(
      memory.range(),
      {{{memory.range().begin, middle}, PROT_READ}, {{middle, memory.range().end}, kBoth}},
      all_on(0), {});
  std::atomic<long> mappings{0};
  REQUIRE(range.arm(mappings, kManyMappings) == 0);
  CHECK(range.touch(memory.piece(10), 0));
  CHECK(protection_at(memory.piece(10)) == PROT_READ);
  CHECK(protection_at(middle) == kBoth);
  range.end();
  CHECK(range.is_given_up());
  CHECK(protection_at(memory.piece(0)) == PROT_READ);
  CHECK(protection_at(memory.piece(20)) == kBoth);
}

TEST_CASE("pieces that several nodes touch at once end the range", "[memory]") {
  const Memory memory;
  TouchRange range(memory.range(), writable(memory.range()), all_on(0), {});
  std::atomic<long> mappings{0};
  REQUIRE(range.arm(mappings, kManyMappings) == 0);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK_FALSE(range.is_given_up());
    CHECK(range.touch(memory.piece(i), 0));
    CHECK(range.touch(memory.piece(i), 0));  // late, of the same node
    CHECK(range.touch(memory.piece(i), 1));
  }
  CHECK(range.is_given_up());
  CHECK(range.is_over());
  CHECK(protection_at(memory.piece(50)) == kBoth);
}

TEST_CASE("a few such pieces among many do not", "[memory]") {
  const Memory memory;
  TouchRange range(memory.range(), writable(memory.range()), all_on(0), {});
  std::atomic<long> mappings{0};
  REQUIRE(range.arm(mappings, kManyMappings) == 0);
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(range.touch(memory.piece(i), 0));
  }
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(range.touch(memory.piece(i), 1));
  }
  CHECK_FALSE(range.is_given_up());
  range.end();
}

TEST_CASE("a range ends before the process has too many mappings", "[memory]") {
  const Memory memory;
  TouchRange range(memory.range(), writable(memory.range()), all_on(0), {});
  std::atomic<long> mappings{100};
  REQUIRE(range.arm(mappings, 106) == 0);
  CHECK(range.touch(memory.piece(2), 0));
  CHECK(range.touch(memory.piece(4), 0));
  CHECK_FALSE(range.is_given_up());
  CHECK(range.touch(memory.piece(6), 0));
  CHECK(range.is_given_up());
  CHECK(protection_at(memory.piece(6)) == kBoth);
  CHECK(protection_at(memory.piece(7)) == kBoth);
}

TEST_CASE("a fault that comes again and again is not ours", "[memory]") {
  const Memory memory;
  TouchRange range(memory.range(), writable(memory.range()), all_on(0), {});
  std::atomic<long> mappings{0};
  REQUIRE(range.arm(mappings, kManyMappings) == 0);
  CHECK(range.touch(memory.piece(0), 0));
  int ours = 0;
  while (range.touch(memory.piece(0), 0) && ours < 100000) {
    ++ours;
  }
  CHECK(ours == 4096);
  range.end();
}

TEST_CASE("what ended is not touched when it ends again", "[memory]") {
  const Memory memory;
  TouchRange range(memory.range(), writable(memory.range()), all_on(0), {});
  std::atomic<long> mappings{0};
  REQUIRE(range.arm(mappings, kManyMappings) == 0);
  range.end();
  mprotect(reinterpret_cast<void*>(memory.piece(0)), page_bytes(), PROT_NONE);
  range.end();
  CHECK(protection_at(memory.piece(0)) == PROT_NONE);
}

}  // namespace
}  // namespace nestbind::memory::kernel::test
