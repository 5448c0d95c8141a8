// SPDX-License-Identifier: BSD-3-Clause
// What is judged and moved as one: 16 pages, and a whole huge page where one is, since the kernel
// moves it whole, whatever part of it was asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nestbind::memory {

// Addresses from begin to before end.
struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;

  std::size_t bytes() const { return end > begin ? end - begin : 0; }
  bool operator==(const Range&) const = default;
};

// The machine's, each a power of two, in bytes.
struct PageSizes {
  static constexpr std::size_t kPagesOfUnit = 16;
  static constexpr std::size_t kUsualPage = 4096;
  static constexpr std::size_t kUsualHuge = 512 * kUsualPage;

  std::size_t page = kUsualPage;
  std::size_t huge = kUsualHuge;

  std::size_t unit() const { return kPagesOfUnit * page; }
};

// Where transparent huge pages may be: only where the program asks for them, for instance.
enum class HugePages : std::uint8_t { kNowhere, kSomewhere, kEverywhere };

struct Unit {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  bool is_huge = false;

  std::uintptr_t end() const { return begin + bytes; }
  bool operator==(const Unit&) const = default;
};

// The unit that an address is in, were memory without ends. `huge`: where huge pages are, in order,
// disjoint; only pages that are wholly in one of them count.
Unit unit_at(std::uintptr_t address, std::span<const Range> huge, const PageSizes& sizes);

// The part of a unit that is in a range, which it overlaps.
Unit cut(const Unit& unit, const Range& range);

// A range as units, in order: they cover it without overlap. Units begin at multiples of their
// size, so the first and the last may be smaller; of a huge page that is not wholly in the range
// the part inside is a unit that is marked huge too: it moves only with all of its page.
std::vector<Unit> units_of(const Range& range, std::span<const Range> huge, const PageSizes& sizes);

// How much may be moved in an interval: 64 MiB, and never more than 10 % of the process's memory a
// second.
std::uint64_t bytes_allowed(std::uint64_t process_bytes, std::uint64_t microseconds);

// Units in batches of at most so many bytes, in order: the number of units behind the last of each
// batch. A unit that is larger than that is a batch by itself.
std::vector<std::size_t> batches(std::span<const Unit> units, std::uint64_t bytes);

}  // namespace nestbind::memory
